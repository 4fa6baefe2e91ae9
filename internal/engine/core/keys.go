package core

import (
	"context"
	"errors"
	"io/fs"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// WithOwn returns the keyring with the person's own key records that this store has not seen
// yet.
func (e *Core) WithOwn(ctx context.Context, me *Self) (*state.Keyring, error) {
	ring, err := e.Store.Keyring(ctx) // its own, which the keys are added to
	if err != nil {
		return nil, err
	}
	for _, r := range me.KeyRecords {
		ring.Add(r)
	}
	return ring, nil
}

// KeyOptions says where private halves are.
func (e *Core) KeyOptions() keys.Options {
	return keys.Options{Unlock: e.C.Unlock, AgentSocket: e.C.AgentSocket}
}

// OwnerLocked reports whether the owner's key has a passphrase.
func (e *Core) OwnerLocked() (bool, error) {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, ClassifyKey(err)
	}
	return me != nil && me.Owner != nil && me.Owner.Place() == keys.Locked, nil
}

// UnlockOwner unlocks the owner's key with its passphrase until lock is called.
func (e *Core) UnlockOwner(passphrase []byte) (lock func(), err error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	if me.Owner == nil {
		return nil, &Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
	}
	lock, err = me.Owner.Lend(passphrase)
	return lock, ClassifyKey(err)
}

// ClassifyKey is Classify for an error of the keys.
func ClassifyKey(err error) error {
	switch {
	case err == nil || HasKind(err):
		return err
	case errors.Is(err, keys.ErrLocked), errors.Is(err, keys.ErrPassphrase), errors.Is(err, keys.ErrAgent):
		return &Failure{Kind: api.ErrForbidden, Text: OneLine(err)}
	case errors.Is(err, keys.ErrOvertaken):
		return Conflict("another process changed the keys meanwhile: nothing was changed; try again")
	}
	return &Failure{Kind: api.ErrUnavailable, Text: "keys: " + OneLine(err)}
}

func KeyHeader(context string) memory.Header {
	return memory.Header{
		Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: context},
	}
}

// OwnerOnly refuses an agent what only a person may do.
func (e *Core) OwnerOnly(what string) error {
	if e.C.Origin == memory.OriginOwner {
		return nil
	}
	return &Failure{Kind: api.ErrForbidden, Text: "only a person may " + what + ": run it yourself at a terminal"}
}

// FaultWords says in words why a record speaks for no one.
func FaultWords(f state.Fault) string {
	switch f {
	case state.DelegationInvalid:
		return "its delegation is not held, or does not cover it"
	case state.KeyExpired:
		return "signed after its delegation had ended"
	case state.KeyRevoked:
		return "its key was no longer in use when it came"
	case state.KeyCompromised:
		return "its key was compromised when it came"
	}
	return ""
}
