package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyAdd gives a key a name here. It does not make what the key says count:
// introducing it does.
func (e *Engine) KeyAdd(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.ownerOnly("name a key"); err != nil {
		return reply, err
	}
	did, comment, err := keys.PublicOf([]byte(in.Key))
	if err != nil {
		return reply, invalid("key: %s", oneLine(err))
	}
	name := or(in.Name, comment)
	if name == "" {
		return reply, invalid("name: what is whoever has the key to be called?")
	}
	all, err := e.KeyList(ctx, api.KeysRequest{})
	if err != nil {
		return reply, err
	}
	for _, k := range all.Keys {
		if k.Name == name && k.Key != did {
			return reply, conflict("%q is the name of %s already; another key under a known name is a reason to ask", name, k.Fingerprint)
		}
	}
	r, err := e.sign(keyHeader("key add"), &memory.Mark{Target: "author:" + did, Verb: nameVerb, Value: name})
	if err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{Key: did, Fingerprint: fingerprint(did), Name: name, Role: "known", Principal: did}
	reply.Claim = r.Ref().String()
	reply.Hint = "what it says does not count yet: 'stemma trust introduce' makes it"
	return reply, e.append(ctx, store.Batch{Records: []*memory.Record{r}})
}

// KeyExportPublic gives the owner's public key, for others to introduce.
func (e *Engine) KeyExportPublic(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	me, err := e.knownKeys() // a reader makes none
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return api.KeyReply{}, notFound("there are no keys yet; 'stemma init --user' makes them, and so does every first write")
	}
	if err != nil {
		return api.KeyReply{}, err
	}
	key, role := me.Owner, "owner"
	if in.Agent || key == nil {
		key, role = me.Agent, "agent"
	}
	line, err := keys.ExportPublic(key.DID(), or(in.Name, or(e.c.Agent, "stemma "+role)))
	if err != nil {
		return api.KeyReply{}, invalid("name: %s", oneLine(err))
	}
	return api.KeyReply{KeyInfo: api.KeyInfo{
		Key: key.DID(), Fingerprint: fingerprint(key.DID()), Role: role, Principal: me.principal, Place: string(key.Place()),
	}, Public: line}, nil
}

// keyRecords keeps records about one's own keys: in the identity file, so that
// every store written to learns of them, and in this store.
func (e *Engine) keyRecords(ctx context.Context, rs ...*memory.Record) error {
	me, err := e.ownKeys()
	if err != nil {
		return err
	}
	lines, err := writeLines(rs...)
	if err != nil {
		return err
	}
	if err := keys.PutIdentity(e.c.KeyDir, append(slices.Clone(me.Identity), lines...)); err != nil {
		return sortedKey(err)
	}
	if err := e.append(ctx, store.Batch{Records: rs}); err != nil {
		return err
	}
	return e.forgetKeys()
}

// forgetKeys has the keys read again.
func (e *Engine) forgetKeys() error {
	e.ring.Lock()
	e.me = nil
	e.ring.Unlock()
	e.trusted.Lock()
	e.trusted.last = nil
	e.trusted.Unlock()
	_, err := e.ownKeys()
	return err
}

// until reads a time to come, or how long from now.
func (e *Engine) until(field, text string) (memory.Time, error) {
	if text == "" {
		return memory.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		if d <= 0 {
			return memory.Time{}, invalid("%s: must be in the future, got %s", field, text)
		}
		return memory.At(e.c.Now().Add(d)), nil
	}
	at, err := parseTime(field, text)
	if err == nil && !at.After(e.c.Now()) {
		err = invalid("%s: must be in the future, got %s", field, memory.Cut(text, 40))
	}
	return at, err
}

// withOwn gives the standing with the records about one's own keys that this store
// has not seen yet.
func (e *Engine) withOwn(ctx context.Context, me *self) (*memory.Keyring, error) {
	ring, err := e.standing(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range me.born {
		ring.Add(r)
	}
	return ring, nil
}

// keyOptions says where private halves are.
func (e *Engine) keyOptions() keys.Options {
	return keys.Options{Unlock: e.c.Unlock, AgentSocket: e.c.AgentSocket}
}

// sortedKey gives an error of the keys its kind.
func sortedKey(err error) error {
	switch {
	case err == nil || hasKind(err):
		return err
	case errors.Is(err, keys.ErrLocked), errors.Is(err, keys.ErrPassphrase), errors.Is(err, keys.ErrAgent):
		return &failure{kind: api.ErrForbidden, text: oneLine(err)}
	case errors.Is(err, keys.ErrOvertaken):
		return conflict("another process changed the keys meanwhile: nothing was changed here; do it again")
	}
	return &failure{kind: api.ErrUnavailable, text: "keys: " + oneLine(err)}
}
