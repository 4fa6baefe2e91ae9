package state

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// Recovers reports whether a key is the recovery key to which another committed.
func (k *Keyring) Recovers(did, by string) bool { return k.recovers(did, by) }

// Committed reports whether a key committed to a recovery key.
func (k *Keyring) Committed(did string) bool { return len(k.commits[did]) > 0 }

// Taken reports whether the owner who made a delegation took back that one alone.
func (k *Keyring) Taken(delegation memory.ID) bool {
	d, held := k.delegations[delegation]
	if !held {
		return false
	}
	whose := k.Principal(d.Header.Author)
	return slices.ContainsFunc(k.revocations[d.Body.Key], func(v Of[*memory.Key]) bool {
		return v.Body.Of != nil && v.Body.Of.ID == delegation && k.Principal(v.Header.Author) == whose
	})
}
