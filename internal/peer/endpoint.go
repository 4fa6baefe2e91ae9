package peer

import (
	"context"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/memory"
)

// Self identifies the caller to remotes that carry signed records: a folder keeps each store's
// records under its name.
type Self struct {
	Store string // the name of the store
	Key   string // did:key
	Sign  func(origin string) (note.Signer, error)
}

// An Endpoint is one peer behind an address: a hub is one, a folder is one for each
// store that writes to it.
type Endpoint struct {
	Remote
	Name         string // tells it from the others of the address; "" is the only one
	Gives, Takes bool   // what the caller may push, and pull
	Cosigns      bool   // it can say that it saw the own log grow
	Whole        bool   // it shows all of its logs: one that was shown before and is not any more is gone
}

// Clears is a Remote whose files the caller wrote itself: purged records are removed from them
// by their writer.
type Clears interface {
	// Clear removes the words of purged records of a space, and returns how many it removed.
	Clear(ctx context.Context, space string, purged PurgedOf) (int, error)
}

// PurgedOf returns those of some records whose words the store has purged.
type PurgedOf func(context.Context, []memory.ID) ([]memory.Ref, error)

// A Dialer opens the peers behind an address. The function that it returns closes them.
type Dialer func(ctx context.Context, address string, self Self) ([]Endpoint, func() error, error)

// Backoff returns how long to wait after a request failed so many times. Dice is
// between 0 and 1 and keeps many from coming back at once.
func Backoff(attempt int, dice float64) time.Duration {
	const first, most = 200 * time.Millisecond, time.Minute
	wait := most
	if attempt < 9 {
		wait = min(most, first<<max(0, attempt-1))
	}
	return wait/2 + time.Duration(dice*float64(wait)/2)
}
