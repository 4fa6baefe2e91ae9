package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) migrateCmd() *cobra.Command {
	c := cmd("migrate --infer-provenance", "Propose sources for memories without any", `Examples:
  stemma migrate --infer-provenance                       show proposals and their reasons
  stemma migrate --infer-provenance --apply note:5d11     keep the proposal for one memory
  stemma migrate --infer-provenance --apply --all

Only a person can apply proposals. stemma stores them as links next to the memory,
and 'stemma trace' marks them as inferred. The signed record, its evidence, tier
and taint do not change`)
	var in api.InferProvenanceRequest
	f := c.Flags()
	infer := f.Bool("infer-provenance", false, "propose sources by time and similarity")
	apply := f.Bool("apply", false, "keep the proposals for the named memories")
	f.BoolVar(&in.All, "all", false, "with --apply: keep all proposals")
	f.IntVar(&in.Limit, "limit", 0, "maximum number of proposals (default 50; -1 for all)")
	c.Args = cobra.ArbitraryArgs
	c.RunE = verb(a, (*engine.Engine).InferProvenance, func(args []string) (api.InferProvenanceRequest, error) {
		tight()
		switch {
		case !*infer:
			return in, fmt.Errorf("migrate: needs --infer-provenance; stemma updates the store itself when it opens it")
		case !*apply && (in.All || len(args) > 0):
			return in, fmt.Errorf("migrate: name memories or --all only with --apply")
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

func (a *app) showInferred(r api.InferProvenanceReply) error {
	w := a.env.Stdout
	last := ""
	for _, p := range r.Proposals {
		if p.Ref != last {
			fmt.Fprintf(w, "%s %s\n", shortRef(p.Ref), cited(p.Headline))
		}
		last = p.Ref
		fmt.Fprintf(w, "  from %s %s  score %.3f\n", shortRef(p.Source), cited(p.SourceHeadline), p.Score)
		fmt.Fprintf(w, "       %s\n", whole(p.Reason))
	}
	if r.More {
		a.hint("… %d proposals in total; --limit -1 shows all", r.Total)
	}
	switch {
	case r.Applied > 0:
		a.hint("%s kept; 'stemma trace' marks them as inferred; to remove one: stemma resolve LINK --dismiss",
			count(r.Applied, "link", "links"))
	case r.Total > 0:
		a.hint("nothing changed; a person can keep them with --apply REF… or --apply --all")
	default:
		a.hint("no proposals for %s without sources", count(r.Legacy, "memory", "memories"))
	}
	return nil
}
