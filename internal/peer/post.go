package peer

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
)

// An Inbox is the messages that wait for an account, without their bodies.
type Inbox struct {
	Messages []store.Message `json:"letters"`
}

// A Post carries messages between the accounts of a hub. The hub vouches for nothing in a
// message. Sending a message twice stores it once.
type Post interface {
	Send(ctx context.Context, l store.Message) error
	Inbox(ctx context.Context) (Inbox, error)
	// Message returns one message with its body. It stays until it is dropped.
	Message(ctx context.Context, id string) (store.Message, error)
	Drop(ctx context.Context, id string) error
}

// A Searcher answers searches: in and out are the engine's request and reply.
type Searcher interface {
	Search(ctx context.Context, in, out any) error
}
