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
  stemma why belief:a04e -v            each condition, each term of the score, all decisions
  stemma why belief:a04e --evidence    list its sources
  stemma why belief:a04e --trust       show the trust score, term by term
  stemma why belief:a04e --without source:wiki    and whether it would stand without that
  stemma why belief:a04e --json

The tree goes down to the captured words. Evidence: the sources behind the memory.
Trust: the people and proofs behind it. Confidence: how sure its author is. stemma
never combines the three`)
	var without []string
	withoutFlag(c.Flags(), &without)
	verbose := c.Flags().BoolP("verbose", "v", false, "show each condition, each term of the score, all decisions")
	c.RunE = verb(a, (*engine.Engine).Why, func(args []string) (api.WhyRequest, error) {
		in, err := showRequest(args)
		return api.WhyRequest{Ref: in.Ref, Without: without}, err
	}, func(r api.WhyReply) error {
		if *verbose {
			return a.showAllReasons(r)
		}
		return a.showReasons(r)
	})
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

// mostReasons is how many decisions, and how many commits, are shown without -v.
const mostReasons = 3

// showReasons says in some ten lines why a memory is there and how far it goes.
func (a *app) showReasons(r api.WhyReply) error {
	a.showTree(r)
	w := a.env.Stdout
	a.reason("Evidence", or(r.Tier, "raw words (no tier)"), supported(r.Support))
	for _, f := range r.Code {
		a.reason("Code", a.paint(stateColor[f.State], f.State), whole(or(f.Reason, f.Ref)))
	}
	a.reason("Trust", a.trustWords(r.Trust), "")
	for _, x := range r.Trust.Terms {
		if x.Name == "limit" {
			fmt.Fprintf(w, "  %s\n", whole(x.Why))
		}
	}
	a.showUpstream(r.Trust.Upstream)
	a.reason("Confidence", decimal(r.Memory.Confidence), "")
	for _, d := range r.Decisions[:min(len(r.Decisions), mostReasons)] { // the newest
		fmt.Fprintf(w, "%s %s %s\n", a.paint(bold, "Decided:"), day(d.At), a.decidedLine(d))
	}
	a.showCommits(r.Followed[:min(len(r.Followed), mostReasons)])
	a.showUnheard(r)
	return nil
}

// reason is one line of the answer.
func (a *app) reason(name, status, asks string) {
	if asks == "" {
		fmt.Fprintf(a.env.Stdout, "%s %s\n", a.paint(bold, name+":"), status)
		return
	}
	fmt.Fprintf(a.env.Stdout, "%s %s  %s\n", a.paint(bold, name+":"), status, a.paint(dim, "("+asks+")"))
}

// showTree prints what a memory says and what it rests on, down to the words.
func (a *app) showTree(r api.WhyReply) {
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
}

// showAllReasons shows also how each of the three comes about.
func (a *app) showAllReasons(r api.WhyReply) error {
	a.showTree(r)
	w := a.env.Stdout
	fmt.Fprintln(w)
	a.reason("Evidence", or(r.Tier, "raw words (no tier)"), supported(r.Support))
	a.codeAndTier(api.ShowReply{Memory: r.Memory, Conditions: r.Conditions, Code: r.Code, CodeState: r.CodeState})
	fmt.Fprintln(w)
	a.reason("Trust", a.trustWords(r.Trust), "the people and proofs behind it")
	a.showTerms(r.Trust, false)
	a.showUpstream(r.Trust.Upstream)
	fmt.Fprintln(w)
	a.reason("Confidence", decimal(r.Memory.Confidence), "how sure its author is")
	for _, h := range r.ConfidenceHistory {
		fmt.Fprintf(w, "  %s: %s (%s)\n", day(h.At), decimal(h.After), whole(h.Why))
	}
	if len(r.Decisions) > 0 {
		fmt.Fprintf(w, "\n%s\n", a.paint(bold, "Decided:"))
	}
	for _, d := range r.Decisions {
		fmt.Fprintf(w, "  %s %s\n", day(d.At), a.decidedLine(d))
	}
	a.showCommits(r.Followed)
	f := r.Ranking
	fmt.Fprintf(w, "\nIn a search: relevance × %.1f tier × %s trust × %.3f recency\n",
		f.Tier, factor(f.Trust), f.Recency)
	a.showUnheard(r)
	return nil
}

// showCommits lists commits of sessions that had been given a memory.
func (a *app) showCommits(list []api.Followed) {
	if len(list) > 0 {
		fmt.Fprintln(a.env.Stdout, a.paint(bold, "Commits by sessions that had been given it:"))
		a.showFollowed(list)
	}
}

// showUnheard says whether a memory would be there without what was asked.
func (a *app) showUnheard(r api.WhyReply) {
	if r.Without == nil {
		return
	}
	a.showDiffers(&r.Without.Unheard, r.Without.Differs)
	if r.Without.Falls {
		fmt.Fprintln(a.env.Stdout, "  it would count no more: nothing else supports it")
	}
}

// supported says how many sources are behind a memory, and of how many origins.
func supported(s api.Support) string {
	if s.Sources == 0 {
		return "the sources behind it"
	}
	return "the sources behind it: " + count(s.Sources, "source", "sources") + ", " + count(s.Origins, "origin", "origins")
}
