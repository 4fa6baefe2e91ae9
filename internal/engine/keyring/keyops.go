package keyring

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyAdd returns a key a name here. It does not make what the key says count:
// introducing it does.
func (e *Keyring) KeyAdd(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.OwnerOnly("name a key"); err != nil {
		return reply, err
	}
	did, comment, err := keys.PublicOf([]byte(in.Key))
	if err != nil {
		return reply, core.Invalid("key: %s", core.OneLine(err))
	}
	name := core.Or(in.Name, comment)
	if name == "" {
		return reply, core.Invalid("name: want the name of the key's owner")
	}
	all, err := e.KeyList(ctx, api.Nothing{})
	if err != nil {
		return reply, err
	}
	for _, k := range all.Keys {
		if k.Name == name && k.Key != did {
			return reply, core.Conflict(
				"%q is the name of %s already; another key under a known name is a reason to ask", name,
				k.Fingerprint,
			)
		}
	}
	r, err := e.Sign(core.KeyHeader("key add"), &memory.Mark{Target: "author:" + did, Verb: nameVerb, Value: name})
	if err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{Key: did, Fingerprint: core.Fingerprint(did), Name: name, Role: "known", Principal: did}
	reply.Claim = r.Ref().String()
	reply.Hint = "what it says does not count yet: `introduce` makes it"
	return reply, e.Append(ctx, store.Batch{Records: []*memory.Record{r}})
}

// KeyExportPublic returns the owner's public key, for others to introduce.
func (e *Keyring) KeyExportPublic(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	me, err := e.KnownKeys() // a reader makes none
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return api.KeyReply{}, core.NotFound(
			"there are no keys yet; `init user=true` makes them, and so does every first write",
		)
	}
	if err != nil {
		return api.KeyReply{}, err
	}
	key, role := me.Owner, "owner"
	if in.Agent || key == nil {
		key, role = me.Agent, "agent"
	}
	line, err := keys.ExportPublic(key.DID(), core.Or(in.Name, core.Or(e.C.Agent, "stemma "+role)))
	if err != nil {
		return api.KeyReply{}, core.Invalid("name: %s", core.OneLine(err))
	}
	return api.KeyReply{KeyInfo: api.KeyInfo{
		Key: key.DID(), Fingerprint: core.Fingerprint(key.DID()), Role: role, Principal: me.Principal,
		Place: string(key.Place()),
	}, Public: line}, nil
}

// KeyRecords stores records about the person's own keys in the identity file, from which every
// store written to learns of them, and in this store.
func (e *Keyring) KeyRecords(ctx context.Context, rs ...*memory.Record) error {
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	lines, err := core.WriteLines(rs...)
	if err != nil {
		return err
	}
	if err := keys.PutIdentity(e.C.KeyDir, append(slices.Clone(me.Identity), lines...)); err != nil {
		return core.ClassifyKey(err)
	}
	if err := e.Append(ctx, store.Batch{Records: rs}); err != nil {
		return err
	}
	return e.forgetKeys()
}

// forgetKeys has the keys read again.
func (e *Keyring) forgetKeys() error {
	e.Ring.Lock()
	e.Me = nil
	e.Ring.Unlock()
	e.trust.Trusted.Lock()
	e.trust.Trusted.Last = nil
	e.trust.Trusted.Unlock()
	_, err := e.OwnKeys()
	return err
}

// Until reads a time to come, or how long from now.
func (e *Keyring) Until(field, text string) (memory.Time, error) {
	if text == "" {
		return memory.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		if d <= 0 {
			return memory.Time{}, core.Invalid("%s: must be in the future, got %s", field, text)
		}
		return memory.At(e.C.Now().Add(d)), nil
	}
	at, err := core.ParseTime(field, text)
	if err == nil && !at.Time().After(e.C.Now()) {
		err = core.Invalid("%s: must be in the future, got %s", field, shorten.To(text, 40))
	}
	return at, err
}
