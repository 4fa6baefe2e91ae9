package sqlstore

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// What says that the same was said again changes no state and is read once; what else is said of the memory counts,
// before and after it, and so does such a mark that is dated ahead.
func TestWhatWasSaidAgainIsReadOnce(t *testing.T) {
	now := storetest.Start.Add(24 * time.Hour)
	s := open(t, tempSQLite(t), Options{Now: func() time.Time { return now }})
	owner := storetest.NewOwner("owner")
	note := owner.Belief(t, "the pier is closed")
	add := func(rs ...*memory.Record) {
		t.Helper()
		if _, err := s.Append(t.Context(), store.Batch{Records: rs}); err != nil {
			t.Fatal(err)
		}
	}
	again := func(change ...func(*memory.Header)) *memory.Record {
		raw, of := owner.Raw(t, "the pier is closed"), note.Ref()
		add(raw)
		return owner.Make(t, &memory.Mark{Verb: memory.Said, Of: &of, Value: raw.Ref().String()}, change...)
	}
	look := func() *store.Item {
		t.Helper()
		items, err := s.Get(t.Context(), note.ID)
		if err != nil {
			t.Fatal(err)
		}
		return items[0]
	}
	add(note, owner.Mark(t, memory.Protect, note))
	const times = 20
	for range times {
		add(again())
	}
	add(owner.Mark(t, memory.Approve, note))
	if st := look().State; !st.Protected || st.Review == "" {
		t.Errorf("its state is %+v", st)
	}
	if n := len(s.mute.ids); n != times {
		t.Errorf("%d of %d are known to say nothing of a state", n, times)
	}
	add(owner.Mark(t, memory.Forget, note))
	if !look().State.Forgotten {
		t.Error("what was said of it last does not count")
	}
	add(again(func(h *memory.Header) { h.At = memory.At(now.Add(time.Hour)) }))
	if look().State.Due.IsZero() {
		t.Error("nothing comes due")
	}
	for err := range s.Check(t.Context()) {
		t.Error(err)
	}
}
