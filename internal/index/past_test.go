package index

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// What a hit says of the past of its record bounds it: it happened before the end of its week, and is known as imported
// where it is. A merge keeps it for each.
func TestHitsKnowThePast(t *testing.T) {
	times := []string{
		"1931-05-01T12:00:00Z", "1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "2026-11-25T16:00:00Z",
		"2048-06-01T00:00:00Z", "2190-01-01T00:00:00Z",
	}
	var entries []Entry
	for i, at := range times {
		r := &memory.Record{
			Header: memory.Header{Kind: memory.KindRaw, At: memory.At(mustTime(t, "2026-11-25T00:00:00Z"))},
			Body:   &memory.Raw{Text: "heron", OccurredAt: memory.At(mustTime(t, at))},
		}
		if i%2 == 0 {
			r.Header.Origin = memory.OriginImport
		}
		entries = append(entries, Describe(int64(i+1), 1, 0, r))
	}
	merged, err := Merge(Build(entries[:1]), Build(entries[1:4]), Build(nil), Build(entries[4:]))
	if err != nil {
		t.Fatal(err)
	}
	h, err := Open(merged[0])
	if err != nil {
		t.Fatal(err)
	}
	search := func(aged bool) []Hit {
		v := NewView(1, h)
		v.Aged = aged
		for _, term := range Wanted([]string{"heron"}, "") {
			if n := h.Block(term); n > 0 {
				if err := v.Put(term, merged[n]); err != nil {
					t.Fatal(err)
				}
			}
		}
		hits, err := Search([]*View{v}, all(0, "heron"))
		if err != nil || len(hits) != len(times) {
			t.Fatalf("%d hits, %v, want %d", len(hits), err, len(times))
		}
		return hits
	}
	for _, hit := range search(false) {
		at, p := mustTime(t, times[hit.Key-1]), hit.Past
		if !p.Known || p.Imported != (hit.Key%2 == 1) {
			t.Errorf("%v: %+v, want known and imported %v", at, p, hit.Key%2 == 1)
		}
		late := at.Year() > 2048
		if p.Before.IsZero() != late || !late && !at.Before(p.Before) {
			t.Errorf("%v: it happened before %v", at, p.Before)
		}
		if at.Year() >= 1970 && !late && p.Before.Sub(at) > 7*24*time.Hour {
			t.Errorf("%v: %v is more than a week later", at, p.Before)
		}
	}
	for _, hit := range search(true) {
		if hit.Past != (Past{}) {
			t.Errorf("a segment of an older version says %+v, want nothing", hit.Past)
		}
	}
}

// A version that takes what is past for a list like all others reads numbers from it, and merges it.
func TestPastIsReadAsAList(t *testing.T) {
	for no := int64(0); no <= lastWeek; no++ {
		for _, imported := range []bool{false, true} {
			p := pastOf(imported, no)
			if p[0] > 0x7f || p[1] > 0x7f {
				t.Fatalf("week %d is kept as %v", no, p)
			}
		}
	}
	a, b := &list{last: -1}, &list{last: -1}
	for range 300 {
		a.addPast(pastOf(true, 2900))
		b.addPast(pastOf(false, 2901))
	}
	if err := a.join(b, 300); err != nil {
		t.Errorf("merged as a list: %v", err)
	}
	if err := a.each(func(int, int) {}); err != nil {
		t.Errorf("read as a list: %v", err)
	}
}
