package views

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// replacedSources names the direct sources of a memory that were replaced since, each with what is current in its
// place. What the memory itself replaced is not among them.
func (e *Views) replacedSources(rd *trust.Reading, it *store.Item) ([]api.TrustUpstream, error) {
	if it.Record == nil {
		return nil, nil
	}
	p := &it.Record.Header.Provenance
	from := slices.DeleteFunc(slices.Clone(p.From), func(r memory.Ref) bool { return slices.Contains(p.Supersedes, r) })
	sources, err := e.ItemsAt(rd, memory.Time{}, core.IDsOf(from)...)
	if err != nil {
		return nil, err
	}
	chains, err := e.Chains(rd, memory.Time{}, sources)
	if err != nil {
		return nil, err
	}
	var out []api.TrustUpstream
	for _, c := range chains {
		if len(c) < 2 || c.Has(it.Ref.ID) {
			continue
		}
		old := c.First()
		out = append(out, api.TrustUpstream{
			Ref: old.Ref.String(), Headline: old.Record.Headline(), Text: standing.Beyond(old.Record),
			Why: "replaced by " + c.Latest().Ref.Short(),
		})
	}
	return out, nil
}
