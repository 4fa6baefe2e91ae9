package keyring

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyShow returns the person's own keys: the owner's and the agent's.
func (e *Keyring) KeyShow(ctx context.Context, _ api.Nothing) (api.KeysReply, error) {
	all, err := e.KeyList(ctx, api.Nothing{})
	if err != nil {
		return all, err
	}
	all.Keys = slices.DeleteFunc(
		all.Keys,
		func(k api.KeyInfo) bool { return k.Role != "owner" && k.Role != "agent" && k.Role != "session" },
	)
	return all, nil
}

// KeyList returns every known key: the person's own, their delegated keys, and those of
// others.
func (e *Keyring) KeyList(ctx context.Context, _ api.Nothing) (api.KeysReply, error) {
	reply := api.KeysReply{Keys: []api.KeyInfo{}}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reply, err
	}
	ring := v.Ring.Clone()
	ring.Arrived, ring.Agrees = v.Ring.Arrived, v.Ring.Agrees
	var records []*memory.Record
	if me != nil {
		for _, r := range me.KeyRecords {
			ring.Add(r)
			records = append(records, r)
		}
	}
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return reply, core.Classify(err)
		}
		if it.Record != nil && !slices.ContainsFunc(records, func(r *memory.Record) bool { return r.ID == it.Ref.ID }) {
			records = append(records, it.Record)
		}
	}
	known := make(map[string]int)
	get := func(did string) *api.KeyInfo {
		i, ok := known[did]
		if !ok {
			i = len(reply.Keys)
			known[did] = i
			reply.Keys = append(
				reply.Keys,
				api.KeyInfo{Key: did, Fingerprint: core.Fingerprint(did), Principal: ring.Principal(did), Role: "known"},
			)
		}
		return &reply.Keys[i]
	}
	for _, r := range records {
		if k, ok := r.Body.(*memory.Key); ok {
			describeKey(get, ring, v.Root, r, k)
		}
	}
	for _, i := range ring.Introductions() {
		if i.By == v.Root {
			k := get(i.Key)
			k.Role, k.Name, k.By = "introduced", core.Or(i.Name, k.Name), i.By
		}
	}
	if err := e.localNames(ctx, v, get); err != nil {
		return reply, err
	}
	for i := range reply.Keys {
		k := &reply.Keys[i]
		if ring.Current(k.Key) != k.Key {
			k.Ended = "replaced by " + core.Fingerprint(ring.Current(k.Key))
			k.Role = "former"
		}
		if r := ring.Revoked(k.Key, k.Principal); r != nil {
			k.Ended = "revoked on " + core.Day(r.Header.At) + ": " + r.Body.Reason
		}
		if me == nil {
			continue
		}
		for _, own := range []struct {
			key  *keys.Key
			role string
		}{{me.Owner, "owner"}, {me.Agent, "agent"}} {
			if own.key != nil && own.key.DID() == k.Key {
				k.Role, k.Place, k.Principal = own.role, string(own.key.Place()), me.Principal
			}
		}
	}
	return reply, nil
}

// describeKey takes one key record into account. What others call themselves is no
// name of theirs here: anybody can take any name.
func describeKey(get func(string) *api.KeyInfo, ring *state.Keyring, root string, r *memory.Record, k *memory.Key) {
	if k.Of != nil {
		return // it takes back an introduction or a delegation, which is not listed then
	}
	info := get(k.Key)
	name := &info.CallsItself
	if root != "" && ring.Principal(r.Header.Author) == root {
		name = &info.Name
	}
	switch k.Op {
	case memory.OpDelegate:
		if ring.Fault(r) != state.Sound || ring.Taken(r.ID) {
			info.Ended = "its delegation was taken back"
		}
		info.Principal, info.By, info.Scope, info.Expires = ring.Principal(
			r.Header.Author,
		), r.Header.Author, k.Scope, k.Expires.String()
		*name, info.Delegation, info.Origins = core.Or(k.Name, *name), r.Ref().String(), nil
		if info.Role = "agent"; k.Name != "" || k.Scope != "" || !k.Expires.IsZero() {
			info.Role = "session"
		}
		for _, o := range k.Origins {
			info.Origins = append(info.Origins, string(o))
		}
	case memory.OpInception, memory.OpRecovery, memory.OpRotate:
		info.Recovery = info.Recovery || k.Next != ""
		*name = core.Or(k.Name, *name)
	}
}

// nameVerb marks a key with what it is called here.
const nameVerb = "name"

// localNames adds the names that keys were given here without being introduced.
func (e *Keyring) localNames(ctx context.Context, v *trust.Context, get func(string) *api.KeyInfo) error {
	for it, err := range e.Store.List(
		ctx, store.Query{Kinds: []memory.Kind{memory.KindMark}, Hidden: true, Oldest: true},
	) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != nameVerb {
			continue
		}
		did, ok := strings.CutPrefix(m.Target, "author:")
		if by := v.Ring.Voice(it.Record); ok && by.Owner && by.Principal == v.Root {
			get(did).Name = m.Value
		}
	}
	return nil
}
