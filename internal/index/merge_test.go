package index

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stemma-memory/stemma/memory"
)

// Segments that follow one another, merged, are the segment of all of them byte
// for byte, however they are parted.
func TestMergeIsTheSegmentOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := anyEntries(60).Draw(t, "all")
		want := Build(all)
		var segments [][][]byte
		for rest := all; ; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "part")
			segments = append(segments, Build(rest[:n]))
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
			if len(segments) == 5 {
				segments = append(segments, Build(rest))
				break
			}
		}
		got, err := Merge(segments...)
		if err != nil {
			t.Fatalf("Merge: %v", err)
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf(
				"Merge of %d segments gives %d parts unlike those of one segment of %d entries", len(segments),
				len(got), len(all),
			)
		}
	})
}

// A segment of many terms and long lists has many blocks, and is merged like any.
func TestMergeOfManyBlocks(t *testing.T) {
	entries := numbered(6000, func(i int) string { return fmt.Sprintf("everywhere often%d rare%d", i%7, i) })
	want := Build(entries)
	if len(want) < 10 {
		t.Fatalf("%d parts, want many", len(want))
	}
	got, err := Merge(Build(entries[:1]), Build(entries[1:4000]), Build(nil), Build(entries[4000:]))
	if err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("merged: %d parts, %v, want the %d of one segment", len(got), err, len(want))
	}
}

// What was built is read back: every entry's columns from the head, every term
// from the one block where it would be.
func TestOpenGivesWhatWasBuilt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := anyEntries(40).Draw(t, "entries")
		parts := Build(entries)
		h, err := Open(parts[0])
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		if got := h.Entries(); got != len(entries) {
			t.Fatalf("%d entries, want %d", got, len(entries))
		}
		wanted := make(map[string]map[int]int)
		for i, e := range entries {
			session := uint64(0)
			if no := h.session[i]; no > 0 {
				session = h.Sessions[no-1]
			}
			got := Entry{Key: h.Keys[i], Kind: int(h.Kinds[i]), Session: session, Asks: h.asks[i], Length: int(h.Lengths[i])}
			if got.Key != e.Key || got.Kind != e.Kind || got.Session != e.Session || got.Asks != e.Asks ||
				got.Length != e.Length {
				t.Fatalf("entry %d is read as %+v, want %+v", i, got, e)
			}
			for _, term := range e.Terms {
				if wanted[term.Text] == nil {
					wanted[term.Text] = make(map[int]int)
				}
				wanted[term.Text][i] = term.Weight
			}
		}
		for _, term := range append(slices.Clone(vocabulary), "", "aa", "zzz") {
			got := make(map[int]int)
			if n := h.Block(term); n > 0 {
				l, err := find(parts[n], term)
				if err != nil {
					t.Fatalf("find %q: %v", term, err)
				}
				if l != nil {
					if err := l.each(func(entry, weight int) { got[entry] = weight }); err != nil {
						t.Fatalf("each of %q: %v", term, err)
					}
				}
			}
			if want := wanted[term]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q stands in %v, want %v", term, got, want)
			}
		}
	})
}

// A segment that is cut off anywhere is damaged, and says so.
func TestCutSegmentsAreDamaged(t *testing.T) {
	parts := Build(numbered(20, func(i int) string { return fmt.Sprintf("everywhere rare%d", i) }))
	for n := range parts[0] {
		if _, err := Open(parts[0][:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("a head cut at %d of %d: %v, want damaged", n, len(parts[0]), err)
		}
	}
	if _, err := Open(append(slices.Clone(parts[0]), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a head with a byte too many: %v, want damaged", err)
	}
	all := func(string, *list) bool { return true }
	ends := make(map[int]bool) // where a term ends, a block could
	d := decoder{b: parts[1]}
	for len(d.b) > 0 {
		ends[len(parts[1])-len(d.b)] = true
		d.uvarint()
		d.take(d.count(1))
		d.uvarint()
		d.uvarint()
		d.take(d.count(1))
	}
	for n := range parts[1] {
		if err := terms(parts[1][:n], all); !ends[n] && !errors.Is(err, ErrDamaged) {
			t.Errorf("a block cut at %d of %d: %v, want damaged", n, len(parts[1]), err)
		}
	}
	if _, err := Merge(parts, [][]byte{parts[0], parts[1][:len(parts[1])-1]}); !errors.Is(err, ErrDamaged) {
		t.Errorf("merged with a block that is cut: %v, want damaged", err)
	}
}

// A segment of the version before becomes what this version makes of the same records.
func TestRenew(t *testing.T) {
	texts := []string{
		"the bridge was painted in March", "seven arches", "in 2019 and before", "nothing of the kind", "yesterday, twice",
		strings.Repeat("three weeks ago ", 9),
	}
	for range 4 {
		texts = append(texts, texts...)
	}
	var now, before []Entry
	newly := new(Newly)
	for i, text := range texts {
		r := &memory.Record{Header: memory.Header{Kind: memory.KindRaw, Tags: []string{"x"}}, Body: &memory.Raw{
			Text: text, OccurredAt: memory.At(time.Date(2024, time.May, 3+8*i, 0, 0, 0, 0, time.UTC)),
		}}
		if i%2 == 0 {
			r.Header.Origin = memory.OriginImport
		}
		if r.Header.Confidence = 1000; i%3 == 0 {
			r.Header.About, r.Header.Confidence = []string{"Bea"}, 300
		}
		newly.Add(int64(i+1), r)
		e := Describe(int64(i+1), 1, uint64(i/5), r)
		now = append(now, e)
		e.Terms = slices.DeleteFunc(slices.Clone(e.Terms), func(t Term) bool {
			return strings.HasPrefix(t.Text, "=") && t.Text != TagMark("x")
		})
		before = append(before, e)
	}
	old := withoutPast(t, Build(before))
	got, err := Renew(old, newly)
	if want := Build(now); err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("it is not what is made of the records: %v", err)
	}
	if reflect.DeepEqual(old, Build(now)) {
		t.Error("the two versions do not differ: this test shows nothing")
	}
	if again, err := Renew(got, newly); err != nil || !slices.EqualFunc(again, got, bytes.Equal) {
		t.Errorf("renewed again it is another: %v", err)
	}
}

// A segment of the version before gets the words of labels, also those that its words have.
func TestRenewAddsLabels(t *testing.T) {
	var now, before []Entry
	newly := new(Newly)
	for i, trigger := range []string{"", "seen at the harbour", "arches, counted twice"} {
		r := &memory.Record{
			Header: memory.Header{Kind: memory.KindNote, Confidence: 1000, Trigger: trigger, Tags: []string{"stone", "seven"}},
			Body:   &memory.Note{Type: "decision", Summary: "seven arches"},
		}
		newly.Add(int64(i+1), r)
		now = append(now, Describe(int64(i+1), 1, 0, r))
		r.Header.Trigger = ""
		e := Describe(int64(i+1), 1, 0, r)
		for k := range e.Terms {
			if e.Terms[k].Text == "seven" {
				e.Terms[k].Weight = wordWeight
			}
		}
		e.Terms = slices.DeleteFunc(e.Terms, func(t Term) bool { return t.Text == "stone" })
		before = append(before, e)
	}
	old := Build(before)
	got, err := Renew(old, newly)
	if want := Build(now); err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("it is not what is made of the records: %v", err)
	}
	if slices.EqualFunc(old, got, bytes.Equal) {
		t.Error("the two versions do not differ: this test shows nothing")
	}
}

// withoutPast returns a segment as version 3 made it.
func withoutPast(t *testing.T, parts [][]byte) [][]byte {
	t.Helper()
	b, lists, err := gather([][][]byte{parts})
	if err != nil || lists[pastMark] == nil {
		t.Fatalf("a segment without what is past: %v", err)
	}
	delete(lists, pastMark)
	return b.of(lists)
}
