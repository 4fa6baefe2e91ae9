package audit

import (
	"reflect"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Facts come out as they went in, whatever they share, and past the first chunk.
func TestHeld(t *testing.T) {
	h := newHeld()
	make := func(i int) *fact {
		f := &fact{
			line: i, ref: memory.Ref{Kind: "raw", ID: memory.ID{byte(i), byte(i >> 8), 1}}, space: "did:key:z6Mk/main",
			seq: int64(i + 1), author: []string{"ada", "bob"}[i%2], agent: "codex", origin: memory.OriginAgent,
			delegation: memory.ID{byte(i % 3)},
		}
		if i%5 != 0 {
			f.at, f.arrived = time.UnixMilli(int64(i)).UTC(), time.UnixMilli(int64(2*i)).UTC()
		}
		if i%7 == 0 {
			f.cites = []memory.Ref{{Kind: "note", ID: memory.ID{7}}}
		}
		return f
	}
	const n = 2*chunkFacts + 10
	for i := range n {
		f := make(i)
		h.put(f.ref.ID, seen{kind: f.ref.Kind, line: i, fact: h.facts()})
		h.add(f)
	}
	gone := seen{kind: "belief", line: 3, fact: noFact, purged: true}
	h.put(memory.ID{0xff, 0xff}, gone)
	for i := range n {
		want := make(i)
		if got := h.fact(i); !reflect.DeepEqual(got, want) {
			t.Fatalf("fact %d is %+v, want %+v", i, got, want)
		}
		if s, is := h.find(want.ref.ID); !is || s != (seen{kind: "raw", line: i, fact: i}) {
			t.Fatalf("under the id of fact %d stands %+v", i, s)
		}
	}
	if s, is := h.find(memory.ID{0xff, 0xff}); !is || s != gone {
		t.Errorf("what was purged is %+v", s)
	}
	if _, is := h.find(memory.ID{0xee, 0xee}); is {
		t.Error("an id is there that was never put")
	}
	if len(h.shared) != 6 {
		t.Errorf("%d are shared, want 6", len(h.shared))
	}
}

// Numbers come out of a column as they went in, however far apart they are.
func TestColumn(t *testing.T) {
	for _, numbers := range [][]int64{
		{7}, {5, 5, 5}, {1, 2, 3, 4}, {3, 2, 1}, {0, 255}, {-1, 255}, {0, 1 << 16}, {1 << 33, 0, -1 << 33}, {noTime, 1 << 61},
	} {
		c := columnOf(numbers)
		for i, want := range numbers {
			if got := c.get(i); got != want {
				t.Errorf("number %d of %v is %d", i, numbers, got)
			}
		}
	}
	if c := columnOf([]int64{11, 12, 13}); len(c.raw) > 0 {
		t.Errorf("%d bytes of numbers that follow each other", len(c.raw))
	}
}

// A log has its places whatever stands in them: facts, others, and one of them twice.
func TestPlaces(t *testing.T) {
	want := []int32{0, 1, 2, ^0, 3, 4, 3, ^1, ^2, 5}
	var p places
	for _, no := range want {
		p.add(no)
	}
	for i, no := range want {
		if got := p.at(int64(i)); got != no {
			t.Errorf("at place %d stands %d, want %d", i, got, no)
		}
	}
}
