package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) explainCmd() *cobra.Command {
	c := cmd("explain REF", "Show evidence, trust and confidence of a memory", `Examples:
  stemma explain belief:a04e
  stemma explain belief:a04e --evidence    list its sources
  stemma explain belief:a04e --trust       show the trust score, term by term
  stemma explain belief:a04e --json

Evidence: the sources behind it. Trust: the people and proofs behind it.
Confidence: how sure its author is. stemma never combines the three`)
	c.RunE = verb(a, (*engine.Engine).Explain, showRequest, a.showExplained)
	addViews(c, view{flag: "evidence", doc: "list its sources: episodes, notes and captures", run: a.evidenceRun()},
		view{flag: "trust", doc: "show the trust score in full, term by term",
			run: verb(a, (*engine.Engine).Trust, showRequest, a.showTrust)})
	return c
}

func (a *app) showExplained(r api.ExplainReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", a.ref(r.Type, r.ID), quoted(r.Headline, a.width()-20)+nowAside(r.Course))
	a.axis("Evidence", or(r.Tier, "raw words (no tier)"), "the sources behind it")
	a.codeAndTier(api.ShowReply{Memory: r.Memory, Conditions: r.Conditions, Code: r.Code, CodeState: r.CodeState})
	a.axis("Trust", a.trustWords(r.Trust), "the people and proofs behind it")
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
func (a *app) axis(name, status, asks string) {
	fmt.Fprintf(a.env.Stdout, "\n%s %s  %s\n", a.paint(bold, name+":"), status, a.paint(dim, "("+asks+")"))
}
