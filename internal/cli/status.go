package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) statusCmd() *cobra.Command {
	c := cmd("status", "Show counts and what waits, on one page", `Examples:
  stemma status
  stemma status --counts     count records by kind, link and space
  stemma status --json`)
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).Status,
		func([]string) (api.StatusRequest, error) { return api.StatusRequest{}, nil }, a.showStatus)
	addViews(c, view{flag: "counts", doc: "count records by kind, link and space", run: a.statsRun()})
	return c
}

func (a *app) showStatus(r api.StatusReply) error {
	var kinds []string
	for _, k := range r.Memories {
		kinds = append(kinds, count(k.Live, k.Kind, k.Kind+"s"))
	}
	w := a.env.Stdout
	row := func(name, text, do string) {
		if do != "" {
			do = "  " + a.paint(dim, do)
		}
		fmt.Fprintf(w, "%-20s %s%s\n", name, text, do)
	}
	waits := func(name string, n api.Counted, do string) {
		text := fmt.Sprint(n.Count)
		if n.More {
			text += " or more"
		}
		if n.Count == 0 && !n.More {
			do = ""
		}
		row(name, text, do)
	}
	row("Memories", or(strings.Join(kinds, ", "), "none yet"), "")
	row("Records", fmt.Sprint(r.Records), "")
	row("Last capture", or(minute(r.LastCapture), "never"), "")
	waits("Unprocessed captures", api.Counted{Count: r.Unprocessed}, "stemma raw list --unprocessed")
	waits("Jobs open", api.Counted{Count: r.Jobs}, "stemma jobs run")
	waits("Pending reviews", r.Pending, "stemma review")
	waits("Open conflicts", r.Conflicts, "stemma review --conflicts")
	waits("To be verified", r.Unverified, "stemma check")
	waits("Uncertain", r.Uncertain, "stemma meta uncertain")
	for _, o := range r.Remotes {
		do := ""
		if o.Sync == nil || o.Sync.Problem != "" {
			do = "stemma sync " + o.Name
		}
		row("Last sync "+line(o.Name, 40), lastSync(o.Sync), do)
	}
	return nil
}
