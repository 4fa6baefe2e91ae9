package standing

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/trust"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// equals makes memories of few sentences, by few people, of few times: most of them say what others say.
func equals(t *testing.T, r *rand.Rand, n, sentences int) []*store.Item {
	t.Helper()
	authors := []*storetest.Author{storetest.NewOwner("ada"), storetest.NewOwner("bo"), storetest.NewOwner("cy")}
	out := make([]*store.Item, n)
	for i := range out {
		by := authors[r.IntN(len(authors))]
		text := fmt.Sprintf("the harbour %d closes at nine", r.IntN(sentences))
		if r.IntN(2) == 0 {
			text += "."
		}
		valid := func(h *memory.Header) {
			if r.IntN(4) == 0 {
				h.ValidFrom = memory.At(storetest.Start.Add(time.Duration(r.IntN(2)) * time.Hour))
			}
		}
		var body memory.Body = &memory.Note{Type: []string{"decision", "observation"}[r.IntN(2)], Summary: text}
		if r.IntN(3) == 0 {
			body = &memory.Belief{Statement: text}
		}
		rec := by.Make(t, body, valid)
		out[i] = &store.Item{Ref: rec.Ref(), Record: rec, State: state.Initial(rec)}
		switch r.IntN(8) {
		case 0:
			out[i].State.Review = state.ReviewApproved
		case 1:
			out[i].State.Forgotten = true
		}
	}
	return out
}

func newSettling(items []*store.Item, r *rand.Rand) *settling {
	s := &settling{who: state.NewKeyring(), out: make(map[memory.ID]*Settled), section: make(map[memory.ID]int)}
	for _, it := range items {
		s.section[it.Ref.ID] = r.IntN(2)
	}
	return s
}

// What memories have in common is the same exactly where SameMemory says that they say the same.
func TestSamenessIsSameMemory(t *testing.T) {
	items := equals(t, rand.New(rand.NewPCG(1, 1)), 120, 3)
	same := 0
	for _, a := range items {
		for _, b := range items {
			x, okA := SamenessOf(a)
			y, okB := SamenessOf(b)
			want := SameMemory(a, b)
			if got := okA && okB && x == y; got != want {
				t.Fatalf("%s and %s: %v, want %v", a.Ref, b.Ref, got, want)
			}
			if want && a != b {
				same++
			}
		}
	}
	if same == 0 {
		t.Error("no two say the same")
	}
}

// Memories that say the same have the one line that they have where each is compared with each.
func TestOneLineOfEqualMemories(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		items := equals(t, r, 40, 3)
		s := newSettling(items, r)
		want := make(map[memory.ID]memory.ID)
		better := func(a, b *store.Item) bool {
			if x, y := s.section[a.Ref.ID], s.section[b.Ref.ID]; x != y {
				return x > y
			}
			return s.weight(a) > s.weight(b)
		}
		for i, it := range items {
			for _, best := range items[:i] {
				_, into := want[best.Ref.ID]
				if into || !best.State.Live() || !it.State.Live() || !SameMemory(best, it) ||
					!s.samePrincipal(best.Record, it.Record) {
					continue
				}
				if better(it, best) {
					best, it = it, best
				}
				want[it.Ref.ID] = best.Ref.ID
				break
			}
		}
		s.oneLine(items)
		for _, it := range items {
			var got memory.ID
			if d := s.out[it.Ref.ID]; d != nil && d.Into != nil {
				got = d.Into.Ref.ID
			}
			if got != want[it.Ref.ID] {
				t.Fatalf("seed %d: %s has its line in %s, want %s", seed, it.Ref, got, want[it.Ref.ID])
			}
		}
	}
}

// So many memories of one sentence cost what so many others cost: what compares each with each takes minutes.
func TestManyEqualMemories(t *testing.T) {
	const many = 10_000
	r := rand.New(rand.NewPCG(1, 3))
	author := storetest.NewOwner("ada")
	var raws, items []*store.Item
	for range many {
		rec := author.Make(t, &memory.Note{Type: "decision", Summary: "the harbour closes at nine"})
		items = append(items, &store.Item{Ref: rec.Ref(), Record: rec, State: state.Initial(rec)})
		raw := author.Raw(t, "the harbour closes at nine")
		raws = append(raws, &store.Item{Ref: raw.Ref(), Record: raw, State: state.Initial(raw)})
	}
	s := newSettling(items, r)
	s.raws, s.given, s.was = raws, items, make(map[memory.ID][]Made)
	for _, raw := range raws {
		s.was[raw.Ref.ID] = []Made{{}} // a mark says that something was made of it
		s.of(raw.Ref.ID).Below = items[0]
	}
	ranked := 0
	err := s.rankSections(nil, items, func(_ *trust.Reading, all []*store.Item) (map[memory.ID]int, error) {
		ranked = len(all)
		return s.section, nil
	})
	if err != nil || ranked != 2*many {
		t.Errorf("%d of %d are ranked, %v", ranked, 2*many, err)
	}
	s.oneLine(items)
	s.oneBelow()
	lines, below := 0, 0
	for i := range many {
		if d := s.out[items[i].Ref.ID]; d == nil || d.Into == nil {
			lines++
		}
		if s.out[raws[i].Ref.ID].Into == nil {
			below++
		}
	}
	if lines != 1 || below != 1 {
		t.Errorf("%d lines of memories and %d of words, want one of each", lines, below)
	}
	f := &Found{Item: items[0]}
	for _, raw := range raws {
		f.TakeLine(&Found{Item: raw})
	}
	if len(f.Wording) != many {
		t.Errorf("it took the lines of %d", len(f.Wording))
	}
}
