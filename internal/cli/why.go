package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) whyCmd() *cobra.Command {
	c := cmd("why REF", "Show what a memory rests on, and how far to trust it", `Examples:
  stemma why belief:a04e
  stemma why belief:a04e --evidence    list its sources
  stemma why belief:a04e --trust       show the trust score, term by term
  stemma why belief:a04e --without source:wiki    and whether it would stand without that
  stemma why belief:a04e --json

The tree goes down to the captured words. Evidence: the sources behind the memory.
Trust: the people and proofs behind it. Confidence: how sure its author is. stemma
never combines the three`)
	var without []string
	withoutFlag(c.Flags(), &without)
	c.RunE = verb(a, (*engine.Engine).Why, func(args []string) (api.WhyRequest, error) {
		in, err := showRequest(args)
		return api.WhyRequest{Ref: in.Ref, Without: without}, err
	}, a.showReasons)
	addViews(c, view{flag: "evidence", doc: "list its sources: episodes, notes and captures", run: a.evidenceRun()},
		view{flag: "trust", doc: "show the trust score in full, term by term",
			run: verb(a, (*engine.Engine).Trust, showRequest, a.showTrust)})
	return c
}

// explainCmd is why by its former name.
func (a *app) explainCmd() *cobra.Command {
	c := a.whyCmd()
	c.Use, c.Long = "explain REF", strings.ReplaceAll(c.Long, "stemma why", "stemma explain")
	return c
}

func (a *app) showReasons(r api.WhyReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s [%s%s] %s\n", a.ref(r.Type, r.ID), a.saidOn(&r.Memory), writtenBy(r.By),
		a.headMemory(r.Memory)+nowAside(r.Course))
	if t := r.Memory.Trigger; t != "" && !strings.Contains(brief.Words(&r.Memory), t) {
		fmt.Fprintf(w, "  because: %s\n", cited(r.Memory.Trigger))
	}
	a.branches(r.Sources, "  ", bracketed)
	if r.Deeper {
		a.hint("… there is more; stemma trace %s --depth 0 shows all", shortRef(r.Ref))
	}
	for _, l := range brief.DecidedLinks(r.Links) {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	a.axis("Evidence", or(r.Tier, "raw words (no tier)"), supported(r.Support))
	a.codeAndTier(api.ShowReply{Memory: r.Memory, Conditions: r.Conditions, Code: r.Code, CodeState: r.CodeState})
	a.axis("Trust", a.trustWords(r.Trust), "the people and proofs behind it")
	a.showTerms(r.Trust, false)
	a.showUpstream(r.Trust.Upstream)
	a.axis("Confidence", decimal(r.Memory.Confidence), "how sure its author is")
	for _, h := range r.ConfidenceHistory {
		fmt.Fprintf(w, "  %s: %s (%s)\n", day(h.At), decimal(h.After), whole(h.Why))
	}
	if len(r.Decisions) > 0 {
		fmt.Fprintf(w, "\n%s\n", a.paint(bold, "Decided:"))
	}
	for _, d := range r.Decisions {
		fmt.Fprintf(w, "  %s %s\n", day(d.At), a.decidedLine(d))
	}
	if len(r.Followed) > 0 {
		fmt.Fprintf(w, "\n%s\n", a.paint(bold, "Commits by sessions that had been given it:"))
		a.showFollowed(r.Followed)
	}
	f := r.Ranking
	fmt.Fprintf(w, "\nIn a search: relevance × %.1f tier × %s trust × %.3f recency\n", f.Tier, factor(f.Trust), f.Recency)
	if r.Without != nil {
		a.showDiffers(&r.Without.Unheard, r.Without.Differs)
		if r.Without.Falls {
			fmt.Fprintln(w, "  it would count no more: nothing else supports it")
		}
	}
	return nil
}

// supported says how many sources are behind a memory, and of how many origins.
func supported(s api.Support) string {
	if s.Sources == 0 {
		return "the sources behind it"
	}
	return "the sources behind it: " + count(s.Sources, "source", "sources") + ", " + count(s.Origins, "origin", "origins")
}

// axis is the heading of one of the three.
func (a *app) axis(name, status, asks string) {
	fmt.Fprintf(a.env.Stdout, "\n%s %s  %s\n", a.paint(bold, name+":"), status, a.paint(dim, "("+asks+")"))
}
