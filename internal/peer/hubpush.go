package peer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// Offer says which records are not held.
func (s *session) Offer(ctx context.Context, in Offer) (Wanted, error) {
	if err := s.allowed(in.Space, Writer); err != nil {
		return Wanted{}, err
	}
	if len(in.IDs) > MostIDs {
		return Wanted{}, fmt.Errorf("%w: %d ids at once, the most is %d", ErrRequest, len(in.IDs), MostIDs)
	}
	lacks, err := unheld(ctx, s.store, in.IDs)
	return Wanted{lacks}, err
}

// Push verifies records and stores those that are good, together.
func (s *session) Push(ctx context.Context, in Push) (Acks, error) {
	var acks Acks
	if err := s.allowed(in.Space, Writer); err != nil {
		return acks, err
	}
	if len(in.Lines) > MostLines {
		return acks, fmt.Errorf("%w: %d records at once, the most is %d", ErrRequest, len(in.Lines), MostLines)
	}
	book, err := s.keyBook(ctx)
	if err != nil {
		return acks, err
	}
	j := judging{space: in.Space, acks: &acks, lines: envelope.ReadAll(in.Lines)}
	if err := s.weigh(ctx, &j, book); err != nil {
		return acks, err
	}
	j.judge()
	if len(j.good) == 0 {
		return acks, nil
	}
	var lacks []memory.ID
	if slices.ContainsFunc(j.good, func(r *memory.Record) bool { return r.Header.Space != in.Space }) {
		if lacks, err = unheld(ctx, s.store, IDs(j.good)); err != nil { // a key that came with what it wrote elsewhere, say
			return acks, err
		}
	}
	got, err := s.keep(ctx, in.Space, j.good)
	if err != nil {
		return acks, err
	}
	acks.Added = got.Added
	switch {
	case got.Added == len(j.good):
		acks.Stored = IDs(j.good)
	case got.Added > 0 && got.Added == len(lacks): // no fewer were new than lacked, so these were
		fresh := setOf(lacks)
		acks.Stored = lacks
		acks.Held = slices.DeleteFunc(IDs(j.good), func(id memory.ID) bool { return fresh[id] })
	default: // which were new is not known, and all are here
		acks.Held = IDs(j.good)
	}
	return acks, nil
}

// keep appends records, and notes who wrote them. One batch is stored after the other
// in any case: here they wait for each other so that it is known where each begins.
func (s *session) keep(ctx context.Context, space string, rs []*memory.Record) (Appended, error) {
	one := s.space(space)
	select {
	case one.writing <- struct{}{}:
		defer func() { <-one.writing }()
	case <-ctx.Done():
		return Appended{}, ctx.Err()
	}
	got, err := appendTo(ctx, s.store, Append{space, rs}, s.who.Check)
	if err == nil {
		s.wrote(ctx, space, got, rs)
	}
	return got, err
}

// judging is one push as it is judged, record by record.
type judging struct {
	space   string
	acks    *Acks
	lines   []envelope.Reading
	ring    *state.Keyring
	concern map[memory.ID]bool // key records about those who write, or wrote, in the space
	good    []*memory.Record
}

// weigh loads the keys for a push.
func (s *session) weigh(ctx context.Context, j *judging, held *KeyBook) error {
	s.mu.Lock()
	j.ring = s.ring.Clone()
	s.mu.Unlock()
	var came []*memory.Record
	var authors []string
	for _, v := range j.lines {
		if v.Err != nil {
			continue
		}
		if v.Record.Header.Kind == memory.KindKey {
			came = append(came, v.Record)
		}
		if a := v.Record.Header.Author; v.Record.Header.Space == j.space && !slices.Contains(authors, a) {
			authors = append(authors, a)
		}
	}
	if len(came) == 0 {
		return nil
	}
	f, err := s.store.Tree(ctx, j.space)
	if err != nil {
		return err
	}
	wrote, err := s.authors(ctx, j.space, f)
	if err != nil {
		return err
	}
	book := NewKeyBook(came)
	for _, k := range held.byID {
		book.Add(k)
	}
	j.concern = setOf(IDs(book.Concern(append(authors, wrote...))))
	return nil
}

// judge separates good records from bad ones.
func (j *judging) judge() {
	seen := make(map[memory.ID]bool)
	refused := func(i int, err error, again bool) {
		r := Refusal{Line: i, Why: shorten.To(err.Error(), 300), Again: again}
		if rec := j.lines[i].Record; rec != nil {
			r.ID = rec.ID
		}
		j.acks.Refused = append(j.acks.Refused, r)
	}
	for i, v := range j.lines {
		if v.Err != nil {
			refused(i, v.Err, false)
			continue
		}
		if seen[v.Record.ID] {
			continue
		}
		seen[v.Record.ID] = true
		j.ring.Add(v.Record)
		if err, again := j.fit(v.Record); err != nil {
			refused(i, err, again)
			continue
		}
		j.good = append(j.good, v.Record)
	}
}

// fit says what keeps a record from being stored, and whether that may change. Of
// another space only key records are taken, about those who write in this one.
func (j *judging) fit(r *memory.Record) (err error, again bool) {
	if r.Header.Space != j.space && r.Header.Kind != memory.KindKey {
		return errors.New("it is of another space than the push"), false
	}
	if r.Header.Space != j.space && !j.concern[r.ID] {
		return errors.New("it is about a key that does not write in the space"), true
	}
	return signedUnder(j.ring, r), true
}
