package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) showCmd() *cobra.Command {
	c := cmd("show REF", "Show one record in full", `Examples:
  stemma show belief:a04e
  stemma show belief:a04e --trace`)
	a.showRun(c, "")
	return c
}

func (a *app) kindShow(k memory.Kind) *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show one; --trace shows its sources",
		Example: "  stemma " + string(k) + " show 3f9a --trace"}
	a.showRun(c, k)
	return c
}

func (a *app) showRun(c *cobra.Command, kind memory.Kind) {
	trace := c.Flags().Bool("trace", false, "also show its sources")
	depth := c.Flags().Int("depth", 0, "with --trace: number of levels; 0 for all")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		ref, err := oneRef(args)
		if err != nil {
			return err
		}
		if kind != "" {
			if ref, err = a.refOf(cmd.Context(), kind, ref); err != nil {
				return ran{err}
			}
		}
		var levels *int
		if cmd.Flags().Changed("depth") {
			if !*trace {
				return fmt.Errorf("--depth: needs --trace")
			}
			levels = depth
		}
		show := func([]string) (api.RefRequest, error) { return api.RefRequest{Ref: ref}, nil }
		switch {
		case *trace && a.flags.json:
			return verb(a, (*engine.Engine).Trace, func([]string) (api.TraceRequest, error) {
				return api.TraceRequest{Ref: ref, Direction: "backward", Depth: levels}, nil
			}, nil)(cmd, args)
		case *trace:
			return verb(a, (*engine.Engine).Show, show,
				func(m api.ShowReply) error { return a.showTraced(cmd, m, *depth) })(cmd, args)
		}
		return verb(a, (*engine.Engine).Show, show, a.showOne)(cmd, args)
	}
}

// showOne prints a record and what hangs on it.
func (a *app) showOne(m api.ShowReply) error {
	if m.Hidden == "purged" {
		return a.showGone(m)
	}
	if m.Type == string(memory.KindRaw) {
		return a.showRaw(m)
	}
	a.head(m)
	w := a.env.Stdout
	fmt.Fprintf(w, "Source: %s (%s)%s\n", m.SourceType, a.saidOn(&m.Memory), a.channel(m))
	if m.Trigger != "" {
		fmt.Fprintf(w, "Because: %s\n", whole(m.Trigger))
	}
	if len(m.DerivedFrom) > 0 {
		fmt.Fprintf(w, "Derived from: %s\n", shortRefs(m.DerivedFrom))
	}
	if len(m.DerivedInto) > 0 {
		fmt.Fprintf(w, "Derived into: %s\n", shortRefs(m.DerivedInto))
	}
	a.codeAndTier(m)
	a.showTrustLine(m)
	for _, l := range brief.DecidedLinks(m.Links) {
		fmt.Fprintf(w, "Link: %s\n", a.linkLine(l))
	}
	decided := make(map[string]api.Decision)
	for _, d := range m.Decisions {
		decided[d.Ref] = d
	}
	for _, c := range m.Claims {
		if c.Type == string(memory.KindLink) {
			continue
		}
		by := ""
		if d, is := decided[c.Ref]; is {
			by = ", by " + whose(d) + standing(d) + because(d)
		}
		fmt.Fprintf(w, "Claim: %s (%s, %s)%s\n", whole(c.Headline), shortRef(c.Ref), day(c.At), by)
	}
	fmt.Fprintf(w, "Ref: %s\n", m.Ref)
	return nil
}
