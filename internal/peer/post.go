package peer

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
)

// Letters are those that wait for somebody, without their bodies.
type Letters struct {
	Letters []store.Letter `json:"letters"`
}

// A Post carries letters between the accounts of a hub. Nothing in a letter is to be
// believed because of who carried it. What is sent twice is one.
type Post interface {
	Send(ctx context.Context, l store.Letter) error
	Letters(ctx context.Context) (Letters, error)
	// Letter returns one whole. It stays until it is dropped.
	Letter(ctx context.Context, id string) (store.Letter, error)
	Drop(ctx context.Context, id string) error
}

// A Searcher answers searches: in and out are the engine's request and reply.
type Searcher interface {
	Search(ctx context.Context, in, out any) error
}
