package stemma

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyRequest names a key, and what to do with it.
type KeyRequest struct {
	Key     string   `json:"key,omitempty" jsonschema:"a did:key, a line of an OpenSSH .pub file, or a name"`
	Name    string   `json:"name,omitempty"`
	Agent   bool     `json:"agent,omitempty" jsonschema:"the agent's key, not the owner's"`
	Reason  string   `json:"reason,omitempty" jsonschema:"of a revocation: superseded, lost or compromised"`
	Since   string   `json:"since,omitempty" jsonschema:"of a compromised key: since when, by when its records came here"`
	Origins []string `json:"origins,omitempty" jsonschema:"the channels a delegated key may speak for: agent, import, tool; empty is agent and tool"`
	Scope   string   `json:"scope,omitempty"`
	Expires string   `json:"expires,omitempty" jsonschema:"a time, or how long from now such as 24h"`
	Destroy bool     `json:"destroy,omitempty" jsonschema:"of a rotation: do not keep the old private key"`
}

// KeyReply is what became of a key.
type KeyReply struct {
	KeyInfo
	Claim  string   `json:"claim,omitempty"`
	Claims []string `json:"claims,omitempty"`
	Phrase string   `json:"phrase,omitempty"` // of a recovery key: shown once, kept nowhere
	File   string   `json:"file,omitempty"`   // where a private key is
	Public string   `json:"public,omitempty"` // as a line of OpenSSH
	Hint   string   `json:"hint,omitempty"`
}

// KeyAdd gives a key a name here. It does not make what the key says count:
// introducing it does.
func (e *Engine) KeyAdd(ctx context.Context, in KeyRequest) (KeyReply, error) {
	var reply KeyReply
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
	all, err := e.KeyList(ctx, KeysRequest{})
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
	reply.KeyInfo = KeyInfo{Key: did, Fingerprint: fingerprint(did), Name: name, Role: "known", Principal: did}
	reply.Claim = r.Ref().String()
	reply.Hint = "what it says does not count yet: 'stemma trust introduce' makes it"
	return reply, e.append(ctx, store.Batch{Records: []*memory.Record{r}})
}

// KeyExportPublic gives the owner's public key, for others to introduce.
func (e *Engine) KeyExportPublic(ctx context.Context, in KeyRequest) (KeyReply, error) {
	me, err := e.knownKeys() // a reader makes none
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return KeyReply{}, notFound("there are no keys yet; 'stemma init --user' makes them, and so does every first write")
	}
	if err != nil {
		return KeyReply{}, err
	}
	key, role := me.Owner, "owner"
	if in.Agent || key == nil {
		key, role = me.Agent, "agent"
	}
	line, err := keys.ExportPublic(key.DID(), or(in.Name, or(e.c.Agent, "stemma "+role)))
	if err != nil {
		return KeyReply{}, invalid("name: %s", oneLine(err))
	}
	return KeyReply{KeyInfo: KeyInfo{
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
		return &failure{kind: ErrForbidden, text: oneLine(err)}
	case errors.Is(err, keys.ErrOvertaken):
		return conflict("another process changed the keys meanwhile: nothing was changed here; do it again")
	}
	return &failure{kind: ErrUnavailable, text: "keys: " + oneLine(err)}
}
