package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// kindCmd is the family of verbs of one kind.
func (a *app) kindCmd(k memory.Kind) *cobra.Command {
	name := string(k)
	c := cmd(name+" TEXT | add | list | show | revise | history", k.Form().About, examplesOf(k))
	c.Annotations = map[string]string{takes: takesProse}
	d := &draftFlags{}
	add := func(c *cobra.Command) *cobra.Command {
		d.metaFlags(c.Flags())
		d.approveFlag(c.Flags())
		a.secretsFlag(c.Flags())
		d.kindFlags(c.Flags(), k)
		c.Flags().StringSliceVar(&d.from, "from", nil, "ref of a source; repeatable")
		told := c.Flags().Bool("told", false, "it was told, not experienced")
		again := againFlag(c.Flags())
		c.Args = cobra.ArbitraryArgs
		c.RunE = verb(a, (*engine.Engine).Add, func(args []string) (api.AddRequest, error) {
			if len(args) == 0 {
				return api.AddRequest{}, fmt.Errorf("%s: give the text, for example: %s", name, firstExample(k))
			}
			var err error
			d.draft.Kind = name
			d.draft.Text, err = a.textArg(args)
			return api.AddRequest{Draft: d.draft, Meta: d.meta, From: d.from, Told: *told, Again: *again}, err
		}, a.wrote)
		return c
	}
	add(c)
	c.AddCommand(a.kindVerbs(k)...)
	c.AddCommand(
		add(&cobra.Command{Use: "add TEXT", Short: "Add one; '-' reads standard input", Example: "  " + firstExample(k)}),
		a.kindList(k), a.refVerb(a.kindShow(k), k), a.refVerb(a.kindRevise(k), k))
	if k != memory.KindRelationship { // its history is that of a name
		c.AddCommand(a.refVerb(a.kindHistory(k), k))
	}
	return c
}

func firstExample(k memory.Kind) string {
	return k.Form().Examples[0]
}

// kindVerbs are the additional verbs of one kind.
func (a *app) kindVerbs(k memory.Kind) []*cobra.Command {
	switch k {
	case memory.KindGoal:
		return []*cobra.Command{a.goalStatusCmd(), a.goalProgressCmd()}
	case memory.KindDrive:
		return []*cobra.Command{a.driveSatisfyCmd(), a.driveIntensityCmd()}
	case memory.KindPlaybook:
		return []*cobra.Command{a.playbookFindCmd(), a.playbookOutcomeCmd()}
	case memory.KindRelationship:
		return []*cobra.Command{a.relationshipHistoryCmd()}
	}
	return nil
}
