package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) synthesizeCmd() *cobra.Command {
	c := cmd("synthesize beliefs | identity", "Propose beliefs or an identity from several memories", `Examples:
  stemma synthesize beliefs           beliefs that several episodes support
  stemma synthesize identity          values, goals and drives that beliefs support
  stemma synthesize beliefs --limit 100
  stemma review --suggestions         list the proposals`)
	var in api.SynthesizeRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number of newest episodes or beliefs (default 1000; -1 for all)")
	c.Flags().StringVar(&in.Session, "in-session", "", "only memories of this session")
	c.ValidArgs = []string{"beliefs", "identity"}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		return verb(a, (*engine.Engine).Synthesize, func(args []string) (api.SynthesizeRequest, error) {
			if len(args) != 1 {
				return in, fmt.Errorf("synthesize: choose beliefs or identity")
			}
			in.What = args[0]
			return in, nil
		}, a.showSynthesized)(cmd, args)
	}
	return c
}

func (a *app) showSynthesized(r api.SynthesizeReply) error {
	w := a.env.Stdout
	for _, m := range r.Memories {
		fmt.Fprintf(w, "%s %s (%s), from %s\n", a.ref(m.Type, m.ID), cited(m.Headline),
			decimal(m.Confidence), m.Source)
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	of := count(r.LookedAt, "episode", "episodes")
	if r.What == "identity" {
		of = count(r.LookedAt, "belief", "beliefs")
	}
	switch {
	case len(r.Memories) > 0:
		a.hint("proposed from %s; to decide: stemma review --suggestions --all", of)
	case r.ProposedBefore > 0:
		a.hint("nothing new in %s; %d proposed before", of, r.ProposedBefore)
	default:
		a.hint("no proposals from %s", of)
	}
	return nil
}

func (a *app) reviseBeliefsCmd() *cobra.Command {
	c := cmd("revise-beliefs EPISODE", "Update beliefs from an episode", `Examples:
  stemma revise-beliefs episode:81c0
  stemma review --conflicts           the beliefs it challenges

An episode can reinforce or weaken a belief, which changes its confidence a little,
or challenge it, which opens a conflict. stemma writes claims and edits no belief`)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		return verb(a, (*engine.Engine).ReviseBeliefs, func(args []string) (api.ReviseBeliefsRequest, error) {
			ref, err := oneRef(args)
			return api.ReviseBeliefsRequest{Episode: kindRef("episode", ref)}, err
		}, a.showMoves)(cmd, args)
	}
	return c
}

func (a *app) showMoves(r api.ReviseBeliefsReply) error {
	challenged := false
	for _, m := range r.Moves {
		fmt.Fprintf(a.env.Stdout, "%s %s %s", m.Effect, shortRef(m.Belief), cited(m.Headline))
		if m.ConfidenceBefore != m.Confidence {
			fmt.Fprintf(a.env.Stdout, " %s → %s", decimal(m.ConfidenceBefore), decimal(m.Confidence))
		}
		fmt.Fprintln(a.env.Stdout)
		if m.Reason != "" {
			fmt.Fprintf(a.env.Stdout, "  %s\n", whole(m.Reason))
		}
		if m.NotWritten != "" {
			fmt.Fprintf(a.env.Stdout, "  not written: %s\n", whole(inVerbs(m.NotWritten)))
		}
		challenged = challenged || m.Effect == "challenges"
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	switch {
	case challenged:
		a.hint("to decide: stemma review --conflicts")
	case len(r.Moves) == 0 && r.MovedBefore > 0:
		a.hint("nothing new: it changed %s before", count(r.MovedBefore, "belief", "beliefs"))
	case len(r.Moves) == 0:
		a.hint("it affects none of %s that are similar", count(r.Beliefs, "belief", "beliefs"))
	}
	return nil
}
