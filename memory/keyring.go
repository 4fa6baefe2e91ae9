package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Arrival is a place in a reader's log.
type Arrival struct {
	Space string
	Seq   int64
	At    time.Time // when it came, by the reader's clock; zero is long ago
}

// before reports whether a came before b. Of two logs the clock decides.
func (a Arrival) before(b Arrival) bool {
	if a.Space == b.Space {
		return a.Seq < b.Seq
	}
	return a.At.Before(b.At)
}

// A Keyring is the Standing that follows from key records. A record under no
// delegation speaks for the history of its own key; one under a delegation for
// that of the key which signed the delegation, if that is held and allows it. A
// key that was replaced or taken back speaks no more: what counts is when its
// records came to the reader, never what they say of themselves.
//
// Signatures are the caller's affair: only records whose signatures hold may be
// added. The zero Keyring holds nothing. It is not safe for concurrent use while
// Add is called.
type Keyring struct {
	// Arrived tells where a record stands in the reader's log. Nil, or false: it is
	// not there yet, and so comes after everything.
	Arrived func(ID) (Arrival, bool)
	// Agrees tells whether the reader's log of a space had this root, in base64, when
	// it held size records. Nil agrees with nothing.
	Agrees func(space string, size int64, root string) bool
	// KeptBy is the principal whose own store this is.
	KeptBy string

	delegations map[ID]Of[*Key]
	rotations   map[string][]Of[*Key] // by the key that is replaced
	follows     map[string][]Of[*Key] // rotations by the new key
	revocations map[string][]Of[*Key] // by the key
	commits     map[string][]Of[*Key] // inceptions, rotations and recoveries that commit to a recovery key, by key
	began       map[string]bool       // keys of inceptions
	introduced  map[ID]Of[*Key]       // introductions
}

// NewKeyring makes a Keyring of the key records among rs.
func NewKeyring(rs ...*Record) *Keyring {
	k := new(Keyring)
	for _, r := range rs {
		k.Add(r)
	}
	return k
}

// Clone gives a Keyring to which more can be added.
func (k *Keyring) Clone() *Keyring {
	c := *k
	c.delegations = maps.Clone(k.delegations)
	for _, m := range []*map[string][]Of[*Key]{&c.rotations, &c.follows, &c.revocations, &c.commits} {
		*m = maps.Clone(*m)
		for key, list := range *m {
			(*m)[key] = slices.Clip(list)
		}
	}
	c.began, c.introduced = maps.Clone(k.began), maps.Clone(k.introduced)
	return &c
}

// Add takes a key record into account; others are ignored.
func (k *Keyring) Add(r *Record) {
	b, ok := As[*Key](r)
	if !ok || !r.Header.Delegation.IsZero() {
		return // a delegate decides nothing about keys
	}
	switch b.Body.Op {
	case OpDelegate:
		put(&k.delegations, r.ID, b)
	case OpRotate:
		if !signedBy(r, b.Body.Key) || b.Body.Key == b.Body.Previous {
			return // the new key did not agree to follow
		}
		file(&k.rotations, b.Body.Previous, b)
		file(&k.follows, b.Body.Key, b)
	case OpRevoke:
		file(&k.revocations, b.Body.Key, b)
	case OpIntroduce:
		put(&k.introduced, r.ID, b)
	case OpInception, OpRecovery:
		if b.Body.Key != r.Header.Author {
			return // only a key itself says that it begins
		}
		if b.Body.Op == OpInception {
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
		into *map[string][]Of[*Key]
		from map[string][]Of[*Key]
	}{{&k.rotations, other.rotations}, {&k.follows, other.follows}, {&k.revocations, other.revocations}, {&k.commits, other.commits}} {
		for key, list := range m.from {
			for _, b := range list {
				file(m.into, key, b)
			}
		}
	}
	for key := range other.began {
		put(&k.began, key, true)
	}
	for id, b := range other.introduced {
		put(&k.introduced, id, b)
	}
}

func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = v
}

// file adds b to the list of a key, once.
func file(m *map[string][]Of[*Key], key string, b Of[*Key]) {
	if !slices.ContainsFunc((*m)[key], func(o Of[*Key]) bool { return o.ID == b.ID }) {
		put(m, key, append((*m)[key], b))
	}
}

func signedBy(r *Record, did string) bool {
	return slices.ContainsFunc(r.Sigs, func(s Signature) bool { return s.Key == did })
}

// Quiet reports whether no key was ever replaced or taken back.
func (k *Keyring) Quiet() bool { return len(k.rotations) == 0 && len(k.revocations) == 0 }

// Keeper is the principal whose own store this is.
func (k *Keyring) Keeper() string { return k.KeptBy }

// Voice tells with what voice r speaks.
func (k *Keyring) Voice(r *Record) Voice {
	v, fault := k.Judge(r)
	if fault != Sound {
		return Voice{}
	}
	return v
}

// Fault tells why r speaks for nobody.
func (k *Keyring) Fault(r *Record) Fault {
	_, fault := k.Judge(r)
	return fault
}

// Judge tells whose voice r claims, and what is wrong with the claim. Where
// something is, it is a stranger's.
func (k *Keyring) Judge(r *Record) (Voice, Fault) {
	h := &r.Header
	if h.Delegation.IsZero() {
		whose := k.Principal(h.Author)
		return Voice{Principal: whose, Owner: true}, k.ended(h.Author, whose, ID{}, r.ID)
	}
	d, held := k.delegations[h.Delegation]
	if !held || d.Body.Key != h.Author || !slices.Contains(d.Body.Origins, h.Origin) {
		return Voice{}, DelegationInvalid
	}
	v := Voice{Principal: k.Principal(d.Header.Author)}
	if fault := k.ended(d.Header.Author, v.Principal, ID{}, d.ID); fault != Sound {
		return v, fault
	}
	if e := d.Body.Expires; !e.IsZero() && h.At.After(e.Time) {
		return v, KeyExpired
	}
	return v, k.ended(h.Author, v.Principal, d.ID, r.ID)
}

// Knows reports whether a key record says that an owner's key began, or follows
// another.
func (k *Keyring) Knows(did string) bool { return k.began[did] || len(k.follows[did]) > 0 }

// Delegated gives a delegation that is held.
func (k *Keyring) Delegated(id ID) (Of[*Key], bool) {
	d, held := k.delegations[id]
	return d, held
}

// maxHistory bounds the history of one principal.
const maxHistory = 1 << 10

// Principal gives the key that began the history a key belongs to: itself, if it
// follows none.
func (k *Keyring) Principal(did string) string {
	for range maxHistory {
		before := ""
		for _, r := range k.follows[did] {
			if w := k.successor(r.Body.Previous); w != nil && w.ID == r.ID {
				before = r.Body.Previous
			}
		}
		if before == "" {
			break
		}
		did = before
	}
	return did
}

// Current gives the key that speaks now for the history a key belongs to.
func (k *Keyring) Current(did string) string {
	for range maxHistory {
		w := k.successor(did)
		if w == nil {
			break
		}
		did = w.Body.Key
	}
	return did
}

// successor gives the rotation that replaces a key. One signed by the recovery
// key comes before one by the key itself, which a thief can sign too; among the
// rest the first to come counts.
func (k *Keyring) successor(did string) *Of[*Key] {
	var best *Of[*Key]
	for i := range k.rotations[did] {
		r := &k.rotations[did][i]
		recovered := k.recovers(did, r.Header.Author)
		if !recovered && r.Header.Author != did {
			continue
		}
		if best == nil {
			best = r
			continue
		}
		if was := k.recovers(did, best.Header.Author); recovered != was {
			if recovered {
				best = r
			}
		} else if k.first(r.Record, best.Record) {
			best = r
		}
	}
	return best
}

// first reports whether a came before b; the smaller ID breaks a tie.
func (k *Keyring) first(a, b *Record) bool {
	x, known := k.arrival(a.ID)
	y, also := k.arrival(b.ID)
	switch {
	case known != also:
		return known
	case x.before(y) != y.before(x):
		return x.before(y)
	}
	return cmp.Compare(a.ID.Compare(b.ID), 0) < 0
}

func (k *Keyring) arrival(id ID) (Arrival, bool) {
	if k.Arrived == nil {
		return Arrival{}, false
	}
	return k.Arrived(id)
}

// Commitment gives what an inception, a rotation or a recovery says in next of
// the recovery key with this did.
func Commitment(did string) string {
	sum := sha256.Sum256([]byte(did))
	return hex.EncodeToString(sum[:])
}

// recovers reports whether a key is the recovery key to which another committed.
func (k *Keyring) recovers(did, by string) bool {
	if by == did || len(k.commits[did]) == 0 {
		return false
	}
	want := Commitment(by)
	return slices.ContainsFunc(k.commits[did], func(c Of[*Key]) bool {
		if c.Body.Next != want {
			return false
		}
		// what a thief commits to after the owner did, counts for nothing
		return !slices.ContainsFunc(k.commits[did], func(o Of[*Key]) bool {
			return o.ID != c.ID && o.Body.Next != want && k.first(o.Record, c.Record)
		})
	})
}

// ended tells whether a key, under a delegation or none, no longer spoke for a
// principal when a record of it came.
func (k *Keyring) ended(did, whose string, under, record ID) Fault {
	if len(k.rotations[did]) == 0 && len(k.revocations[did]) == 0 {
		return Sound
	}
	place, held := k.arrival(record)
	fault := Sound
	if v := k.revoked(did, whose, under, nil); v != nil && v.ID != record && k.after(v, place, held) {
		if v.Body.Reason == Compromised {
			return KeyCompromised
		}
		fault = KeyRevoked
	}
	if w := k.successor(did); w != nil && w.ID != record && k.later(w.Record, place, held) {
		fault = KeyRevoked
	}
	return fault
}

// later reports whether a record at a place came after r did.
func (k *Keyring) later(r *Record, place Arrival, held bool) bool {
	at, known := k.arrival(r.ID)
	return !held || known && at.before(place)
}

// Revoked gives the revocation that counts for a key where it speaks for a
// principal: the first to come of those by somebody entitled. It is nil where
// there is none.
func (k *Keyring) Revoked(did, whose string) *Of[*Key] { return k.revoked(did, whose, ID{}, nil) }

// revoked is Revoked for a key under a delegation, which may have been taken back
// alone; asking are the keys whose revocations are being judged already.
func (k *Keyring) revoked(did, whose string, under ID, asking []string) *Of[*Key] {
	if slices.Contains(asking, did) || len(asking) > maxAsking {
		return nil
	}
	asking = append(asking, did)
	var best *Of[*Key]
	for i := range k.revocations[did] {
		v := &k.revocations[did][i]
		if of := v.Body.Of; of != nil && (of.ID != under || under.IsZero()) {
			continue // it takes back another delegation, or an introduction
		}
		if (best == nil || k.first(v.Record, best.Record)) && k.entitled(did, whose, v, asking) {
			best = v
		}
	}
	return best
}

// maxAsking bounds how far revocations of those who revoke are followed.
const maxAsking = 16

// entitled reports whether the author of a revocation may take a key back: the
// key itself, its recovery key, the owner it speaks for, and in his own store its
// keeper.
func (k *Keyring) entitled(did, whose string, v *Of[*Key], asking []string) bool {
	by := v.Header.Author
	if by == did || k.recovers(did, by) {
		return true
	}
	if p := k.Principal(by); p != whose && (k.KeptBy == "" || p != k.KeptBy) {
		return false
	}
	place, held := k.arrival(v.ID)
	if w := k.successor(by); w != nil && k.later(w.Record, place, held) {
		return false // a key that was replaced takes nothing back
	}
	gone := k.revoked(by, k.Principal(by), ID{}, asking)
	return gone == nil || !k.after(gone, place, held)
}

// after reports whether a record came when a revocation already counted: after
// the place in the reader's log that it names, or else after itself.
func (k *Keyring) after(v *Of[*Key], place Arrival, held bool) bool {
	if !held {
		return true
	}
	agreed := false
	for line := range strings.Lines(v.Body.From) {
		space, size, root, ok := fromLine(line)
		if !ok || k.Agrees == nil || !k.Agrees(space, size, root) {
			continue
		}
		if agreed = true; space == place.Space {
			return place.Seq > size
		}
	}
	return agreed || k.later(v.Record, place, held)
}

// FromLine gives one line of a revocation's from: how long the log of a space
// was, and with what root, when the key was last believed.
func FromLine(space string, size int64, root string) string {
	return space + " " + strconv.FormatInt(size, 10) + " " + root
}

func fromLine(line string) (space string, size int64, root string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return "", 0, "", false
	}
	size, err := strconv.ParseInt(fields[1], 10, 64)
	return fields[0], size, fields[2], err == nil && size >= 0
}

// An Introduction is one principal's word that another is somebody.
type Introduction struct {
	By, Whom string // principals
	Key      string // as it was introduced
	Name     string
	Record   *Record
}

// Introductions gives those that were not taken back, the oldest first. A
// revocation that names an introduction of the same principal takes it back, and
// no record of the key's.
func (k *Keyring) Introductions() []Introduction {
	var out []Introduction
	for _, b := range k.introduced {
		v := k.Voice(b.Record)
		if !v.Owner || v.Principal == "" {
			continue
		}
		if back := slices.ContainsFunc(k.revocations[b.Body.Key], func(o Of[*Key]) bool {
			return o.Body.Of != nil && o.Body.Of.ID == b.ID && k.Voice(o.Record) == v
		}); !back {
			out = append(out, Introduction{v.Principal, k.Principal(b.Body.Key), b.Body.Key, b.Body.Name, b.Record})
		}
	}
	slices.SortFunc(out, func(a, b Introduction) int {
		return cmp.Or(a.Record.Header.At.Compare(b.Record.Header.At.Time), a.Record.ID.Compare(b.Record.ID))
	})
	return out
}

// Touched gives the keys whose records may speak otherwise once r, a record about
// a key, is known.
func Touched(r *Record) []string {
	b, ok := r.Body.(*Key)
	if !ok || b.Op == OpInception || b.Op == OpIntroduce {
		return nil
	}
	if b.Previous != "" {
		return []string{b.Key, b.Previous}
	}
	return []string{b.Key}
}
