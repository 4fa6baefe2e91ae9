package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) metaCmd() *cobra.Command {
	c := cmd("meta lineage | uncertain | history | verify", "Inspect confidence: how sure, since when and why", `Examples:
  stemma meta lineage belief a04e
  stemma meta verify belief a04e
  stemma meta uncertain --threshold 0.5
  stemma meta history belief a04e          how its confidence changed`)
	lineage := &cobra.Command{Use: "lineage REF", Short: "Show how a record was made",
		Example: "  stemma meta lineage belief a04e"}
	lineage.RunE = verb(a, (*engine.Engine).Provenance, showRequest, a.showProvenance)
	history := &cobra.Command{Use: "history REF", Short: "List every change of a confidence",
		Example: "  stemma meta history belief a04e"}
	history.RunE = verb(a, (*engine.Engine).ConfidenceHistory, showRequest, a.showConfidenceHistory)
	uncertain := &cobra.Command{Use: "uncertain", Short: "List memories of low confidence, weakest first",
		Args:    cobra.NoArgs,
		Example: "  stemma meta uncertain --threshold 0.5 --limit 10"}
	var in api.UncertainRequest
	threshold := uncertain.Flags().Float64("threshold", 0.5, "list memories below this confidence")
	uncertain.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50)")
	uncertain.RunE = verb(a, (*engine.Engine).Uncertain, func([]string) (api.UncertainRequest, error) {
		in.Threshold = threshold
		return in, nil
	}, func(r api.ListReply) error {
		if len(r.Memories) == 0 {
			a.hint("no memory with a confidence below %v", *threshold)
			return nil
		}
		return a.showList(r, "", true)
	})
	verify := a.verifyCmd()
	c.AddCommand(a.refVerb(lineage, ""), uncertain, a.refVerb(history, ""), verify)
	return c
}

func (a *app) showConfidenceHistory(r api.ConfidenceHistoryReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", shortRef(r.Ref), cited(r.Headline))
	for _, s := range r.ConfidenceHistory {
		moved := decimal(s.After)
		if s.Before != nil {
			moved = decimal(*s.Before) + " → " + moved
		}
		who := s.Origin
		if s.Agent != "" {
			who += " " + a.about(s.Agent, 30)
		}
		fmt.Fprintf(w, "  %s  %-15s %s, by %s", minute(s.At), moved, s.Kind, who)
		if s.Claim != "" {
			fmt.Fprintf(w, ": %s", whole(s.Why))
		}
		if s.Claim == "" && s.Of != r.Ref {
			fmt.Fprintf(w, " (%s)", shortRef(s.Of))
		}
		fmt.Fprintln(w)
		if len(s.Because) > 0 {
			fmt.Fprintf(w, "      because of %s\n", shortRefs(s.Because))
		}
	}
	return nil
}

func (a *app) reinforceCmd() *cobra.Command {
	c := cmd("reinforce REF --because EPISODE", "Raise or lower a confidence because of an episode", `Examples:
  stemma reinforce belief:a04e --because episode:81c0
  stemma reinforce belief:a04e --because 81c0 --step -0.2 --reason "it did not hold under load"`)
	var in api.ReinforceRequest
	c.Flags().StringSliceVar(&in.Because, "because", nil,
		"episode that supports or contradicts it; repeatable, or separated by commas")
	step := c.Flags().Float64("step", 0.05, "size of the change, -1 to 1; negative weakens")
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).Reinforce, func(args []string) (api.ReinforceRequest, error) {
		var err error
		in.Ref, err = oneRef(args)
		in.Step = step
		return in, err
	}, func(r api.ReinforceReply) error {
		fmt.Fprintf(a.env.Stdout, "%s %s → %s, because of %s\n",
			shortRef(r.Ref), decimal(r.ConfidenceBefore), decimal(r.Confidence),
			shortRefs(r.Because))
		return nil
	})
	return c
}
