package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) approveCmd() *cobra.Command {
	c := cmd("approve REF…", "Approve memories; only a person may", `Examples:
  stemma approve note:5d11
  stemma approve note:5d11 belief:a04e --reason "checked with the team"
  stemma approve note:5d11 --force          approve a rejected memory
  stemma approve witness:77b0               accept a witness's dispute`)
	var in api.DecideRequest
	c.Flags().BoolVar(&in.Force, "force", false, "approve memories that were rejected")
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).Approve, func(args []string) (api.DecideRequest, error) {
		var err error
		in.Refs, err = manyRefs(args, "")
		return in, err
	}, func(r api.DecideReply) error {
		err := a.showDecided(r)
		a.proposePassphrase()
		return err
	})
	a.askingWhy(c, "approve", allRefs, &in.Reason)
	return c
}

func (a *app) rejectCmd() *cobra.Command {
	c := cmd("reject REF…", "Reject memories; they are no longer shown", `Examples:
  stemma reject note:5d11
  stemma reject note:5d11 --reason "it was a guess"
  stemma reject witness:77b0                ignore this witness`)
	var in api.DecideRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).Reject, func(args []string) (api.DecideRequest, error) {
		var err error
		in.Refs, err = manyRefs(args, "")
		return in, err
	}, a.showDecided)
	a.askingWhy(c, "reject", allRefs, &in.Reason)
	return c
}

func (a *app) showDecided(r api.DecideReply) error {
	for _, m := range r.Memories {
		status := or(m.Tier, "no tier")
		if m.Hidden != "" {
			status = "no longer shown"
		}
		fmt.Fprintf(a.env.Stdout, "%s %s, %s\n", a.ref(m.Type, m.ID), or(m.Review, "not reviewed"), status)
	}
	for _, x := range r.Witnesses {
		fmt.Fprintf(a.env.Stdout, "%s\n", a.witnessLine(x))
	}
	if r.Claim == "" {
		a.hint("no change: it was already so")
	}
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	return nil
}
