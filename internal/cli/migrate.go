package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) migrateCmd() *cobra.Command {
	c := cmd("migrate --infer-provenance", "Propose where memories without sources come from", `Examples:
  stemma migrate --infer-provenance                       what is proposed, and why
  stemma migrate --infer-provenance --apply note:5d11     keep what is proposed for it
  stemma migrate --infer-provenance --apply --all

Nothing is applied unless a person says so, and then as a link beside the memory,
which 'stemma trace' shows as inferred: what was signed never changes, and neither
do evidence, tier and taint`)
	var in stemma.InferProvenanceRequest
	f := c.Flags()
	infer := f.Bool("infer-provenance", false, "by time and likeness")
	apply := f.Bool("apply", false, "keep what is proposed for the memories named")
	f.BoolVar(&in.All, "all", false, "with --apply: for all")
	f.IntVar(&in.Limit, "limit", 0, "how many proposals are shown (default 50; -1 is all)")
	c.Args = cobra.ArbitraryArgs
	c.RunE = verb(a, (*stemma.Engine).InferProvenance, func(args []string) (stemma.InferProvenanceRequest, error) {
		switch {
		case !*infer:
			return in, fmt.Errorf("migrate: say what with --infer-provenance; a store itself is brought up to date when it is opened")
		case !*apply && (in.All || len(args) > 0):
			return in, fmt.Errorf("migrate: only --apply takes memories or --all")
		case *apply && !in.All:
			refs, err := manyRefs(args, "")
			in.Apply = refs
			return in, err
		case *apply && len(args) > 0:
			return in, fmt.Errorf("migrate: name memories or --all, not both")
		}
		return in, nil
	}, a.showInferred)
	return c
}

func (a *app) showInferred(r stemma.InferProvenanceReply) error {
	w := a.env.Stdout
	last := ""
	for _, p := range r.Proposals {
		if p.Ref != last {
			fmt.Fprintf(w, "%s %s\n", shortRef(p.Ref), quoted(p.Headline, a.width()-30))
		}
		last = p.Ref
		fmt.Fprintf(w, "  from %s %s  score %.3f\n", shortRef(p.Source), quoted(p.SourceHeadline, a.width()-50), p.Score)
		fmt.Fprintf(w, "       %s\n", line(p.Reason, a.width()-8))
	}
	if r.More {
		a.hint("… %d proposals in all; --limit -1 shows them", r.Total)
	}
	switch {
	case r.Applied > 0:
		a.hint("%s kept; 'stemma trace' shows them as inferred, 'stemma resolve LINK --dismiss' takes one back", count(r.Applied, "link", "links"))
	case r.Total > 0:
		a.hint("nothing was changed: a person keeps them with --apply REF… or --apply --all")
	default:
		a.hint("nothing is proposed for %s without sources", count(r.Legacy, "memory", "memories"))
	}
	return nil
}
