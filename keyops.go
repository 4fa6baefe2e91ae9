package stemma

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeysRequest asks for the keys that are known.
type KeysRequest struct{}

// KeysReply is the keys that are known here.
type KeysReply struct {
	Keys []KeyInfo `json:"keys"`
}

// KeyInfo is one key.
type KeyInfo struct {
	Key         string   `json:"key"`
	Fingerprint string   `json:"fingerprint"`
	Name        string   `json:"name,omitempty"`         // that it was given here
	CallsItself string   `json:"calls_itself,omitempty"` // another's own word, which binds nothing
	Role        string   `json:"role"`                   // owner, agent, session, introduced, known, or former
	Principal   string   `json:"principal"`              // the key that began its owner's history
	Place       string   `json:"place,omitempty"`        // of a key of one's own: at hand, locked or ssh-agent
	Origins     []string `json:"origins,omitempty"`      // the channels it may speak for
	Expires     string   `json:"expires,omitempty"`      // after which it may not
	Scope       string   `json:"scope,omitempty"`        //
	Recovery    bool     `json:"recovery,omitempty"`     // a recovery key is committed to
	Ended       string   `json:"ended,omitempty"`        // revoked or replaced, and why
	By          string   `json:"by,omitempty"`           // who introduced it, or let it act
	Delegation  string   `json:"delegation,omitempty"`
}

// KeyShow shows the keys of one's own: the owner's and the agent's.
func (e *Engine) KeyShow(ctx context.Context, _ KeysRequest) (KeysReply, error) {
	all, err := e.KeyList(ctx, KeysRequest{})
	if err != nil {
		return all, err
	}
	all.Keys = slices.DeleteFunc(all.Keys, func(k KeyInfo) bool { return k.Role != "owner" && k.Role != "agent" && k.Role != "session" })
	return all, nil
}

// KeyList lists every key that is known here: one's own, those that act for one,
// and those of others.
func (e *Engine) KeyList(ctx context.Context, _ KeysRequest) (KeysReply, error) {
	reply := KeysReply{Keys: []KeyInfo{}}
	v, err := e.vouching(ctx)
	if err != nil {
		return reply, err
	}
	me, err := e.knownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reply, err
	}
	ring := v.ring.Clone()
	ring.Arrived, ring.Agrees = v.ring.Arrived, v.ring.Agrees
	var records []*memory.Record
	if me != nil {
		for _, r := range me.born {
			ring.Add(r)
			records = append(records, r)
		}
	}
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return reply, sorted(err)
		}
		if it.Record != nil && !slices.ContainsFunc(records, func(r *memory.Record) bool { return r.ID == it.Ref.ID }) {
			records = append(records, it.Record)
		}
	}
	known := make(map[string]int)
	get := func(did string) *KeyInfo {
		i, ok := known[did]
		if !ok {
			i = len(reply.Keys)
			known[did] = i
			reply.Keys = append(reply.Keys, KeyInfo{Key: did, Fingerprint: fingerprint(did), Principal: ring.Principal(did), Role: "known"})
		}
		return &reply.Keys[i]
	}
	for _, r := range records {
		if k, ok := r.Body.(*memory.Key); ok {
			describeKey(get, ring, v.root, r, k)
		}
	}
	for _, i := range ring.Introductions() {
		if i.By == v.root {
			k := get(i.Key)
			k.Role, k.Name, k.By = "introduced", or(i.Name, k.Name), i.By
		}
	}
	if err := e.localNames(ctx, v, get); err != nil {
		return reply, err
	}
	for i := range reply.Keys {
		k := &reply.Keys[i]
		if ring.Current(k.Key) != k.Key {
			k.Ended = "replaced by " + fingerprint(ring.Current(k.Key))
			k.Role = "former"
		}
		if r := ring.Revoked(k.Key, k.Principal); r != nil {
			k.Ended = "revoked on " + day(r.Header.At) + ": " + r.Body.Reason
		}
		if me == nil {
			continue
		}
		for _, own := range []struct {
			key  *keys.Key
			role string
		}{{me.Owner, "owner"}, {me.Agent, "agent"}} {
			if own.key != nil && own.key.DID() == k.Key {
				k.Role, k.Place, k.Principal = own.role, string(own.key.Place()), me.principal
			}
		}
	}
	return reply, nil
}

// describeKey takes one key record into account. What others call themselves is no
// name of theirs here: anybody can take any name.
func describeKey(get func(string) *KeyInfo, ring *memory.Keyring, root string, r *memory.Record, k *memory.Key) {
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
		if ring.Fault(r) != memory.Sound || ring.Taken(r.ID) {
			info.Ended = "its delegation was taken back"
		}
		info.Principal, info.By, info.Scope, info.Expires = ring.Principal(r.Header.Author), r.Header.Author, k.Scope, k.Expires.String()
		*name, info.Delegation, info.Origins = or(k.Name, *name), r.Ref().String(), nil
		if info.Role = "agent"; k.Name != "" || k.Scope != "" || !k.Expires.IsZero() {
			info.Role = "session"
		}
		for _, o := range k.Origins {
			info.Origins = append(info.Origins, string(o))
		}
	case memory.OpInception, memory.OpRecovery, memory.OpRotate:
		info.Recovery = info.Recovery || k.Next != ""
		*name = or(k.Name, *name)
	}
}

// nameVerb marks a key with what it is called here.
const nameVerb = "name"

// localNames adds the names that keys were given here without being introduced.
func (e *Engine) localNames(ctx context.Context, v *vouching, get func(string) *KeyInfo) error {
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindMark}, Hidden: true, Oldest: true}) {
		if err != nil {
			return sorted(err)
		}
		if it.Record == nil {
			continue
		}
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != nameVerb {
			continue
		}
		did, ok := strings.CutPrefix(m.Target, "author:")
		if by := v.ring.Voice(it.Record); ok && by.Owner && by.Principal == v.root {
			get(did).Name = m.Value
		}
	}
	return nil
}

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
	me, err := e.ownKeys()
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

// KeyDelegate lets another key act for the owner: a session's, made here, or one
// that somebody sent.
func (e *Engine) KeyDelegate(ctx context.Context, in KeyRequest) (KeyReply, error) {
	var reply KeyReply
	if err := e.ownerOnly("let a key act for the owner"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	body := &memory.Key{Op: memory.OpDelegate, Scope: in.Scope, Name: in.Name}
	for _, o := range in.Origins {
		body.Origins = append(body.Origins, memory.Origin(o))
	}
	if len(body.Origins) == 0 {
		body.Origins = []memory.Origin{memory.OriginAgent, memory.OriginTool}
	}
	slices.Sort(body.Origins)
	body.Origins = slices.Compact(body.Origins)
	if body.Expires, err = e.until("expires", in.Expires); err != nil {
		return reply, err
	}
	var r *memory.Record
	if in.Key != "" {
		if body.Key, _, err = keys.PublicOf([]byte(in.Key)); err != nil {
			return reply, invalid("key: %s", oneLine(err))
		}
		if r, err = e.sign(keyHeader("key delegate"), body); err != nil {
			return reply, err
		}
	} else {
		if in.Name == "" {
			return reply, invalid("name: name the session that the key is for, or give the key")
		}
		s, err := keys.AddSession(e.c.KeyDir, in.Name, e.c.Rand, func(session *keys.Key) ([]byte, error) {
			body.Key = session.DID()
			if r, err = e.sign(keyHeader("key delegate"), body); err != nil {
				return nil, err
			}
			return writeLines(append(slices.Clone(me.born), r)...)
		})
		if errors.Is(err, fs.ErrExist) {
			return reply, conflict("there is a session %q already", in.Name)
		}
		if err != nil {
			return reply, sortedKey(err)
		}
		reply.File = s.Name
	}
	reply.KeyInfo = KeyInfo{
		Key: body.Key, Fingerprint: fingerprint(body.Key), Name: in.Name, Role: "session", Principal: me.principal,
		Expires: body.Expires.String(), Scope: body.Scope, Delegation: r.Ref().String(), By: me.Owner.DID(),
	}
	for _, o := range body.Origins {
		reply.Origins = append(reply.Origins, string(o))
	}
	reply.Claim = r.Ref().String()
	return reply, e.keyRecords(ctx, r)
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

// KeyRecovery makes a recovery key and commits to it. Its phrase is shown this
// once and kept nowhere: with it a new owner's key can be put in place when the
// old one is lost or stolen.
func (e *Engine) KeyRecovery(ctx context.Context, _ KeysRequest) (KeyReply, error) {
	var reply KeyReply
	if err := e.ownerOnly("make a recovery key"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	ring, err := e.withOwn(ctx, me)
	if err != nil {
		return reply, err
	}
	if ring.Committed(me.Owner.DID()) {
		return reply, conflict("a recovery key was committed to before, and the first counts: who steals the key could name another; 'stemma key rotate' begins a new one")
	}
	phrase, did, err := keys.NewRecovery(e.c.Rand)
	if err != nil {
		return reply, err
	}
	r, err := e.sign(keyHeader("key recovery"), &memory.Key{Op: memory.OpRecovery, Key: me.Owner.DID(), Next: memory.Commitment(did)})
	if err != nil {
		return reply, err
	}
	reply.KeyInfo = KeyInfo{Key: me.Owner.DID(), Fingerprint: fingerprint(me.Owner.DID()), Role: "owner", Principal: me.principal, Recovery: true}
	reply.Claim = r.Ref().String()
	if err := e.keyRecords(ctx, r); err != nil {
		return reply, err
	}
	reply.Phrase = phrase
	return reply, nil
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

// KeyRotate puts a new key in the place of the owner's, or of the agent's. The
// old owner's key signs that, or the recovery key, and the new one.
func (e *Engine) KeyRotate(ctx context.Context, in KeyRequest) (KeyReply, error) {
	var reply KeyReply
	if err := e.ownerOnly("put another key in place"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	name := "owner"
	if in.Agent {
		name = "agent"
	}
	var passphrase []byte
	if name == "owner" && me.Owner.Place() != keys.AtHand {
		if e.c.NewPassphrase == nil {
			return reply, invalid("the owner's key is locked, and the new one must be too: run it at a terminal, where a passphrase can be asked for")
		}
		if passphrase, err = e.c.NewPassphrase(); err != nil {
			return reply, err
		}
	}
	rot, err := keys.Rotate(e.c.KeyDir, name, e.c.Rand, passphrase, e.keyOptions())
	if err != nil {
		return reply, sortedKey(err)
	}
	records, err := e.rotation(me, rot, in)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	lines, err := writeLines(records...)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	if err := keys.PutIdentity(e.c.KeyDir, append(slices.Clone(me.Identity), lines...)); err != nil {
		return reply, errors.Join(sortedKey(err), rot.Cancel())
	}
	if err := rot.Commit(in.Destroy); err != nil {
		return reply, sortedKey(err)
	}
	for _, r := range records {
		reply.Claims = append(reply.Claims, r.Ref().String())
	}
	if err := e.append(ctx, store.Batch{Records: records}); err != nil {
		return reply, err
	}
	reply.KeyInfo = KeyInfo{Key: rot.New.DID(), Fingerprint: fingerprint(rot.New.DID()), Role: name, Principal: me.principal, Place: string(rot.New.Place())}
	if name == "owner" {
		reply.Hint = "'stemma key recovery' makes a recovery key for the new one"
	}
	return reply, e.forgetKeys()
}

// rotation signs what says that one key follows another.
func (e *Engine) rotation(me *self, rot *keys.Rotation, in KeyRequest) ([]*memory.Record, error) {
	if in.Agent {
		grant, err := e.sign(keyHeader("key rotate"), &memory.Key{
			Op: memory.OpDelegate, Key: rot.New.DID(), Origins: []memory.Origin{memory.OriginAgent, memory.OriginImport, memory.OriginTool},
		})
		if err != nil {
			return nil, err
		}
		back, err := e.sign(keyHeader("key rotate"), &memory.Key{Op: memory.OpRevoke, Key: rot.Old.DID(), Reason: memory.Superseded})
		return []*memory.Record{grant, back}, err
	}
	by := rot.Old
	if e.c.Recovery != nil {
		phrase, err := e.c.Recovery()
		if err != nil {
			return nil, err
		}
		if by, err = keys.ParseRecovery(phrase); err != nil {
			return nil, invalid("recovery phrase: %s", oneLine(err))
		}
		ring := memory.NewKeyring(me.born...)
		if !ring.Recovers(rot.Old.DID(), by.DID()) {
			return nil, invalid("recovery phrase: it is not that of the recovery key this owner's key committed to")
		}
	}
	h := keyHeader("key rotate")
	h.Space, h.Author, h.Origin, h.At = me.principal+"/"+DefaultSpace, by.DID(), memory.OriginOwner, memory.At(e.c.Now())
	var err error
	if h.Nonce, err = e.nonce(); err != nil {
		return nil, err
	}
	r, err := signed(by, h, &memory.Key{Op: memory.OpRotate, Key: rot.New.DID(), Previous: rot.Old.DID()})
	if err != nil {
		return nil, sorted(err)
	}
	sig, err := rot.New.Sign(typeOf(r), r.Bytes)
	if err != nil {
		return nil, err
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: rot.New.DID(), Sig: sig})
	return []*memory.Record{r}, nil
}

// KeyRevoke says that a key that acts for the owner, or was his, speaks no more.
// What of it came before stays what it was; of a compromised one only what came
// before since.
func (e *Engine) KeyRevoke(ctx context.Context, in KeyRequest) (KeyReply, error) {
	var reply KeyReply
	if err := e.ownerOnly("revoke a key"); err != nil {
		return reply, err
	}
	if !slices.Contains(memory.RevokeReasons, in.Reason) {
		return reply, invalid("reason: must be superseded, lost or compromised, got %q", memory.Cut(in.Reason, 40))
	}
	if in.Since != "" && in.Reason != memory.Compromised {
		return reply, invalid("since: belongs to a compromised key")
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	all, err := e.KeyList(ctx, KeysRequest{})
	if err != nil {
		return reply, err
	}
	if in.Key == "" {
		return reply, invalid("key: which key? 'stemma key list' shows them")
	}
	if did, _, err := keys.PublicOf([]byte(in.Key)); err == nil {
		in.Key = did
	}
	i := slices.IndexFunc(all.Keys, func(k KeyInfo) bool {
		return k.Key == in.Key || k.Fingerprint == in.Key || k.Name == in.Key && k.Principal == me.principal
	})
	switch {
	case i < 0:
		return reply, notFound("no key %q is known here: 'stemma key list' shows those that are", memory.Cut(in.Key, 80))
	case all.Keys[i].Principal != me.principal:
		return reply, conflict("%s is another's key: 'stemma trust distrust' is for those", all.Keys[i].Fingerprint)
	case all.Keys[i].Role == "owner":
		return reply, conflict("it is the key in use: 'stemma key rotate' puts another in its place first")
	}
	info := all.Keys[i]
	ring, err := e.withOwn(ctx, me)
	if err != nil {
		return reply, err
	}
	if r := ring.Revoked(info.Key, me.principal); r != nil {
		return reply, conflict("%s was revoked on %s, and the first revocation counts", info.Fingerprint, day(r.Header.At))
	}
	body := &memory.Key{Op: memory.OpRevoke, Key: info.Key, Reason: in.Reason}
	if in.Since != "" {
		since, err := e.ago("since", in.Since)
		if err != nil {
			return reply, err
		}
		stolen, err := e.stolen(ctx, info.Key, since)
		if err != nil {
			return reply, err
		}
		body.From = stolen.from
	} else if body.From, err = e.asLogsAre(ctx); err != nil {
		return reply, err
	}
	r, err := e.sign(keyHeader("key revoke"), body)
	if err != nil {
		return reply, err
	}
	info.Ended = "revoked on " + day(r.Header.At) + ": " + in.Reason
	reply.KeyInfo, reply.Claim = info, r.Ref().String()
	if info.Role == "agent" && info.Key == me.Agent.DID() {
		reply.Hint = "agents cannot write until 'stemma key rotate --agent' makes a new key"
	}
	return reply, e.keyRecords(ctx, r)
}

// asLogsAre says where every log stands now.
func (e *Engine) asLogsAre(ctx context.Context) (string, error) {
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return "", sorted(err)
	}
	var lines []string
	for _, sp := range spaces[:min(len(spaces), mostSpaces)] {
		f, err := e.store.Tree(ctx, sp.Name)
		if err != nil {
			return "", sorted(err)
		}
		if f.Size() > 0 {
			lines = append(lines, memory.FromLine(sp.Name, f.Size(), ledger.EncodeHash(f.Root())))
		}
	}
	return strings.Join(lines, "\n"), nil
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
	}
	return &failure{kind: ErrUnavailable, text: "keys: " + oneLine(err)}
}
