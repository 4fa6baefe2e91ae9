package both

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

var _ store.Trier = (*Store)(nil)

// Try runs do on both stores as they would be with a batch more.
func (s *Store) Try(ctx context.Context, b store.Batch, do func(context.Context, store.Store) error) error {
	first, is := s.Store.(store.Trier)
	second, too := s.second.(store.Trier)
	if !is || !too {
		return errors.New("one of the two stores cannot answer as it would be")
	}
	var of [2]store.Batch
	for _, r := range b.Records {
		theirs, err := s.ofSecond(ctx, store.Batch{Records: []*memory.Record{r}})
		if err != nil {
			return err
		}
		at := &of[0]
		if theirs {
			at = &of[1]
		}
		at.Records = append(at.Records, r)
	}
	return first.Try(ctx, of[0], func(ctx context.Context, one store.Store) error {
		return second.Try(ctx, of[1], func(ctx context.Context, two store.Store) error {
			return do(ctx, Of(one, two, s.names[0], s.names[1]))
		})
	})
}
