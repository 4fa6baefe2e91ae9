package store

import "context"

// A Trier lets one look at itself as it would be with a batch more. Nothing of the batch, nor of what else do writes,
// is kept.
type Trier interface {
	Try(ctx context.Context, b Batch, do func(context.Context, Store) error) error
}
