package sqlstore

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// A search over several spaces forgets of none what it knows of its segments.
func TestHeadsOfOneSpaceOutlastAnother(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	owner := storetest.NewOwner("owner")
	const batches, each = 23, 65 // seven segments of one batch, two of eight
	for range batches {
		var rs []*memory.Record
		for range each {
			rs = append(rs, owner.Raw(t, "the pier is closed"))
		}
		if _, err := s.Append(t.Context(), store.Batch{Records: rs}); err != nil {
			t.Fatal(err)
		}
	}
	spaces, err := s.Spaces(t.Context())
	if err != nil || len(spaces) != 1 {
		t.Fatal(spaces, err)
	}
	other := owner.Raw(t, "the pier is open", func(h *memory.Header) { h.Space += "-other" })
	if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{other}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Match(t.Context(), store.Match{Terms: []string{"pier"}, Limit: 5}); err != nil {
		t.Fatal(err)
	}
	all, err := segmentsOf(t.Context(), s.read, 1)
	if err != nil || len(all) <= mergeOf {
		t.Fatal(len(all), err)
	}
	if n := len(s.heads.known[1]); n != len(all) {
		t.Errorf("%d heads of %d segments are known after a search over two spaces", n, len(all))
	}
}
