package peer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// mostRefused is how many refusals of a space are saved. A peer that sends so many bad records
// is not asked for more.
const mostRefused = 1000

// Place is what a store remembers of a space that it shares with a peer. It is kept
// in the store, so that a store restored from a backup remembers what it then knew.
type Place struct {
	Push int64  `json:"push"` // how far the own log was offered
	Pull int64  `json:"pull"` // how far the peer's log was taken
	Tree []byte `json:"tree"` // the frontier of the peer's log there
	Held Head   `json:"held"` // the last that the peer said of its log

	Role    Role      `json:"role,omitempty"`    // what the peer lets this store do in the space
	Filter  string    `json:"filter,omitempty"`  // fingerprint of the filter with which both were reached
	KeysIn  string    `json:"keys_in,omitempty"` // the peer's key records were taken as they were then
	KeysOut string    `json:"keys_out,omitempty"`
	Refused []Refusal `json:"refused,omitempty"` // by this store, of what the peer gave
	Back    []Refusal `json:"back,omitempty"`    // by the peer, of what this store gave

	// Parts of the own log beyond Push that came from this peer, each after one position up to another.
	Has [][2]int64 `json:"has,omitempty"`

	// the peer calls them purged, and nothing else was known of them when it did
	Gone     []memory.Ref `json:"gone,omitempty"`
	MoreGone bool         `json:"more_gone,omitempty"` // than could be remembered

	raw []byte // as it was read
}

// placeName is where the place of a space is remembered. What the peer is called in
// it is the caller's affair.
func placeName(peer, space string) string { return "peer/" + peer + "/" + space }

// PlacesOf begins the names of all places.
const PlacesOf = "peer/"

// PlaceName reads the name of a place; ok is false for other names.
func PlaceName(name string) (peer, space string, ok bool) {
	name, ok = strings.CutPrefix(name, PlacesOf)
	if !ok {
		return "", "", false
	}
	return strings.Cut(name, "/")
}

// pinName is where it is remembered who a peer is.
func pinName(peer string) string { return "peer/" + peer }

// Pin is who a peer was when it was met first.
type Pin struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// PlaceOf reads the place of a space.
func PlaceOf(raw []byte) (*Place, error) {
	p := &Place{raw: raw}
	if len(raw) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, fmt.Errorf("the saved state of a peer is damaged: %w", err)
	}
	if _, err := p.frontier(); err != nil {
		return nil, err
	}
	return p, nil
}

// frontier returns the tree over the peer's log as far as it was taken.
func (p *Place) frontier() (ledger.Frontier, error) {
	var f ledger.Frontier
	if len(p.Tree) == 0 && p.Pull == 0 {
		return f, nil
	}
	if err := f.UnmarshalBinary(p.Tree); err != nil || f.Size() != p.Pull {
		return f, fmt.Errorf("the saved state of a peer is damaged: no tree of %d records", p.Pull)
	}
	return f, nil
}

// reached moves the place in the peer's log.
func (p *Place) reached(f ledger.Frontier, head Head) error {
	tree, err := f.MarshalBinary()
	p.Pull, p.Tree, p.Held = f.Size(), tree, head
	return err
}

// mostHas bounds how many parts of the own log are remembered as the peer's.
const mostHas = 100

// came remembers that a part of the own log came from the peer.
func (p *Place) came(after, to int64) {
	if n := len(p.Has); n > 0 && p.Has[n-1][1] == after {
		p.Has[n-1][1] = to
	} else if n < mostHas {
		p.Has = append(p.Has, [2]int64{after, to})
	}
}

// gave moves the place in the own log.
func (p *Place) gave(to int64) {
	p.Push = to
	p.Has = slices.DeleteFunc(p.Has, func(part [2]int64) bool { return part[1] <= to })
}

// Theirs reports whether what is at a position of the own log came from the peer.
func (p *Place) Theirs(at int64) bool {
	return slices.ContainsFunc(p.Has, func(part [2]int64) bool { return part[0] < at && at <= part[1] })
}

// refuse remembers a refusal, once for each record.
func refuse(list []Refusal, r Refusal) []Refusal {
	list = slices.DeleteFunc(list, func(o Refusal) bool { return !r.ID.IsZero() && o.ID == r.ID })
	r.Why = shorten.To(r.Why, 300)
	return append(list, r)
}

// taken forgets the refusals of records that are held now.
func taken(list []Refusal, held func(memory.ID) bool) []Refusal {
	return slices.DeleteFunc(list, func(r Refusal) bool { return held(r.ID) })
}

// print returns the fingerprint of a filter.
func (f Filter) print() string {
	if f.all() {
		return ""
	}
	raw, err := json.Marshal(f)
	if err != nil {
		return "?" // never: it holds words alone
	}
	return digest(raw)
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	const enough = 16
	return hex.EncodeToString(sum[:enough])
}

// DigestIDs returns a word that is another for other ids.
func DigestIDs(ids []memory.ID) string {
	ids = slices.Clone(ids)
	sorting.By(ids, memory.ID.Compare)
	var b bytes.Buffer
	for _, id := range ids {
		b.Write(id[:])
	}
	return digest(b.Bytes())
}

func (f Filter) all() bool { return len(f.Kinds) == 0 && len(f.Tags) == 0 && !f.NoRaw }

// byKind reports whether a filter chooses a record by its kind alone: nothing else of it
// need be read.
func (f Filter) byKind() bool { return len(f.Kinds) == 0 && len(f.Tags) == 0 }

// kind reports whether a filter may choose a record of a kind.
func (f Filter) kind(k memory.Kind) bool {
	switch {
	case k == memory.KindKey:
		return true
	case k == memory.KindRaw && f.NoRaw:
		return false
	}
	return len(f.Kinds) == 0 || slices.Contains(f.Kinds, k)
}

// Chooses reports whether a filter chooses a record. That something was purged goes with
// whatever it may have chosen: else the words would stay with those who were given them.
func (f Filter) Chooses(r *memory.Record) bool {
	if m, ok := r.Body.(*memory.Mark); ok && m.Verb == memory.Purge &&
		slices.ContainsFunc(memory.Subjects(m), func(of memory.Ref) bool { return f.kind(of.Kind) }) {
		return true
	}
	if !f.kind(r.Header.Kind) {
		return false
	}
	if len(f.Tags) == 0 || r.Header.Kind == memory.KindKey {
		return true
	}
	return slices.ContainsFunc(r.Header.Tags, func(t string) bool { return slices.Contains(f.Tags, t) })
}
