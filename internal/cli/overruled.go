package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// besidesDecisions are acts that no later decision overrules.
var besidesDecisions = []string{"propose", "reinforce", "verify", "witness"}

// askingWhy runs a verb that decides about memories. Where it overrules what another person decided about one, it asks
// for a reason first, unless one is given.
func (a *app) askingWhy(c *cobra.Command, act string, refs func(args []string) []string, reason *string) {
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *reason == "" && a.interactive() {
			for _, ref := range refs(args) {
				if d := a.overruled(cmd.Context(), act, ref); d != nil {
					why, err := a.ask(a.typing(), overruling(d))
					if err != nil && !errors.Is(err, errQuit) {
						return err
					}
					*reason = why
					break
				}
			}
		}
		return run(cmd, args)
	}
}

// overruled returns the last decision about a memory, if another person made it and it was another one; nil is none, or
// not known: then the verb itself says what is wrong.
func (a *app) overruled(ctx context.Context, act, ref string) *api.Decision {
	r, err := call(ctx, a, (*engine.Engine).Decisions, api.DecisionsRequest{About: ref, Limit: -1})
	if err != nil {
		return nil
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		switch {
		case !d.Counts || slices.Contains(besidesDecisions, d.Act):
		case d.Agent != "" || d.By == "you" || d.Act == act:
			return nil
		default:
			return d
		}
	}
	return nil
}

func overruling(d *api.Decision) string {
	why := ""
	if d.Why != "" {
		why = " (" + whole(d.Why) + ")"
	}
	return fmt.Sprintf("%s decided on %s: %s%s. Why do you decide otherwise? (optional): ", whole(d.By), day(d.At), d.Act,
		why)
}

// allRefs are the refs that many arguments name; none where they name none.
func allRefs(args []string) []string {
	refs, err := manyRefs(args, "")
	if err != nil {
		return nil
	}
	return refs
}

// firstRef is the ref that stands first.
func firstRef(args []string) []string { return args[:min(len(args), 1)] }
