package store

import (
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// Superseded reports whether somebody who may has replaced a held record: what
// Batch.Expect forbids. A stranger's revision replaces nothing, and one dated
// ahead replaces nothing yet.
func Superseded(rows Rows, id memory.ID, now time.Time) (bool, error) {
	r, err := rows.Record(id)
	if err != nil || r == nil {
		return false, err
	}
	if r.Header.Kind.IsMemory() {
		s, err := Current(rows, r, now)
		return !s.SupersededBy.IsZero(), err
	}
	who, err := rows.Voices()
	if err != nil {
		return false, err
	}
	next, err := rows.Pointing(id, graph.Supersedes)
	for _, n := range next {
		c, err := rows.Record(n)
		if err != nil {
			return false, err
		}
		if c != nil && state.May(who.Voice(c), r, who) {
			return true, nil
		}
	}
	return false, err
}

// Derived reports whether d has been made: what Batch.Absent forbids.
func Derived(rows Rows, d Derivation) (bool, error) {
	made, err := rows.Pointing(d.From, graph.DerivedFrom)
	for _, id := range made {
		r, err := rows.Record(id)
		if err != nil {
			return false, err
		}
		if r != nil && r.Header.Kind == d.Kind && r.Header.Provenance.Via == d.Via {
			return true, nil
		}
	}
	return false, err
}

// Draws reports whether r's arrow e counts once it is known that e.To is of a
// kind: a ref that names another kind than the record's draws none.
func Draws(r *memory.Record, e graph.Edge, kind memory.Kind) bool {
	if e.Rel == graph.Recalled {
		return true // recalled ids name no kind
	}
	for _, c := range r.Cites() {
		if c.ID == e.To && c.Kind == kind {
			return true
		}
	}
	return false
}

// Checked asks b's Check of the records that are new.
func (b *Batch) Checked(fresh []*memory.Record) error {
	if b.Check == nil {
		return nil
	}
	for _, r := range fresh {
		if err := b.Check(r); err != nil {
			return err
		}
	}
	return nil
}
