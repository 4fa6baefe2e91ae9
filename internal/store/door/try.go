package door

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/store"
)

var _ store.Trier = (*Store)(nil)

// ErrNoTrial is returned for a store that cannot be looked at as it would be.
var ErrNoTrial = errors.New("this store cannot answer as it would be")

// Try runs do on the store as it would be with a batch more, behind a door of its own: it remembers nothing, and takes
// the records of the batch as verified. Where nothing may be lifted, nothing is there.
func (d *Store) Try(ctx context.Context, b store.Batch, do func(context.Context, store.Store) error) error {
	inner, is := d.Store.(store.Trier)
	if !is {
		return ErrNoTrial
	}
	why, err := d.WhyUntrusted(ctx)
	if err != nil {
		return err
	}
	return inner.Try(ctx, b, func(ctx context.Context, s store.Store) error {
		t := Of(s, nil, d.now)
		t.untrusted, t.of = why, d
		for _, r := range b.Records {
			t.learn(r.ID, true)
		}
		return do(ctx, t)
	})
}
