package state

import (
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// NewKeyring makes a Keyring of the key records among rs.
func NewKeyring(rs ...*memory.Record) *Keyring {
	k := new(Keyring)
	for _, r := range rs {
		k.Add(r)
	}
	return k
}

// Add takes a key record into account; others are ignored.
func (k *Keyring) Add(r *memory.Record) {
	b, ok := As[*memory.Key](r)
	if !ok || !r.Header.Delegation.IsZero() {
		return // a delegate decides nothing about keys
	}
	switch b.Body.Op {
	case memory.OpDelegate:
		put(&k.delegations, r.ID, b)
	case memory.OpRotate:
		if !signedBy(r, b.Body.Key) || b.Body.Key == b.Body.Previous {
			return // the new key did not agree to follow
		}
		file(&k.rotations, b.Body.Previous, b)
		file(&k.follows, b.Body.Key, b)
	case memory.OpRevoke:
		k.revoke(b)
	case memory.OpIntroduce:
		if space := appoints(r, b.Body); space != "" {
			file(&k.keepers, space, b)
			return
		}
		if space := namesHeir(r, b.Body); space != "" {
			file(&k.heirNames, space, b)
			return
		}
		if accepted(b.Body) != "" {
			put(&k.accepts, r.ID, b)
			return
		}
		put(&k.introduced, r.ID, b)
	case memory.OpInception, memory.OpRecovery:
		if b.Body.Key != r.Header.Author {
			return // only a key itself says that it begins
		}
		if b.Body.Op == memory.OpInception {
			put(&k.began, b.Body.Key, true)
		}
	}
	if b.Body.Next != "" {
		file(&k.commits, b.Body.Key, b)
	}
}

// Join adds what another Keyring holds.
func (k *Keyring) Join(other *Keyring) {
	for id, d := range other.delegations {
		put(&k.delegations, id, d)
	}
	for _, m := range []struct {
		into *map[string][]Of[*memory.Key]
		from map[string][]Of[*memory.Key]
	}{
		{&k.rotations, other.rotations}, {&k.follows, other.follows}, {&k.commits, other.commits},
		{&k.keepers, other.keepers}, {&k.heirNames, other.heirNames},
	} {
		for key, list := range m.from {
			for _, b := range list {
				file(m.into, key, b)
			}
		}
	}
	for _, list := range other.revocations {
		for _, b := range list {
			k.revoke(b)
		}
	}
	for key := range other.began {
		put(&k.began, key, true)
	}
	for id, b := range other.introduced {
		put(&k.introduced, id, b)
	}
	for id, b := range other.accepts {
		put(&k.accepts, id, b)
	}
}

func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = v
}

// revoke files a revocation, and the places in logs that it names.
func (k *Keyring) revoke(b Of[*memory.Key]) {
	file(&k.revocations, b.Body.Key, b)
	if h := heldIn(b.Body.From); h != nil && b.Body.Of != nil {
		put(&k.holds, b.ID, h)
	}
	for _, l := range fromLines(b.Body.From) {
		file(&k.counted, mark{l.space, l.size}, b)
	}
}

// file adds b to a list, once.
func file[K comparable](m *map[K][]Of[*memory.Key], key K, b Of[*memory.Key]) {
	if !slices.ContainsFunc((*m)[key], func(o Of[*memory.Key]) bool { return o.ID == b.ID }) {
		put(m, key, append((*m)[key], b))
	}
}

// Clone returns a Keyring to which more can be added.
func (k *Keyring) Clone() *Keyring {
	c := *k
	c.delegations = maps.Clone(k.delegations)
	for _, m := range []*map[string][]Of[*memory.Key]{
		&c.rotations, &c.follows, &c.revocations, &c.commits, &c.keepers, &c.heirNames,
	} {
		*m = maps.Clone(*m)
		for key, list := range *m {
			(*m)[key] = slices.Clip(list)
		}
	}
	c.began, c.introduced, c.accepts = maps.Clone(k.began), maps.Clone(k.introduced), maps.Clone(k.accepts)
	c.holds = maps.Clone(k.holds)
	return &c
}
