package cli

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) decisionsCmd() *cobra.Command {
	c := cmd("decisions", "List who decided what, when and why", `Examples:
  stemma decisions
  stemma decisions --by Anna --since 168h
  stemma decisions --about note:5d11        also of its other revisions
  stemma decisions --about "the mill" --act correct
  stemma decisions --limit -1 --csv >decisions.csv

Newest first: approvals, rejections, corrections, witnesses, keys that were introduced and
all else that somebody decided, signed by who did. What is quarantined or purged is listed
without its words`)
	var in api.DecisionsRequest
	f := c.Flags()
	f.StringVar(&in.By, "by", "", "only by this person or agent: a name, a key, or me")
	f.StringVar(&in.About, "about", "", "only about this memory, or about a name")
	f.StringVar(&in.Act, "act", "", "only this act, such as approve")
	f.StringVar(&in.Since, "since", "", "since: a time, or an age such as 2h")
	f.StringVar(&in.Until, "until", "", "until: a time, or an age")
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	asCSV := f.Bool("csv", false, "as CSV, one decision a line")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).Decisions, func([]string) (api.DecisionsRequest, error) {
		if *asCSV && a.flags.json {
			return in, fmt.Errorf("give one of --csv and --json")
		}
		return in, nil
	}, func(r api.DecisionsReply) error {
		if *asCSV {
			return a.decisionsCSV(r)
		}
		a.showDecisions(r)
		return nil
	})
	return c
}

func (a *app) showDecisions(r api.DecisionsReply) {
	if len(r.Decisions) == 0 {
		a.hint("no decisions")
		return
	}
	w := a.env.Stdout
	for _, d := range r.Decisions {
		fmt.Fprintf(w, "%s  %s: %s%s%s\n", minute(d.At), whose(d), a.paint(bold, d.Act), detail(d.Detail),
			a.paint(dim, standing(d)))
		for _, of := range d.Of {
			fmt.Fprintf(w, "  %s %s%s\n", a.decidedRef(of.Ref), cited(or(of.Text, of.Headline)), asideAll(of.Marks))
		}
		if d.OfMore > 0 {
			fmt.Fprintf(w, "  … %d more\n", d.OfMore)
		}
		if d.Now != nil {
			fmt.Fprintf(w, "  now %s %s%s\n", a.decidedRef(d.Now.Ref), cited(or(d.Now.Text, d.Now.Headline)),
				asideAll(d.Now.Marks))
		}
		if d.ProposedBy != "" {
			fmt.Fprintf(w, "  proposed by %s\n", a.about(d.ProposedBy, 40))
		}
		if d.Why != "" {
			fmt.Fprintf(w, "  why: %s\n", whole(d.Why))
		}
	}
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
}

// whose is who decided, and through which agent.
func whose(d api.Decision) string {
	if d.Agent == "" {
		return whole(d.By)
	}
	return whole(d.Agent) + " for " + whole(d.By)
}

// decidedLine is one decision without what it is about.
func (a *app) decidedLine(d api.Decision) string {
	return whose(d) + ": " + d.Act + detail(d.Detail) + standing(d) + because(d)
}

func because(d api.Decision) string {
	if d.Why == "" {
		return ""
	}
	return ": " + whole(d.Why)
}

func detail(s string) string {
	if s == "" {
		return ""
	}
	return " " + shortTarget(whole(s))
}

func asideAll(marks []string) string {
	if len(marks) == 0 {
		return ""
	}
	return " [" + whole(strings.Join(marks, "; ")) + "]"
}

// standing says that a decision has no effect, and why.
func standing(d api.Decision) string {
	switch {
	case d.TakenBack:
		return "  (taken back)"
	case !d.Counts:
		return "  (does not count here)"
	}
	return ""
}

// decidedRef is a ref as it is typed; of a key its beginning.
func (a *app) decidedRef(ref string) string {
	kind, id, _ := strings.Cut(ref, ":")
	if kind == "did" {
		return "key"
	}
	return a.ref(kind, id)
}

// decisionsCSV prints decisions for a spreadsheet. A cell that a spreadsheet would take for a formula begins with an
// apostrophe.
func (a *app) decisionsCSV(r api.DecisionsReply) error {
	w := csv.NewWriter(a.env.Stdout)
	row := func(cells ...string) {
		for i, s := range cells {
			s = whole(s)
			if cells[i] = s; s != "" && strings.ContainsAny(string([]rune(s)[:1]), "=+-@|%＝＋－＠") {
				cells[i] = "'" + s
			}
		}
		_ = w.Write(cells) // Flush keeps the error
	}
	row("at", "by", "key", "agent", "act", "detail", "of", "words", "of_more", "now", "now_words", "why", "proposed_by",
		"counts", "taken_back", "space", "record")
	for _, d := range r.Decisions {
		var refs, words []string
		for _, of := range d.Of {
			refs, words = append(refs, of.Ref), append(words, or(of.Text, of.Headline))
		}
		now := api.LinkEnd{}
		if d.Now != nil {
			now = *d.Now
		}
		row(d.At, d.By, d.Key, d.Agent, d.Act, d.Detail, strings.Join(refs, " "), strings.Join(words, " | "),
			strconv.Itoa(d.OfMore), now.Ref, or(now.Text, now.Headline), d.Why, d.ProposedBy, strconv.FormatBool(d.Counts),
			strconv.FormatBool(d.TakenBack), d.Space, d.Ref)
	}
	w.Flush()
	if r.More {
		a.hint("… there are more; --limit -1 gives all")
	}
	return w.Error()
}
