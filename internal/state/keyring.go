package state

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// maxFrom bounds how many lines of a stranger's from are read: each may ask for the
// root of a whole log.
const maxFrom = 64

// An Arrival is a place in a reader's log.
type Arrival struct {
	Space string
	Seq   int64
	At    time.Time // when it came, by the reader's clock; zero is long ago
}

// compare orders places: by the clock, which within a space never goes back, then
// by space, so that one order holds for all.
func (a Arrival) compare(b Arrival) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Space, b.Space), cmp.Compare(a.Seq, b.Seq))
}

// A Keyring is the Voices that follow from key records. A record under no
// delegation speaks for the history of its own key; one under a delegation for
// that of the key which signed the delegation, if that is held and allows it. A
// key that was replaced or taken back speaks no more: what counts is when its
// records came to the reader, never what they say of themselves.
//
// Signatures are the caller's affair: only records whose signatures hold may be
// added. The zero Keyring holds nothing. It is not safe for concurrent use while
// Add is called.
type Keyring struct {
	// Arrived returns the place of a record in the reader's log. If it is nil or returns
	// false, the record has not arrived, and so comes after everything.
	Arrived func(memory.ID) (Arrival, bool)
	// Agrees reports whether the reader's log of a space had this root, in base64, when
	// it held size records. Nil agrees with nothing.
	Agrees func(space string, size int64, root string) bool
	// KeptBy is the principal whose own store this is.
	KeptBy string

	delegations map[memory.ID]Of[*memory.Key]
	rotations   map[string][]Of[*memory.Key]  // by the key that is replaced
	follows     map[string][]Of[*memory.Key]  // rotations by the new key
	revocations map[string][]Of[*memory.Key]  // by the key
	commits     map[string][]Of[*memory.Key]  // inceptions, rotations and recoveries that commit to a recovery key, by key
	counted     map[mark][]Of[*memory.Key]    // revocations by a place in a log that they name
	began       map[string]bool               // keys of inceptions
	introduced  map[memory.ID]Of[*memory.Key] // introductions
	keepers     map[string][]Of[*memory.Key]  // appointments of keepers, by space
	heirNames   map[string][]Of[*memory.Key]  // introductions that name next owners, by space
	holds       map[memory.ID]*held           // what revocations say of the decisions that hold
	accepts     map[memory.ID]Of[*memory.Key] // acceptances of keepers
}

// A mark is how long the log of a space was.
type mark struct {
	space string
	size  int64
}

// NewKeyring makes a Keyring of the key records among rs.
func NewKeyring(rs ...*memory.Record) *Keyring {
	k := new(Keyring)
	for _, r := range rs {
		k.Add(r)
	}
	return k
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

func signedBy(r *memory.Record, did string) bool {
	return slices.ContainsFunc(r.Sigs, func(s memory.Signature) bool { return s.Key == did })
}

// Quiet reports whether no key was ever replaced or taken back.
func (k *Keyring) Quiet() bool { return len(k.rotations) == 0 && len(k.revocations) == 0 }

// Keeper is the principal whose own store this is.
func (k *Keyring) Keeper() string { return k.KeptBy }

// Arrival returns the place of a record in the reader's log, false where it has none.
func (k *Keyring) Arrival(id memory.ID) (Arrival, bool) {
	if k.Arrived == nil {
		return Arrival{}, false
	}
	return k.Arrived(id)
}

// Handed returns the keys to which rotations of a key hand over, whether they count
// or not.
func (k *Keyring) Handed(did string) []string {
	var out []string
	for _, r := range k.rotations[did] {
		out = append(out, r.Body.Key)
	}
	return out
}

// Awaited returns the keys whose records may speak otherwise once the log of a space
// has a record at a place: a revocation counts from there.
func (k *Keyring) Awaited(space string, seq int64) []string {
	var out []string
	for _, v := range k.counted[mark{space, seq}] {
		out = append(out, k.Touched(v.Record)...)
	}
	return out
}

// Knows reports whether a key record says that an owner's key began, or follows
// another.
func (k *Keyring) Knows(did string) bool { return k.began[did] || len(k.follows[did]) > 0 }

// Delegated returns a delegation that is held.
func (k *Keyring) Delegated(id memory.ID) (Of[*memory.Key], bool) {
	d, held := k.delegations[id]
	return d, held
}

// A moment is when a record arrived. Records that are not held come after all others.
type moment struct {
	k     *Keyring
	id    memory.ID
	asked bool // place and held are known
	held  bool
	place Arrival
}

// moment returns the moment of a record. The log is asked once it matters.
func (k *Keyring) moment(id memory.ID) *moment { return &moment{k: k, id: id} }

func (m *moment) ask() {
	if !m.asked && m.k.Arrived != nil {
		m.place, m.held = m.k.Arrived(m.id)
	}
	m.asked = true
}

// compare orders all moments; the smaller ID breaks a tie.
func (m *moment) compare(o *moment) int {
	m.ask()
	o.ask()
	switch {
	case m.held != o.held:
		if m.held {
			return -1
		}
		return 1
	case !m.held:
		return m.id.Compare(o.id)
	}
	return cmp.Or(m.place.compare(o.place), m.id.Compare(o.id))
}

func (m *moment) before(o *moment) bool { return m.compare(o) < 0 }

// first reports whether a came before b.
func (k *Keyring) first(a, b *memory.Record) bool { return k.moment(a.ID).before(k.moment(b.ID)) }

// surely reports whether a is in the log and came before b. Where there is no log,
// nothing came before anything.
func (k *Keyring) surely(a, b *memory.Record) bool {
	at := k.moment(a.ID)
	at.ask()
	return at.held && at.before(k.moment(b.ID))
}

// A fromLine is one line of a revocation's from.
type fromLine struct {
	space string
	size  int64
	root  string
}

func fromLines(text string) []fromLine {
	var out []fromLine
	for line := range strings.Lines(text) {
		if len(out) == maxFrom {
			break
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		if size, err := strconv.ParseInt(fields[1], 10, 64); err == nil && size >= 0 {
			out = append(out, fromLine{fields[0], size, fields[2]})
		}
	}
	return out
}
