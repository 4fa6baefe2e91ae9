package index

import (
	"errors"
	"math"
	"testing"
)

// seeds are parts of sound segments, to be spoiled.
func seeds(f *testing.F, add func(head, block []byte)) {
	f.Helper()
	for _, entries := range [][]Entry{
		nil,
		{entry(1, "river")},
		numbered(40, func(i int) string { return vocabulary[i%12] + " everywhere" }),
	} {
		parts := append(Build(entries), nil)
		add(parts[0], parts[1])
	}
	// numbers that are negative when they are taken for whole ones
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}
	term := func(common, n, last []byte) []byte {
		b := append([]byte{}, common...)
		b = append(append(b, 1, 'a'), n...)
		return append(append(b, last...), 2, 0, 0)
	}
	head := Build([]Entry{entry(1, "a"), entry(2, "a")})[0]
	add(head, term(huge, []byte{1}, []byte{0}))
	add(head, term([]byte{0}, huge, []byte{0}))
	add(head, term([]byte{0}, []byte{1}, huge))
	add(huge, nil)
}

// FuzzOpen reads any bytes as a head: they are damaged or can be used.
func FuzzOpen(f *testing.F) {
	seeds(f, func(head, _ []byte) { f.Add(head) })
	f.Fuzz(func(t *testing.T, head []byte) {
		h, err := Open(head)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("Open: %v, want it damaged", err)
			}
			return
		}
		for _, term := range []string{"", "a", "river", "\xff"} {
			if n := h.Block(term); n < 0 || n > len(h.first) {
				t.Errorf("Block(%q) = %d of %d", term, n, len(h.first))
			}
		}
		again, err := Open(h.encode())
		if err != nil || again.Entries() != h.Entries() || again.Total != h.Total {
			t.Errorf("written and read again: %v, %v", again, err)
		}
	})
}

// FuzzTerms reads any bytes as a block.
func FuzzTerms(f *testing.F) {
	seeds(f, func(_, block []byte) { f.Add(block, "a") })
	f.Fuzz(func(t *testing.T, block []byte, term string) {
		err := terms(block, func(term string, l *list) bool {
			if err := l.each(func(entry, weight int) {
				if entry < 0 || weight < 0 {
					t.Errorf("%q stands in %d with weight %d", term, entry, weight)
				}
			}); err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("each: %v, want it damaged", err)
			}
			return true
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("terms: %v, want them damaged", err)
		}
		if l, err := find(block, term); l != nil && err != nil {
			t.Errorf("find gives a list and %v", err)
		}
	})
}

// FuzzSearch searches a segment of any bytes, before one that is sound: what is
// found is among the entries, with a score that is a number.
func FuzzSearch(f *testing.F) {
	seeds(f, func(head, block []byte) { f.Add(head, block) })
	f.Fuzz(func(t *testing.T, head, block []byte) {
		h, err := Open(head)
		if err != nil {
			return
		}
		asked := []string{"a", "river", "everywhere"}
		v := NewView(1, h)
		for _, term := range Wanted(asked, "") {
			if err := v.Put(term, block); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("Put: %v", err)
			}
			if _, err := v.Having([][]string{{term, "a"}, {"river"}}); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("Having: %v", err)
			}
		}
		sound, err := Of(1, numbered(5, func(int) string { return "a river" }), Wanted(asked, ""))
		if err != nil {
			t.Fatal(err)
		}
		hits, err := Search([]*View{v, sound}, all(0, asked...))
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("Search: %v", err)
		}
		if len(hits) > h.Entries()+5 {
			t.Errorf("%d hits of %d entries", len(hits), h.Entries()+5)
		}
		for _, hit := range hits {
			if math.IsNaN(hit.Score) || math.IsInf(hit.Score, 0) {
				t.Errorf("score %v", hit.Score)
			}
		}
	})
}

// FuzzMerge merges a segment of any bytes with a sound one.
func FuzzMerge(f *testing.F) {
	seeds(f, func(head, block []byte) { f.Add(head, block) })
	f.Fuzz(func(t *testing.T, head, block []byte) {
		sound := Build([]Entry{entry(1<<40, "a river"), entry(1<<41, "everywhere")})
		parts, err := Merge([][]byte{head, block}, sound)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("Merge: %v, want it damaged", err)
			}
			return
		}
		if _, err := Open(parts[0]); err != nil {
			t.Errorf("merged without an error, and then: %v", err)
		}
	})
}
