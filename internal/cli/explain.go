package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) explainCmd() *cobra.Command {
	c := cmd("explain REF", "Say why a memory stands as it does: evidence, trust and confidence, side by side", `Examples:
  stemma explain belief:a04e
  stemma explain belief:a04e --json

Evidence is what its words rest on, trust is who stands behind it, confidence is
how sure its author is. They are never made one number`)
	c.RunE = verb(a, (*stemma.Engine).Explain, showRequest, a.showExplained)
	addViews(c, view{flag: "evidence", doc: "list what it rests on: episodes, notes and raws", run: a.evidenceRun()},
		view{flag: "trust", doc: "show the trust score in full, term by term",
			run: verb(a, (*stemma.Engine).Trust, showRequest, a.showTrust)})
	return c
}

func (a *app) showExplained(r stemma.ExplainReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", a.ref(r.Type, r.ID), quoted(r.Headline, a.width()-20)+nowAside(r.Course))
	a.axis("Evidence", or(r.Tier, "raw words, which have no tier"), "what its words rest on")
	a.standing(stemma.ShowReply{Memory: r.Memory, Conditions: r.Conditions, Code: r.Code, CodeState: r.CodeState})
	a.axis("Trust", a.trustWords(r.Trust), "who stands behind it")
	a.showTerms(r.Trust, false)
	a.showUpstream(r.Trust.Upstream)
	a.axis("Confidence", decimal(r.Memory.Confidence), "how sure its author is")
	for _, h := range r.History {
		fmt.Fprintf(w, "  %s: %s (%s)\n", day(h.At), decimal(h.After), line(h.Why, a.width()-30))
	}
	f := r.Ranking
	fmt.Fprintf(w, "\nIn a search: relevance × %.1f tier × %s trust × %.3f recency\n", f.Tier, factor(f.Trust), f.Recency)
	return nil
}

// axis is the heading of one of the three.
func (a *app) axis(name, stands, asks string) {
	fmt.Fprintf(a.env.Stdout, "\n%s %s  %s\n", a.paint(bold, name+":"), stands, a.paint(dim, "("+asks+")"))
}
