package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on the look for memories that say again what words say.
const (
	mostAgain      = 200 // words of one answer that are looked up; the others keep their marks
	likestAgain    = 40  // memories that have all the words, the likest first
	mostAgainBytes = 2000
)

// readSame reads the current memories that say what words say whose own memory is gone: words that hold again are
// not marked, whatever else the answer has. Most words have their memory, and nothing is read for them.
func (s *settling) readSame(rd *trust.Reading) error {
	var todo []*store.Item
	for _, raw := range s.raws {
		if s.gone(raw) && len(todo) < mostAgain {
			todo = append(todo, raw)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	spaces, err := s.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	kinds := slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool {
		return k == memory.KindRaw || k == memory.KindEpisode
	})
	var ids []memory.ID
	for _, raw := range todo {
		for _, text := range TextsOf(raw.Record) {
			terms := words.Query(shorten.To(text, mostAgainBytes))
			if len(terms) == 0 {
				continue
			}
			hits, err := s.e.Store.Match(rd, store.Match{
				Terms: terms, Least: len(terms), Spaces: spaces, Kinds: kinds, Limit: likestAgain,
			})
			if err != nil {
				return core.Classify(err)
			}
			for _, h := range hits {
				ids = append(ids, h.ID)
			}
		}
	}
	slices.SortFunc(ids, memory.ID.Compare)
	items, err := s.e.ItemsAt(rd, s.at, slices.Compact(ids)...)
	if err != nil {
		return err
	}
	for _, it := range items {
		has := func(g *store.Item) bool { return g.Ref == it.Ref }
		if it != nil && it.State.Live() && !slices.ContainsFunc(s.given, has) {
			s.given = append(s.given, it)
		}
	}
	return nil
}

// gone reports whether a memory was made of words that says the same, and none such is current.
func (s *settling) gone(raw *store.Item) bool {
	f := s.fates[raw.Ref.ID]
	if len(s.was[raw.Ref.ID]) == 0 ||
		f != nil && !slices.ContainsFunc(f.all, func(one fate) bool { return one.what != fateCurrent }) {
		return false
	}
	return len(s.takers(raw)) == 0 && s.drafted(raw)
}
