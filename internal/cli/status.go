package cli

import (
	"fmt"
	"maps"
	"slices"
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
		func([]string) (api.Nothing, error) {
			a.counts = true
			return api.Nothing{}, nil
		}, a.showStatus)
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
	if r.Encrypted {
		row("Encrypted", "yes", "stemma store encrypt --help")
	}
	row("Last capture", or(minute(r.LastCapture), "never"), "")
	if r.Embedder != "" {
		waits("Without a vector", api.Counted{Count: r.WithoutVector}, "stemma embed")
	}
	waits("Unprocessed captures", api.Counted{Count: r.UnprocessedRaws}, "stemma raw list --unprocessed")
	waits("Prompts waiting", api.Counted{Count: r.PromptsWaiting.Count}, "stemma recent --waiting")
	waits("Prompts not kept", api.Counted{Count: r.PromptsNotKept.Count}, "stemma recent --waiting --not-kept")
	waits("Jobs open", api.Counted{Count: r.OpenJobs}, "stemma jobs run")
	waits("Pending reviews", r.PendingReviews, "stemma review")
	waits("Held back", r.HeldBack, "stemma review")
	waits("Open conflicts", r.OpenConflicts, "stemma review --conflicts")
	row("Proposals", proposals(r.Proposals), "")
	waits("To be verified", r.NeedsVerification, "stemma check")
	waits("Uncertain", r.Uncertain, "stemma meta uncertain")
	if line := a.worktreeLine(); line != "" {
		row("Store", line, "")
	}
	if _, _, err := a.paused(); err != nil {
		row("Hooks", "keep nothing: "+line(err.Error(), 200), "stemma hook status")
	}
	if lost := a.lostLine(); lost != "" {
		row("Hooks", lost, "stemma hook status")
	}
	if waits := a.waitingLine(); waits != "" {
		row("Hooks", line(waits, 400), "stemma hook status")
	}
	if spec, err := a.storeSpec(); err == nil && a.goneLine(spec) != "" {
		row("Store", line(a.goneLine(spec), 400), "")
	}
	for _, o := range r.Remotes {
		do := ""
		if o.Sync == nil || o.Sync.Problem != "" {
			do = "stemma sync " + o.Name
		}
		text := lastSync(o.Sync)
		if o.Lag != nil && o.Lag.Unpushed+o.Lag.Unpulled > 0 {
			text += "; " + behind(o.Lag)
		}
		row("Last sync "+line(o.Name, 40), text, do)
	}
	return nil
}

func (a *app) statsCmd() *cobra.Command {
	c := cmd("stats", "Count the records in the store", "Examples:\n  stemma stats\n  stemma stats --json")
	c.Args = cobra.NoArgs
	c.RunE = a.statsRun()
	return c
}

func (a *app) statsRun() func(*cobra.Command, []string) error {
	return verb(a, (*engine.Engine).Stats, func([]string) (api.Nothing, error) {
		return api.Nothing{}, nil
	}, a.showStats)
}

func (a *app) showStats(s api.StatsReply) error {
	rows := [][]string{}
	for _, k := range append(s.Memories, s.Claims...) {
		rows = append(rows, []string{k.Kind, fmt.Sprint(k.Total), fmt.Sprint(k.Live)})
	}
	w := a.env.Stdout
	if len(rows) > 0 {
		a.table(w, []column{{title: "Kind"}, {title: "Total", right: true}, {title: "Live", right: true}}, rows)
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s, %s", count(s.Records, "record", "records"), count(s.Edges, "source link", "source links"))
	if s.Bytes > 0 {
		fmt.Fprintf(w, ", %.1f MB on disk", float64(s.Bytes)/1e6)
	}
	fmt.Fprintf(w, "\ncaptures: %d processed, %d unprocessed\n", s.Raws.Processed, s.Raws.Unprocessed)
	if s.Missing+s.Purged > 0 {
		fmt.Fprintf(w, "missing sources: %d, purged: %d\n", s.Missing, s.Purged)
	}
	if len(s.Links) > 0 {
		fmt.Fprintf(w, "links: %s\n", countsByName(s.Links))
	}
	if s.Jobs != (api.JobCount{}) {
		fmt.Fprintf(w, "jobs: %d done, %d open, %d given up\n", s.Jobs.Done, s.Jobs.Open, s.Jobs.GaveUp)
	}
	if len(s.Model) > 0 {
		fmt.Fprintf(w, "model calls in 7 days: %s\n", countsByName(s.Model))
	}
	for _, sp := range s.Spaces {
		fmt.Fprintf(w, "space %s: %s\n", clean(sp.Space), count(int(sp.Records), "record", "records"))
	}
	return nil
}

// countsByName is counts in one line, by name.
func countsByName[N int | int64](counts map[string]N) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", line(name, 60), counts[name]))
	}
	return strings.Join(parts, ", ")
}

// proposals says how many proposals wait, for whom, and how the others ended.
func proposals(n map[string]int) string {
	return fmt.Sprintf("%d for the agent, %d for you; ended: %d decided, %d let go", n["for_agent"], n["for_person"],
		n["decided"], n["let_go"])
}
