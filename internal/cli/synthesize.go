package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) synthesizeCmd() *cobra.Command {
	c := cmd("synthesize beliefs | identity", "Propose what memories show together; a person decides", `Examples:
  stemma synthesize beliefs           what several episodes show
  stemma synthesize identity          values, goals and drives that beliefs show
  stemma synthesize beliefs --limit 100
  stemma suggestions                  what was proposed`)
	var in stemma.SynthesizeRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "how many episodes or beliefs are looked at, the newest (default 1000; -1 is all)")
	c.Flags().StringVar(&in.Session, "in-session", "", "only those of this session")
	c.ValidArgs = []string{"beliefs", "identity"}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		return verb(a, (*stemma.Engine).Synthesize, func(args []string) (stemma.SynthesizeRequest, error) {
			if len(args) != 1 {
				return in, fmt.Errorf("synthesize: say what, beliefs or identity")
			}
			in.What = args[0]
			return in, nil
		}, a.showSynthesized)(cmd, args)
	}
	return c
}

func (a *app) showSynthesized(r stemma.SynthesizeReply) error {
	w := a.env.Stdout
	for _, m := range r.Memories {
		fmt.Fprintf(w, "%s %s (%s), from %s\n", a.ref(m.Type, m.ID), quoted(m.Headline, a.width()-50), decimal(m.Confidence), m.Source)
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	of := count(r.Looked, "episode", "episodes")
	if r.What == "identity" {
		of = count(r.Looked, "belief", "beliefs")
	}
	switch {
	case len(r.Memories) > 0:
		a.hint("proposed from %s; 'stemma suggestions' shows what waits for you", of)
	case r.Before > 0:
		a.hint("nothing new in %s; %d were proposed before", of, r.Before)
	default:
		a.hint("nothing in %s", of)
	}
	return nil
}

func (a *app) reviseBeliefsCmd() *cobra.Command {
	c := cmd("revise-beliefs EPISODE", "Let an episode reinforce, weaken or challenge beliefs", `Examples:
  stemma revise-beliefs episode:81c0
  stemma conflicts                    the beliefs that were challenged

It writes claims: the first two move the confidence a little, the last opens a
conflict. No belief is edited`)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		return verb(a, (*stemma.Engine).ReviseBeliefs, func(args []string) (stemma.ReviseBeliefsRequest, error) {
			ref, err := oneRef(args)
			return stemma.ReviseBeliefsRequest{Episode: kindRef("episode", ref)}, err
		}, a.showMoves)(cmd, args)
	}
	return c
}

func (a *app) showMoves(r stemma.ReviseBeliefsReply) error {
	challenged := false
	for _, m := range r.Moves {
		fmt.Fprintf(a.env.Stdout, "%s %s %s", m.Effect, shortRef(m.Belief), quoted(m.Headline, a.width()-60))
		if m.Before != m.After {
			fmt.Fprintf(a.env.Stdout, " %s → %s", decimal(m.Before), decimal(m.After))
		}
		fmt.Fprintln(a.env.Stdout)
		if m.Reason != "" {
			fmt.Fprintf(a.env.Stdout, "  %s\n", line(m.Reason, a.width()-2))
		}
		if m.WhyNot != "" {
			fmt.Fprintf(a.env.Stdout, "  not written: %s\n", line(m.WhyNot, a.width()-15))
		}
		challenged = challenged || m.Effect == "challenges"
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	switch {
	case challenged:
		a.hint("'stemma conflicts' shows what waits for a decision")
	case len(r.Moves) == 0 && r.Before > 0:
		a.hint("nothing new: it moved %s before", count(r.Before, "belief", "beliefs"))
	case len(r.Moves) == 0:
		a.hint("it bears on none of %s that are like it", count(r.Beliefs, "belief", "beliefs"))
	}
	return nil
}
