package store

import (
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// refold is one run of Refold.
type refold struct {
	rows     Rows
	now      time.Time
	queue    []memory.ID               // records whose state may have changed
	queued   map[memory.ID]bool        // those in the queue
	fresh    map[memory.ID]bool        // new, and nothing waited for them
	resting  map[memory.ID][]memory.ID // what of the batch rests on a record
	late     map[memory.ID]bool        // something under them is new, whatever their own bits say
	notified map[memory.ID]bool        // those that were late once
	forked   []memory.ID               // revisions whose rivals must be compared
	asked    map[string]bool           // keys whose records are queued
	replaced map[memory.ID]bool        // records whose predecessors are queued
	decided  map[memory.ID]bool        // records that hold now and did not, or the other way round
	purged   []memory.ID               // records held whose state says that they were purged
}

func newRefold(rows Rows, now time.Time) *refold {
	return &refold{
		rows: rows, now: now,
		queued: make(map[memory.ID]bool), notified: make(map[memory.ID]bool),
		fresh: make(map[memory.ID]bool), late: make(map[memory.ID]bool), replaced: make(map[memory.ID]bool),
		decided: make(map[memory.ID]bool),
		resting: make(map[memory.ID][]memory.ID), asked: make(map[string]bool),
	}
}

// ring returns the keyring of the records held, nil if it cannot be read.
func (f *refold) ring() (*state.Keyring, error) {
	who, err := f.rows.Voices()
	ring, _ := who.(*state.Keyring)
	return ring, err
}

func (f *refold) want(ids ...memory.ID) {
	for _, id := range ids {
		if !f.queued[id] {
			f.queued[id] = true
			f.queue = append(f.queue, id)
		}
	}
}

// fold computes a state from all claims about r and from the sources of r.
func (f *refold) fold(r *memory.Record) (state.State, error) {
	about, err := f.about(r.ID)
	if err != nil {
		return state.State{}, err
	}
	return f.foldOf(r, about)
}

func (f *refold) foldOf(r *memory.Record, about []*memory.Record) (state.State, error) {
	who, err := f.rows.Voices()
	if err != nil {
		return state.State{}, err
	}
	s, err := state.FoldAmong(r, about, f.now, who, f.look)
	if err != nil {
		return s, err
	}
	old, was, err := f.rows.State(r.ID)
	if err != nil {
		return s, err
	}
	s.Outranked = was && old.Outranked // compareRivals decides
	if by := old.SupersededBy; s.SupersededBy.IsZero() && !by.IsZero() {
		g, _, err := f.rows.State(by)
		if err != nil {
			return s, err
		}
		if g.Purged {
			s.SupersededBy = by
		}
	}
	g, err := f.grounds(r, old)
	s.AnyRaw, s.ReachesRaw = g.words, g.event
	return s, err
}

// look returns a record with what is said of it, for records that it may replace.
func (f *refold) look(ref memory.Ref) (*memory.Record, []*memory.Record, error) {
	r, err := f.rows.Record(ref.ID)
	if err != nil {
		return nil, nil, err
	}
	about, err := f.about(ref.ID)
	return r, about, err
}

func (f *refold) about(id memory.ID) ([]*memory.Record, error) {
	speakers, err := f.rows.Pointing(id, claimRels...)
	if err != nil {
		return nil, err
	}
	if t, ok := f.rows.(Telling); ok {
		if speakers, err = t.Telling(speakers); err != nil {
			return nil, err
		}
	}
	about := make([]*memory.Record, 0, len(speakers))
	for _, s := range speakers {
		c, err := f.rows.Record(s)
		if err != nil {
			return nil, err
		}
		if c != nil {
			about = append(about, c)
		}
	}
	return about, nil
}
