package store

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// Rows is what Refold needs of a store inside one transaction. Records of the
// batch being appended are among the rows.
type Rows interface {
	// Record returns a held record, nil when it is not held or was purged.
	Record(id memory.ID) (*memory.Record, error)
	// Pointing returns the records that draw one of these arrows to id.
	Pointing(id memory.ID, rels ...graph.Relation) ([]memory.ID, error)
	// ByAuthor returns what a key wrote.
	ByAuthor(author string) ([]memory.ID, error)
	// State returns the state last put, false when none was.
	State(id memory.ID) (state.State, bool, error)
	// PutState keeps a state.
	PutState(r *memory.Record, s state.State) error
	// Voices returns the voices that follow from the key records held.
	Voices() (state.Voices, error)
}

// Ahead is what Rows can do that read many records as quickly as one.
type Ahead interface {
	// Ahead reads records, what points at them, and what does so by one of rels,
	// so that asking for each finds it. It is called when no arrow is added any more.
	Ahead(ids []memory.ID, rels ...graph.Relation) error
}

// Telling is what Rows can do that know of some claims that no state follows from them.
type Telling interface {
	// Telling returns those of some claims that a state may follow from, in their order,
	// and reads them together.
	Telling(claims []memory.ID) ([]memory.ID, error)
}

// Mute reports whether no state follows from a claim, now or later: it says that the same was said again.
func Mute(c *memory.Record, now time.Time) bool {
	m, ok := c.Body.(*memory.Mark)
	return ok && m.Verb == memory.Said && len(c.Header.Provenance.Supersedes) == 0 && !c.Header.At.Time().After(now)
}

// readAhead is how many records are read ahead at a time.
const readAhead = 512

// Refold brings the states up to date that records just added can have changed:
// of what they speak of, of themselves when something spoke of them before they
// came, and of what rests on them. awaited reports whether anything pointed at a
// record before it was held; again are claims held that speak otherwise now. It
// returns what it found purged and still held: whoever obeys erases the bytes.
func Refold(
	rows Rows, added []*memory.Record, awaited func(memory.ID) bool, again []*memory.Record, now time.Time,
) (purged []memory.ID, err error) {
	f := newRefold(rows, now)
	for _, r := range added {
		if err := f.added(r, awaited(r.ID)); err != nil {
			return nil, err
		}
	}
	for _, c := range again {
		ring, err := f.ring()
		if err == nil && ring != nil {
			err = f.keysChanged(ring, named(c))
		}
		if err == nil {
			err = f.again(c)
		}
		if err != nil {
			return nil, err
		}
	}
	err = f.run()
	return f.purged, err
}

// Unsay brings the states up to date of what records spoke of whose bytes are gone
// now. What they said of others is said no more. Only what a purged revision
// replaced stays replaced, and what rested on purged words still rests on words:
// what was there once is not to be undone by forgetting it.
func Unsay(rows Rows, gone []*memory.Record, now time.Time) error {
	f := newRefold(rows, now)
	for _, r := range gone {
		s, _, err := rows.State(r.ID)
		if err != nil {
			return err
		}
		for _, e := range graph.Edges(r) {
			if !slices.Contains(claimRels, e.Rel) {
				continue
			}
			f.want(e.To)
			if e.Rel == graph.Supersedes && s.Active() {
				f.forked = append(f.forked, e.To) // a rival is to be shown in its place
			}
		}
	}
	return f.run()
}

// MayGo reports whether the bytes of a record may be purged at all: who may speak,
// and what was purged, follows from keys and marks.
func MayGo(r *memory.Record) bool {
	return r.Header.Kind != memory.KindKey && r.Header.Kind != memory.KindMark
}

// Current computes the state of one record again, for a claim dated ahead that
// has come due. It writes nothing.
func Current(rows Rows, r *memory.Record, now time.Time) (state.State, error) {
	f := &refold{rows: rows, now: now}
	s, err := f.fold(r)
	if err != nil || !r.Header.Kind.IsMemory() {
		return s, err
	}
	s.Outranked = false
	if len(r.Header.Provenance.Supersedes) == 0 {
		return s, nil
	}
	if by := s.SupersededBy; !by.IsZero() {
		next, err := rows.Record(by)
		if err != nil || next != nil && slices.Contains(next.Header.Provenance.Supersedes, r.Ref()) {
			return s, err // a revision took its place: it is no rival
		}
	}
	outranked, due, err := f.rank(r)
	s.Outranked, s.Due = outranked, Earlier(s.Due, due)
	return s, err
}

// added queues what a new record can have changed.
func (f *refold) added(r *memory.Record, awaited bool) error {
	mute := Mute(r, f.now)
	for _, e := range graph.Edges(r) {
		if mute || !slices.Contains(claimRels, e.Rel) {
			continue
		}
		f.want(e.To)
		if e.Rel == graph.Supersedes {
			f.forked = append(f.forked, r.ID)
		}
	}
	ring, err := f.ring()
	if err != nil {
		return err
	}
	if awaited || len(r.Header.Provenance.From) > 0 || ring != nil && Suspect(ring, r) {
		f.want(r.ID)
	}
	for _, src := range r.Header.Provenance.From {
		f.resting[src.ID] = append(f.resting[src.ID], r.ID)
	}
	if awaited {
		f.forked = append(f.forked, r.ID)
		f.tell(r.ID)
		if err := f.tellLinks(r); err != nil {
			return err
		}
	} else {
		f.fresh[r.ID] = true
	}
	if ring == nil {
		return nil
	}
	return f.keysChanged(ring, touched(r, ring))
}

func (f *refold) run() error {
	ahead, quick := f.rows.(Ahead)
	for read := 0; len(f.queue) > 0; f.queue = f.queue[1:] {
		if read--; quick && read < 0 {
			read = min(len(f.queue), readAhead) - 1
			if err := ahead.Ahead(f.queue[:read+1], claimRels...); err != nil {
				return err
			}
		}
		id := f.queue[0]
		delete(f.queued, id)
		r, err := f.rows.Record(id)
		if err != nil {
			return err
		}
		if r == nil { // not held yet, or purged
			if err := f.tellLinked(id); err != nil {
				return err
			}
			continue
		}
		if err := f.put(r); err != nil {
			return err
		}
	}
	return f.compareRivals()
}

// put folds r again and, where what it rests on has changed, queues what rests
// on it.
func (f *refold) put(r *memory.Record) error {
	old, _, err := f.rows.State(r.ID)
	if err != nil {
		return err
	}
	about, err := f.about(r.ID)
	if err != nil {
		return err
	}
	s, err := f.foldOf(r, about)
	if err != nil {
		return err
	}
	if err := f.rows.PutState(r, s); err != nil {
		return err
	}
	if s.Purged {
		f.purged = append(f.purged, r.ID)
	}
	f.tellReplaced(r, about, &old, &s)
	late := f.late[r.ID]
	if !late && old.AnyRaw == s.AnyRaw && old.ReachesRaw == s.ReachesRaw {
		return nil
	}
	delete(f.late, r.ID)
	derived, err := f.restingOn(r.ID)
	if late {
		f.tell(derived...)
	}
	f.want(derived...)
	return err
}

// tell marks records that something new was derived from. Everything that rests on them is
// computed again, even if no bit between has changed: whose words the new ones are depends on
// the run.
func (f *refold) tell(ids ...memory.ID) {
	for _, id := range ids {
		if !f.notified[id] {
			f.notified[id], f.late[id] = true, true
		}
	}
}

// restingOn returns what is derived from a record. Only the same batch can rest on one that
// has just arrived and was not awaited.
func (f *refold) restingOn(id memory.ID) ([]memory.ID, error) {
	if f.fresh[id] {
		return f.resting[id], nil
	}
	return f.rows.Pointing(id, graph.DerivedFrom)
}
