package peer

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Taking is the part of a hub that knows which machines took in a purge, because each says how far it took the logs.
type Taking interface {
	// Took says how far the caller's store took in logs: it stored, or erased, all records before that place.
	Took(ctx context.Context, in Taken) (Taken, error)
	// Purged says which machines of a space took in purges. Only a person who keeps the space may ask.
	Purged(ctx context.Context, in PurgedRequest) (Purged, error)
}

// Bounds on what a store says about the logs that it took.
const (
	MostTaken     = 1000 // spaces in one request
	mostStoreName = 80
)

// Taken is how far a store took the logs of a hub. In the reply, it is what the hub noted.
type Taken struct {
	Store  string `json:"store"`
	Spaces []Took `json:"spaces"`
}

// Took is how far a store took one log. The root shows that it is a place in this log, and not in one that the hub had
// before somebody restored it.
type Took struct {
	Space  string      `json:"space"`
	Size   int64       `json:"size"`
	Root   string      `json:"root,omitempty"`
	Filter Filter      `json:"filter"`
	Waits  []memory.ID `json:"waits,omitempty"` // records before that place that the store refused
}

// TookOf returns how far a store took the log of a space, by what it remembers of it.
func TookOf(space string, p *Place, f Filter) (Took, error) {
	out := Took{Space: space, Size: p.Pull, Filter: f}
	tree, err := p.frontier()
	if err == nil && tree.Size() > 0 {
		out.Root = headOf(&tree).Root
	}
	for _, r := range p.Refused {
		if !r.ID.IsZero() {
			out.Waits = append(out.Waits, r.ID)
		}
	}
	return out, err
}

// Valid reports whether a hub can note this.
func (t *Taken) Valid() bool {
	plain := func(r rune) bool { return r > ' ' && r != '/' && r < 0x7f }
	return t.Store != "" && len(t.Store) <= mostStoreName && len(t.Spaces) <= MostTaken &&
		!slices.ContainsFunc([]rune(t.Store), func(r rune) bool { return !plain(r) }) &&
		!slices.ContainsFunc(t.Spaces, func(one Took) bool {
			return one.Size < 0 || len(one.Root) > 2*mostStoreName || len(one.Waits) > 2*mostRefused ||
				len(one.Filter.Kinds)+len(one.Filter.Tags) > mostWords
		})
}

// PurgedRequest asks what became of purges in a space.
type PurgedRequest struct {
	Space  string    `json:"space"`
	Purges []Purging `json:"purges"`
}

// Purging names a purged record, and the marks that purge it.
type Purging struct {
	ID    memory.ID   `json:"id"`
	Marks []memory.ID `json:"marks"`
}

// Purged says what became of purges in a space at a hub.
type Purged struct {
	Space    string        `json:"space"`
	Archived bool          `json:"archived,omitempty"` // no purge arrives while the space is
	Records  []PurgedThere `json:"records"`
	Machines []Machine     `json:"machines"`
}

// PurgedThere is one purged record at a hub.
type PurgedThere struct {
	ID    memory.ID `json:"id"`
	Words bool      `json:"words,omitempty"` // the hub still has them
	Mark  bool      `json:"mark,omitempty"`  // a purge of it came
}

// A Machine is a store of a member of a space, and whether it took in purges. All of it is what the machine said.
type Machine struct {
	Account string     `json:"account"`
	Name    string     `json:"name"` // that the member chose
	Role    store.Role `json:"role,omitempty"`
	Token   string     `json:"token,omitempty"` // its public id; "" is a member of whom no token is left
	Label   string     `json:"label,omitempty"`
	Store   string     `json:"store,omitempty"` // "" has not said how far it is
	State   string     `json:"state"`
	Seen    time.Time  `json:"seen,omitzero"` // when it asked the hub for anything last
	Took    time.Time  `json:"took,omitzero"` // when it said last how far it is
	Left    time.Time  `json:"left,omitzero"` // since then it cannot take in anything
}

// What a machine can be.
const (
	MachineErased   = "erased"   // it took in the purges
	MachinePending  = "pending"  // not yet
	MachineFiltered = "filtered" // its filter leaves out the purge, so it says nothing about it
	MachineUnknown  = "unknown"  // it has not said how far it is: an earlier version, or it never synced
	MachineLeft     = "left"     // it may have the words, and can take in nothing any more
)

// A Judge says of stores that took a log so far whether they took in purges.
type Judge struct {
	Records []PurgedThere
	Of      func(Took) (state string)
	// Since is when the first of the records came to the hub, and Until when all were purged there. Zero is unknown.
	Since, Until time.Time
}

// A Judging is a Remote that judges.
type Judging interface {
	Judge(ctx context.Context, in PurgedRequest) (Judge, error)
}

// MostPurges is how many purges one request asks about.
const MostPurges = 100

// Judge looks up where the purges stand in the log of a space.
func (s *session) Judge(ctx context.Context, in PurgedRequest) (Judge, error) {
	var out Judge
	if err := s.allowed(in.Space, Reader); err != nil {
		return out, err
	}
	ring, err := s.store.Keyring(ctx)
	if err != nil {
		return out, err
	}
	began := true // the times of all records are known
	arrived := make([]purging, len(in.Purges))
	for i, p := range in.Purges {
		items, err := s.store.Get(ctx, append([]memory.ID{p.ID}, p.Marks...)...)
		if err != nil {
			return out, err
		}
		there := PurgedThere{ID: p.ID}
		if r := items[0]; r != nil {
			there.Words = r.Record != nil
			if began = began && !r.Came.IsZero(); out.Since.IsZero() || r.Came.Before(out.Since) {
				out.Since = r.Came
			}
		}
		arrived[i] = purgingOf(items[1:], in.Space, p.ID, ring)
		there.Mark = len(arrived[i].marks) > 0
		if at := arrived[i].came(); at.After(out.Until) {
			out.Until = at
		}
		out.Records = append(out.Records, there)
	}
	if slices.ContainsFunc(out.Records, func(r PurgedThere) bool { return r.Words || !r.Mark }) {
		out.Until = time.Time{}
	}
	if !began {
		out.Since = time.Time{}
	}
	roots := make(map[int64]string) // most machines are at the same place
	out.Of = func(t Took) string {
		root, known := roots[t.Size]
		if t.Size > 0 && !known {
			if root, err := s.root(ctx, in.Space, t.Size); err == nil {
				roots[t.Size] = root
			}
			root = roots[t.Size]
		}
		if t.Size > 0 && (root == "" || root != t.Root) {
			return MachinePending // it knows another log
		}
		state := MachineErased
		for i := range in.Purges {
			switch one := arrived[i].judged(t); {
			case one == MachineFiltered:
				state = one
			case one == MachinePending, out.Records[i].Words: // a purge that erases nothing here erased nothing there
				return MachinePending
			}
		}
		return state
	}
	return out, nil
}

// purges reports whether what a store has is the purge of a record, in a space.
func purges(it *store.Item, space string, of memory.ID) bool {
	if it == nil || it.Record == nil || it.Record.Header.Space != space {
		return false
	}
	m, ok := it.Record.Body.(*memory.Mark)
	return ok && m.Verb == memory.Purge &&
		slices.ContainsFunc(memory.Subjects(m), func(r memory.Ref) bool { return r.ID == of })
}

// purging is the marks that purge a record. Sure are those by the owner of the space: they count. Of a mark by
// another it cannot be told any more whether it does, since the record that says who wrote it is gone.
type purging struct {
	marks []*store.Item
	sure  bool
}

// purgingOf returns the marks by the space's owner, or where there is none those by others.
func purgingOf(items []*store.Item, space string, of memory.ID, ring *state.Keyring) (p purging) {
	for _, it := range items {
		if !purges(it, space, of) {
			continue
		}
		v := ring.Voice(it.Record)
		sure := v.Owner && state.OwnsSpace(v, space, ring)
		switch {
		case sure == p.sure:
			p.marks = append(p.marks, it)
		case sure:
			p = purging{[]*store.Item{it}, true}
		}
	}
	return p
}

// came returns since when the record was purged: from the first mark that counts, or the last that may.
func (p purging) came() (at time.Time) {
	for _, it := range p.marks {
		if at.IsZero() || it.Came.Before(at) == p.sure {
			at = it.Came
		}
	}
	return at
}

// judged says whether a store took in a purge of the record: one that counts, or all that may.
func (p purging) judged(t Took) string {
	chosen, took := 0, 0
	for _, it := range p.marks {
		if !t.Filter.Chooses(it.Record) {
			continue
		}
		if chosen++; int64(it.Seq) <= t.Size && !slices.Contains(t.Waits, it.Ref.ID) {
			took++
		}
	}
	switch {
	case len(p.marks) > 0 && chosen == 0:
		return MachineFiltered
	case took > 0 && (p.sure || took == chosen):
		return MachineErased
	}
	return MachinePending
}

// root returns the root of the log of a space when it had a size.
func (h *Hub) root(ctx context.Context, space string, size int64) (string, error) {
	head, err := h.head(ctx, space)
	if err != nil || size > head.Size {
		return "", err
	}
	if _, err := h.consistency(ctx, space, size, head.Size); err != nil { // which reads the tree
		return "", err
	}
	if size == head.Size {
		return head.Root, nil
	}
	one := h.space(space)
	one.mu.Lock()
	defer one.mu.Unlock()
	root, err := one.tree.Root(size)
	return ledger.EncodeHash(root), err
}
