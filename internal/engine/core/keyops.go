package core

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// withOwn gives the standing with the records about one's own keys that this store
// has not seen yet.
func (e *Core) WithOwn(ctx context.Context, me *Self) (*memory.Keyring, error) {
	ring, err := e.Standing(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range me.Born {
		ring.Add(r)
	}
	return ring, nil
}

// keyOptions says where private halves are.
func (e *Core) KeyOptions() keys.Options {
	return keys.Options{Unlock: e.C.Unlock, AgentSocket: e.C.AgentSocket}
}

// sortedKey gives an error of the keys its kind.
func SortedKey(err error) error {
	switch {
	case err == nil || HasKind(err):
		return err
	case errors.Is(err, keys.ErrLocked), errors.Is(err, keys.ErrPassphrase), errors.Is(err, keys.ErrAgent):
		return &Failure{Kind: api.ErrForbidden, Text: OneLine(err)}
	case errors.Is(err, keys.ErrOvertaken):
		return Conflict("another process changed the keys meanwhile: nothing was changed here; do it again")
	}
	return &Failure{Kind: api.ErrUnavailable, Text: "keys: " + OneLine(err)}
}
