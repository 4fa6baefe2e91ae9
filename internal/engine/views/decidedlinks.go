package views

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/memory"
)

// DecidedLinks adds to links who decided about them, and why: about the link itself, and where people decided in two
// ways, about its ends.
func (e *Views) DecidedLinks(rd *trust.Reading, links []api.LinkView) error {
	for i := range links {
		l := &links[i]
		refs := []string{l.Ref}
		switch {
		case l.State == standing.LinkOpen && l.Reason == standing.DecidedTwice:
			refs = append(refs, l.Old.Ref, l.New.Ref)
		case l.State == standing.LinkOpen || l.State == standing.LinkProposed:
			continue
		}
		for _, text := range refs {
			ref, err := memory.ParseRef(text)
			if err != nil {
				return err
			}
			items, err := rd.Get(ref.ID)
			if err != nil {
				return core.Classify(err)
			}
			if items[0] == nil {
				continue
			}
			some, err := e.Decided(rd, items[0])
			if err != nil {
				return err
			}
			for _, d := range some {
				if !slices.ContainsFunc(l.Decisions, func(o api.Decision) bool { return o.Ref == d.Ref }) {
					l.Decisions = append(l.Decisions, d)
				}
			}
		}
	}
	return nil
}
