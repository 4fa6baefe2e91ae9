package core

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// Self is the person whose keys an engine has.
type Self struct {
	*keys.Ring
	KeyRecords []*memory.Record // what introduces the keys
	Delegation memory.ID        // the delegation of the agent's key
	Principal  string           // the key that began the owner's history
}

// OwnKeys loads the person's keys, or makes them on first use.
func (e *Core) OwnKeys() (*Self, error) {
	e.Ring.Lock()
	defer e.Ring.Unlock()
	changed, current := e.keysChanged()
	if e.Me != nil && !changed {
		return e.Me, nil
	}
	if e.C.KeyDir == "" && !e.C.InMemory {
		return nil, Invalid("no directory for keys: set Config.Keys.Dir when the store is not a file")
	}
	me, err := e.loadKeys(func(o keys.Options) (*keys.Ring, error) {
		if e.C.KeyDir == "" {
			return keys.New(e.C.Rand, e.inception)
		}
		return keys.OpenWith(e.C.KeyDir, e.C.Rand, e.inception, o)
	})
	if err != nil {
		return nil, err
	}
	if current.IsZero() { // they were made just now
		_, current = e.keysChanged()
	}
	e.loaded(me, current)
	return me, nil
}

// tick is longer than the resolution of file times: of two changes within one tick, the second
// may not show in the file's time.
const tick = 50 * time.Millisecond

// fresh reports whether something was changed so lately that one more change may not show.
func fresh(changed time.Time) bool {
	age := time.Since(changed)
	return age > -tick && age < tick
}

// loaded keeps keys that were read when their directory was last changed at a time.
func (e *Core) loaded(me *Self, changed time.Time) {
	if fresh(changed) {
		changed = time.Time{} // it is read again
	}
	e.Me, e.pendingKeys, e.keysOf = me, me.KeyRecords, changed
	for _, k := range []*keys.Key{me.Owner, me.Agent} {
		if k != nil && !slices.Contains(e.had, k.DID()) {
			e.had = append(e.had, k.DID())
		}
	}
}

// keysChanged reports whether the key directory changed since the keys were loaded: a
// long-running process must not sign with a key that another process replaced or revoked. A
// deleted directory counts as unchanged.
func (e *Core) keysChanged() (changed bool, now time.Time) {
	info, err := os.Stat(e.C.KeyDir)
	if err != nil {
		return false, e.keysOf
	}
	return !info.ModTime().Equal(e.keysOf), info.ModTime()
}

// introduced reads who the keys of a ring are.
func (e *Core) introduced(ring *keys.Ring) (*Self, error) {
	keyRecords, err := readLines(ring.Identity) // verified when a store takes them in
	if err != nil {
		return nil, fmt.Errorf("identity in %s: %w", e.C.KeyDir, err)
	}
	me := &Self{Ring: ring, KeyRecords: keyRecords}
	for _, r := range keyRecords {
		if k, ok := r.Body.(*memory.Key); ok && k.Op == memory.OpDelegate && k.Key == ring.Agent.DID() {
			me.Delegation = r.ID
		}
	}
	if me.Delegation.IsZero() {
		return nil, fmt.Errorf("identity in %s: no delegation to the agent's key", e.C.KeyDir)
	}
	me.Principal = state.NewKeyring(keyRecords...).Principal(ring.Owner.DID())
	return me, nil
}

// KnownKeys loads the person's keys if there are any; a reader creates none. The error is
// fs.ErrNotExist if there are none. Without a key directory both results are nil.
func (e *Core) KnownKeys() (*Self, error) {
	e.Ring.Lock()
	defer e.Ring.Unlock()
	changed, current := e.keysChanged()
	if e.Me != nil && !changed || e.C.KeyDir == "" {
		return e.Me, nil
	}
	if e.Me == nil && e.known != nil && current.Equal(e.knownOf) {
		return e.known, nil
	}
	me, err := e.loadKeys(func(o keys.Options) (*keys.Ring, error) {
		o.Known = true
		return keys.LoadWith(e.C.KeyDir, o)
	})
	e.known = nil
	switch {
	case err != nil:
	case e.Me != nil:
		e.loaded(me, current)
	case !current.IsZero() && !fresh(current):
		e.known, e.knownOf = me, current
	}
	return me, err
}

// loadKeys reads the keys of the person, or that of a session alone.
func (e *Core) loadKeys(load func(keys.Options) (*keys.Ring, error)) (*Self, error) {
	if e.C.KeySession != "" {
		return e.sessionKeys()
	}
	for {
		ring, err := load(e.KeyOptions())
		if err != nil {
			return nil, unusable(err)
		}
		finished, err := e.finishRotations(ring)
		if err != nil {
			return nil, err
		}
		if !finished {
			return e.introduced(ring)
		}
	}
}

// unusable classifies the error of keys that cannot be used. Missing keys are no failure.
func unusable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keys: %w", err)
	}
	return ClassifyKey(err)
}

// finishRotations puts keys in place whose rotation was signed before something
// cut it off, and reports whether the ring must be read again. One that no one signed
// for stays: 'key rotate' takes it up. What the ring itself says decides: a ring is
// never used whose identity names a key that is not in place yet, since its records
// would reach a store before the old key stops to sign.
func (e *Core) finishRotations(ring *keys.Ring) (finished bool, err error) {
	if len(ring.Pending) == 0 {
		return false, nil
	}
	keyRecords, err := readLines(ring.Identity)
	if err != nil {
		return false, fmt.Errorf("identity in %s: %w", e.C.KeyDir, err)
	}
	for _, name := range ring.Pending {
		rot, err := keys.Pending(e.C.KeyDir, name, e.KeyOptions())
		if err != nil {
			return false, fmt.Errorf("keys: %w", err)
		}
		if rot == nil {
			finished = true // somebody else finished it meanwhile
			continue
		}
		signed := slices.ContainsFunc(keyRecords, func(r *memory.Record) bool {
			k, ok := r.Body.(*memory.Key)
			return ok && k.Key == rot.New.DID() && (k.Op == memory.OpRotate || k.Op == memory.OpDelegate)
		})
		if !signed {
			continue // 'key rotate' takes it up
		}
		if err := rot.Commit(false); err != nil && !errors.Is(err, keys.ErrFollowed) {
			return false, fmt.Errorf("keys: %w", err)
		}
		finished = true
	}
	return finished, nil
}

// sessionKeys reads the key of a session, with which only agents, imports and
// tools can speak.
func (e *Core) sessionKeys() (*Self, error) {
	s, err := keys.LoadSession(e.C.KeyDir, e.C.KeySession, e.KeyOptions())
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	keyRecords, err := readLines(s.Delegation)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", s.Name, err)
	}
	me := &Self{Ring: &keys.Ring{Agent: s.Key, Identity: s.Delegation}, KeyRecords: keyRecords}
	for _, r := range keyRecords {
		if k, ok := r.Body.(*memory.Key); ok && k.Op == memory.OpDelegate && k.Key == s.Key.DID() {
			me.Delegation = r.ID
			me.Principal = state.NewKeyring(keyRecords...).Principal(r.Header.Author)
		}
	}
	if me.Delegation.IsZero() {
		return nil, fmt.Errorf("session %s: no delegation to its key", s.Name)
	}
	return me, nil
}

// inception makes the first two records of a person: the owner's key begins,
// and lets the agent's key speak for agents, tools and imports.
func (e *Core) inception(owner, agent *keys.Key) ([]byte, error) {
	begin, err := e.keyRecord(owner, &memory.Key{Op: memory.OpInception, Key: owner.DID()})
	if err != nil {
		return nil, err
	}
	grant, err := e.keyRecord(owner, &memory.Key{
		Op: memory.OpDelegate, Key: agent.DID(),
		Origins: []memory.Origin{memory.OriginAgent, memory.OriginImport, memory.OriginTool},
	})
	if err != nil {
		return nil, err
	}
	return WriteLines(begin, grant)
}

func (e *Core) keyRecord(owner *keys.Key, body *memory.Key) (*memory.Record, error) {
	nonce, err := e.Nonce()
	if err != nil {
		return nil, err
	}
	return Signed(owner, memory.Header{
		Space: owner.DID() + "/" + DefaultSpace, Author: owner.DID(), Origin: memory.OriginOwner,
		At: memory.At(e.C.Now()), Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect}, Nonce: nonce,
	}, body)
}

// SignAsIs makes a record in the engine's own voice, after sign has removed secrets from it.
// The header needs only the fields particular to the record: author, origin, space, time and
// nonce are set here.
func (e *Core) SignAsIs(h memory.Header, body memory.Body) (*memory.Record, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	key := me.Agent
	if h.Origin == "" {
		h.Origin = e.C.Origin
	}
	if h.Origin == memory.OriginOwner {
		if key = me.Owner; key == nil {
			return nil, &Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
		}
	} else {
		h.Delegation = me.Delegation
	}
	if h.Space == "" {
		if h.Space, err = e.SpaceOfNew(me.Principal, memory.KindOf(body), h.About); err != nil {
			return nil, err
		}
	}
	if strings.HasSuffix(h.Space, "/"+MeSpace) { // the space says it
		h.About = slices.DeleteFunc(slices.Clone(h.About), func(name string) bool { return name == MeSpace })
	}
	if h.At.IsZero() {
		h.At = memory.At(e.C.Now())
	}
	if h.Nonce, err = e.Nonce(); err != nil {
		return nil, err
	}
	h.Author = key.DID()
	if h.Agent == "" {
		h.Agent = e.C.Agent
	}
	if h.Platform == "" {
		h.Platform = e.C.Platform
	}
	if h.Session == "" {
		h.Session = e.C.Session
	}
	r, err := Signed(key, h, body)
	return r, Classify(err)
}

// Signed makes a record, signs its bytes and reads them back.
func Signed(key *keys.Key, h memory.Header, body memory.Body) (*memory.Record, error) {
	raw, err := memory.Write(h, body)
	if err != nil {
		return nil, err
	}
	sig, err := key.Sign(keys.PayloadType(string(memory.KindOf(body)), memory.Version), raw)
	if err != nil {
		return nil, ClassifyKey(err)
	}
	r, err := memory.Decode(raw)
	if err != nil {
		return nil, err
	}
	by := memory.Signature{Key: key.DID(), Sig: sig}
	r.Sigs = []memory.Signature{by}
	return r, nil
}

const nonceLen = 16

func (e *Core) Nonce() (string, error) {
	var b [nonceLen]byte
	if _, err := io.ReadFull(e.C.Rand, b[:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// Voice returns the voice of this engine's own writes.
func (e *Core) Voice() (state.Voice, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return state.Voice{}, err
	}
	return state.Voice{Principal: me.Principal, Owner: e.C.Origin == memory.OriginOwner, Now: true}, nil
}

// VoiceIn returns the voice of this engine's own writes in one space.
func (e *Core) VoiceIn(who *state.Keyring, space string) (state.Voice, error) {
	v, err := e.Voice()
	if err == nil && v.Owner && who.Keeps(v.Principal, space) {
		v.Keeps = space
	}
	return v, err
}
