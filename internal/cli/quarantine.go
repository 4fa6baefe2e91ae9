package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) quarantineCmd() *cobra.Command {
	c := cmd("quarantine REF | author:KEY | source:NAME", "Hide a false source and what depends only on it", `Examples:
  stemma taint raw:3f9a                    preview: what falls, what stays
  stemma quarantine raw:3f9a --reason "the page was forged"
  stemma quarantine source:Alice --dry-run
  stemma release raw:3f9a                  release all of it`)
	return a.targetVerb(c, (*engine.Engine).Quarantine, a.showQuarantined)
}

func (a *app) releaseCmd() *cobra.Command {
	c := cmd("release REF | author:KEY | source:NAME", "Release records from quarantine", `Examples:
  stemma release raw:3f9a
  stemma release source:Alice`)
	return a.targetVerb(c, (*engine.Engine).Release, a.showReleased)
}

// doesTarget is what the engine does to a target.
type doesTarget = func(*engine.Engine, context.Context, api.QuarantineRequest) (api.QuarantineReply, error)

// targetVerb makes a verb of one that is done to a target.
func (a *app) targetVerb(c *cobra.Command, do doesTarget,
	show func(api.QuarantineReply, bool) error) *cobra.Command {
	var in api.QuarantineRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.RunE = verb(a, do, func(args []string) (api.QuarantineRequest, error) {
		var err error
		in.Target, err = oneRef(args)
		return in, err
	}, func(r api.QuarantineReply) error { return show(r, in.DryRun) })
	return c
}

func (a *app) showQuarantined(r api.QuarantineReply, dry bool) error {
	did := "quarantined"
	if dry {
		did = "would be quarantined"
	}
	fmt.Fprintf(a.env.Stdout, "%s %s\n", count(r.Count, "record", "records"), did)
	a.affected(r.Records, r.Count)
	if len(r.Survives) > 0 {
		fmt.Fprintln(a.env.Stdout, count(len(r.Survives), "record has other sources too, and stays",
			"records have other sources too, and stay"))
		a.affected(r.Survives, len(r.Survives))
	}
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	if !dry {
		a.hint("to undo: stemma release %s", shortTarget(r.Target))
	}
	return nil
}

func (a *app) showReleased(r api.QuarantineReply, dry bool) error {
	did := "back"
	if dry {
		did = "would be released"
	}
	fmt.Fprintf(a.env.Stdout, "%s %s\n", count(r.Count, "record", "records"), did)
	a.affected(r.Records, r.Count)
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	return nil
}

// affected lists records with the way to each, as many as are named of so many.
func (a *app) affected(list []api.Affected, of int) {
	w := a.env.Stdout
	for _, x := range list {
		kind, id, _ := strings.Cut(x.Ref, ":")
		fmt.Fprintf(w, "  %s %s\n", a.ref(kind, id), cited(x.Headline))
		if len(x.Path) > 0 {
			fmt.Fprintf(w, "    through %s\n", shortPath(x.Path))
		}
		if len(x.Grounds) > 0 {
			fmt.Fprintf(w, "    other sources: %s\n", shortRefs(x.Grounds))
		}
	}
	if n := of - len(list); n > 0 {
		fmt.Fprintf(w, "  … %d more\n", n)
	}
}
