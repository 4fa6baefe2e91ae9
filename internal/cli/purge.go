package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) purgeCmd() *cobra.Command {
	c := cmd("purge REF…", "Remove words for good, from every file of the store", `Examples:
  stemma purge raw:3f9a --dry-run
  stemma purge raw:3f9a --reason "a password was captured"
  stemma purge raw:3f9a note:5d11 --yes     without being asked

It cannot be undone. The ids stay, so that what cites them still verifies; copies
that were exported, and what repeats the words, are not reached`)
	var in stemma.PurgeRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why; kept and shown, so do not repeat what is purged")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "say what would go, and remove nothing")
	yes := c.Flags().Bool("yes", false, "do not ask")
	declined := false
	do := func(ctx context.Context, in stemma.PurgeRequest) (stemma.PurgeReply, error) {
		if in.DryRun || *yes {
			return call(ctx, a, (*stemma.Engine).Purge, in)
		}
		probe := in
		probe.DryRun = true
		r, err := call(ctx, a, (*stemma.Engine).Purge, probe)
		if err != nil {
			return r, err
		}
		if !a.interactive() {
			return r, stemma.Invalid("purge cannot be undone: --yes says that it is meant, --dry-run shows what would go")
		}
		a.showPurge(r, true)
		answer, err := a.ask(bufio.NewReader(a.env.Stdin), "remove for good? [y/N] ")
		if err != nil && !errors.Is(err, errQuit) {
			return r, err
		}
		if declined = !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes"); declined {
			return r, nil
		}
		return call(ctx, a, (*stemma.Engine).Purge, in)
	}
	c.RunE = verbAs(a, do, func(args []string) (stemma.PurgeRequest, error) {
		var err error
		in.Refs, err = manyRefs(args, "")
		return in, err
	}, func(r stemma.PurgeReply) error {
		if declined {
			a.hint("nothing was purged")
			return nil
		}
		a.showPurge(r, in.DryRun)
		return nil
	})
	return c
}

// showPurge says what is gone or would go, and what may repeat it.
func (a *app) showPurge(r stemma.PurgeReply, would bool) {
	w := a.env.Stdout
	if would {
		fmt.Fprintf(w, "%s would be gone for good\n", count(len(r.Goes), "record", "records"))
		a.affected(r.Goes, len(r.Goes))
	} else {
		fmt.Fprintf(w, "%s purged: %s\n", count(len(r.Purged), "record", "records"), shortRefs(r.Purged))
	}
	if len(r.Repeats) > 0 {
		fmt.Fprintf(w, "%s on that, and may repeat its words\n", count(len(r.Repeats), "record rests", "records rest"))
		a.affected(r.Repeats, len(r.Repeats))
	}
}
