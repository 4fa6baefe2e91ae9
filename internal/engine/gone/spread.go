package gone

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// sameWords is how many words a text has at least of which another with the same words is no chance.
const sameWords = 4

// spread picks what was found, and what holds the same words: the raws that it was made of, what was made of it
// alone, what repeats it, and what is said of it.
func (s *selection) spread(ctx context.Context) error {
	made := make(map[memory.ID][]*fact)
	same := make(map[uint64][]*fact)
	claims := make(map[memory.ID][]*fact)
	for _, f := range s.facts {
		for _, id := range f.from {
			made[id] = append(made[id], f)
		}
		for _, id := range f.of {
			claims[id] = append(claims[id], f)
		}
		if f.words >= sameWords {
			same[f.whole] = append(same[f.whole], f)
		}
	}
	var next []*fact
	pick := func(f *fact, why string) {
		id := f.ref.ID
		if s.picked[id] || s.keep[id] || f.bars != "" {
			return
		}
		s.picked[id] = true
		f.sure = addOnce(f.sure, why)
		next = append(next, f)
	}
	for _, f := range s.facts {
		switch {
		case len(f.sure) > 0:
			pick(f, f.sure[0])
		case len(f.maybe) > 0 && s.in.Unsure:
			pick(f, f.maybe[0])
		}
	}
	for {
		for len(next) > 0 {
			f := next[0]
			next = next[1:]
			s.around(f, made, same, claims, pick)
		}
		again, err := s.quoting(ctx, made)
		if err != nil {
			return err
		}
		for _, f := range again {
			pick(f, "made of it, and repeats its words")
		}
		if len(next) == 0 {
			return nil
		}
	}
}

// around picks what holds the words of a record that goes.
func (s *selection) around(
	f *fact, made map[memory.ID][]*fact, same map[uint64][]*fact, claims map[memory.ID][]*fact, pick func(*fact, string),
) {
	id := f.ref.ID
	for _, c := range claims[id] {
		pick(c, "said of it")
	}
	if f.words >= sameWords {
		for _, other := range same[f.whole] {
			if !other.speaker && !s.ofOthers(other) {
				pick(other, "the same words")
			}
		}
	}
	for _, from := range f.from {
		source := s.at[from]
		if source == nil || s.ofOthers(source) {
			continue
		}
		if source.ref.Kind == memory.KindRaw {
			pick(source, "it was made of this")
		} else if all(made[from], s.picked) {
			pick(source, "only it was made of this")
		}
	}
	for _, d := range made[id] {
		if !s.ofOthers(d) && all(s.sources(d), s.picked) {
			pick(d, "made of it alone")
		}
	}
}

// ofOthers reports whether a record says whom it is about, and it is not the person.
func (s *selection) ofOthers(f *fact) bool { return f.about && len(f.sure) == 0 }

func (s *selection) sources(f *fact) (out []*fact) {
	for _, id := range f.from {
		if one := s.at[id]; one != nil {
			out = append(out, one)
		}
	}
	return out
}

func all(fs []*fact, picked map[memory.ID]bool) bool {
	return !slices.ContainsFunc(fs, func(f *fact) bool { return !picked[f.ref.ID] })
}

// mostSpans bounds the spans of what goes by which what repeats it is found.
const mostSpans = 1 << 20

// quoting returns what was made of records that go, among others, and repeats six words in a row of them.
func (s *selection) quoting(ctx context.Context, made map[memory.ID][]*fact) ([]*fact, error) {
	var asked []*fact
	seen := make(map[memory.ID]bool)
	var from []memory.ID
	for id := range s.picked {
		for _, d := range made[id] {
			if !s.picked[d.ref.ID] && !s.keep[d.ref.ID] && d.bars == "" && !seen[d.ref.ID] {
				seen[d.ref.ID] = true
				asked, from = append(asked, d), append(from, id)
			}
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	m := probes.NewMaker(make([]byte, 8), mostSpans)
	if err := s.e.read(ctx, from, func(it *store.Item) { addBody(m, it.Record) }); err != nil {
		return nil, err
	}
	search := probes.NewSearch(m.Set(2 * mostSpans))
	var ids []memory.ID
	for _, f := range asked {
		ids = append(ids, f.ref.ID)
	}
	var out []*fact
	err := s.e.read(ctx, ids, func(it *store.Item) {
		words := saidBy(it.Record)
		if words.repeats(search) {
			out = append(out, s.at[it.Ref.ID])
		}
	})
	return out, err
}

// addBody makes probes of what a record says.
func addBody(m *probes.Maker, r *memory.Record) {
	for _, text := range saidBy(r).body {
		m.Add(text)
	}
}

// read hands over records, page by page.
func (e *Gone) read(ctx context.Context, ids []memory.ID, do func(it *store.Item)) error {
	for page := range slices.Chunk(ids, core.ExportPage) {
		items, err := e.Store.Get(ctx, page...)
		if err != nil {
			return core.Classify(err)
		}
		for _, it := range items {
			if it != nil && it.Record != nil {
				do(it)
			}
		}
	}
	return nil
}
