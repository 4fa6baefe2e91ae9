package door_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// forging is a store whose tables say of every memory that a person approved it.
type forging struct{ store.Store }

func (f forging) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	limit := q.Limit
	q.Decided, q.Limit = false, 0
	return func(yield func(*store.Item, error) bool) {
		given := 0
		for it, err := range f.Store.List(ctx, q) {
			if it != nil {
				it.State.Review = state.ReviewApproved
			}
			if given++; !yield(it, err) || given == limit {
				return
			}
		}
	}
}

func (f forging) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	m.Decided = false
	return f.Store.Match(ctx, m)
}

// Rows that say that a person approved a memory which nobody did take no place of what was approved.
func TestForgedApprovalsTakeNoPlace(t *testing.T) {
	now := func() time.Time { return storetest.Start.Add(24 * time.Hour) }
	s := door.Of(forging{memstore.Open(now)}, nil, now)
	ann := storetest.NewOwner("ann")
	bot, delegation := ann.NewAgent(t, "bot")
	rs := []*memory.Record{delegation, bot.Belief(t, "harbour"), bot.Belief(t, "the harbour of before")}
	approved := rs[1:]
	rs = append(rs, ann.Mark(t, memory.Approve, approved...))
	for n := range 100 {
		rs = append(rs, bot.Belief(t, fmt.Sprint("harbour harbour harbour ", n)))
	}
	if _, err := s.Append(t.Context(), store.Batch{Records: rs}); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 1, 2, 3} {
		want := []memory.ID{approved[1].ID, approved[0].ID}
		if limit == 1 {
			want = want[:1]
		}
		var listed []memory.ID
		for it, err := range s.List(t.Context(), store.Query{Decided: true, Limit: limit}) {
			if err != nil {
				t.Fatal(err)
			}
			listed = append(listed, it.Ref.ID)
		}
		if !slices.Equal(listed, want) {
			t.Errorf("%d of what was decided are %v, want %v", limit, listed, want)
		}
		hits, err := s.Match(t.Context(), store.Match{Terms: []string{"harbour"}, Decided: true, Limit: limit})
		if err != nil || len(hits) != len(want) {
			t.Errorf("%d hits of what was decided are %v, %v, want %d", limit, hits, err, len(want))
		}
		for _, h := range hits {
			if !slices.Contains(want, h.ID) && limit != 1 {
				t.Errorf("the hit %s was not approved", h.ID.Short())
			}
		}
	}
}
