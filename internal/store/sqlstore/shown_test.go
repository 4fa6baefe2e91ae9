package sqlstore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// Once all that is hidden was read together, it is the same as what is looked up one by one, also after a write, and
// for what comes due.
func TestHiddenOnesTogetherAreThoseOneByOne(t *testing.T) {
	s := watching(t, tempSQLite(t))
	owner := storetest.NewOwner("owner")
	const n = 1200
	rs := make([]*memory.Record, n)
	for i := range rs {
		rs[i] = owner.Raw(t, fmt.Sprint("record ", i))
	}
	appendAll(t, s, rs)
	var hide []*memory.Record
	for i := range rs {
		if i%7 == 0 {
			hide = append(hide, rs[i])
		}
	}
	for part := range slices.Chunk(hide, 40) {
		appendAll(t, s, []*memory.Record{owner.Mark(t, memory.Forget, part...)})
	}
	refs := []memory.Ref{rs[1].Ref(), rs[2].Ref()}
	appendAll(t, s, []*memory.Record{owner.Make(t, &memory.Mark{
		Verb: memory.Reject, Of: &refs[0], Also: refs[1:],
	}, storetest.Dated(time.Now().Add(time.Hour)))})
	keys := make([]int64, n)
	for i := range keys {
		keys[i] = session.FirstKey(1) + int64(i) + 1
	}
	same := func(together bool) {
		t.Helper()
		want, _, err := s.askShown(t.Context(), keys)
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk(keys, 300) {
			got, err := s.shownOf(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range part {
				if got[i] != want[k] {
					t.Fatalf("record %d is shown: %v, want %v", k, got[i], want[k])
				}
			}
		}
		m := s.moment(t.Context())
		m.mu.Lock()
		defer m.mu.Unlock()
		if (m.hides != nil) != together {
			t.Errorf("read together: %v, want %v", m.hides != nil, together)
		}
	}
	same(true)
	same(true)
	appendAll(t, s, []*memory.Record{owner.Mark(t, memory.Forget, rs[3])})
	if got, err := s.shownOf(t.Context(), keys[:5]); err != nil || fmt.Sprint(got) != "[false true true false true]" {
		t.Errorf("after a write %v are shown: %v", got, err)
	}
	same(true)
}
