package peer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// pulling is the pull of one space.
type pulling struct {
	*Exchange
	s      Shared
	p      *Place
	r      *SpaceReport
	tree   ledger.Frontier
	theirs map[memory.ID]*memory.Record // the peer's key records that are not held yet
	next   *CallLog                     // the page after this one, as it was begun
	// how long the log was when its first page was read: what comes later comes the next time
	until int64
	fresh map[memory.ID]bool // what came into the log since the exchange began
	news  bool               // so did key records
	lines bool               // most of what comes is not here: records are asked for with the page
	blank bool               // none of the last records was here: stop checking for ones that are
}

// take fetches the records that are not held, but for those that came already,
// verifies each, and stores those that are good. The others are remembered with the
// reason.
func (l *pulling) take(want []memory.ID, came []envelope.Reading) error {
	lacks, guessed := want, l.blank && len(came) == len(want)
	if !guessed {
		var err error
		if lacks, err = l.lacking(want); err != nil {
			return err
		}
		l.lines, l.blank = len(lacks) > len(want)/2, len(lacks) == len(want)
	}
	for part := range slices.Chunk(lacks, MostLines) {
		got, bad, err := l.fetch(part, came)
		if err != nil {
			return err
		}
		batch, unknown := l.speaking(got, bad)
		if len(unknown) > 0 { // whose author joined since the keys were read
			if err := l.askKeys(); err != nil {
				return err
			}
			more, still := l.speaking(unknown, bad)
			batch = append(batch, more...)
			for _, r := range still {
				bad[r.ID] = authorized(l, r)
			}
		}
		if err := l.store(batch); err != nil {
			return err
		}
		stored := setOf(IDs(batch))
		l.p.Refused = taken(l.p.Refused, func(id memory.ID) bool { return stored[id] })
		part = slices.DeleteFunc(slices.Clone(part), func(id memory.ID) bool { return bad[id] == nil })
		if guessed && len(part) > 0 { // a record that is here already is not checked again
			if part, err = l.lacking(part); err != nil {
				return err
			}
		}
		for _, id := range part {
			l.p.Refused = refuse(l.p.Refused, Refusal{ID: id, Why: bad[id].Error(), Again: true})
		}
	}
	if n := len(l.p.Refused); n > mostRefused {
		return fmt.Errorf(
			"%w: more than %d records from the peer were not fit to be stored, the last because: %s", ErrDenied,
			mostRefused, l.p.Refused[n-1].Why,
		)
	}
	return nil
}

// lacking returns those of some records that are not here. The others need not be asked for
// again.
func (l *pulling) lacking(want []memory.ID) ([]memory.ID, error) {
	lacks, err := ask[Unheld, []memory.ID](&l.asker, Unheld{want})
	if err != nil {
		return nil, err
	}
	lacking, wanted := setOf(lacks), setOf(want)
	l.p.Refused = taken(l.p.Refused, func(id memory.ID) bool { return wanted[id] && !lacking[id] })
	return lacks, nil
}

// speaking returns the records that may be stored, each after the key records it
// needs, and those whose keys are not known. One that may not be stored now goes among
// the bad ones.
func (l *pulling) speaking(
	got []*memory.Record, bad map[memory.ID]error,
) (batch, unknown []*memory.Record) {
	put := func(r *memory.Record) {
		delete(l.theirs, r.ID)
		l.ring.Add(r)
		l.book.Add(r)
		batch = append(batch, r)
	}
	for _, r := range got { // those that come in any case may be needed by one before them
		l.book.Add(r)
	}
	in := make(map[memory.ID]bool)
	for _, r := range got {
		if in[r.ID] {
			continue
		}
		needs := l.book.Needs(r)
		if l.fresh[r.ID] && (r.Ends() || slices.ContainsFunc(
			needs, func(k *memory.Record) bool { return l.theirs[k.ID] != nil && k.Ends() },
		)) {
			bad[r.ID] = errEarly
			continue
		}
		for _, k := range needs {
			if l.theirs[k.ID] != nil {
				in[k.ID] = true
				put(k)
			}
		}
		l.ring.Add(r)
		if err := authorized(l, r); errors.Is(err, errUnknownKey) {
			unknown = append(unknown, r)
			continue
		} else if err != nil {
			bad[r.ID] = err
			continue
		}
		in[r.ID] = true
		put(r)
	}
	return batch, unknown
}

// errEarly keeps the end of a key waiting until all was taken that may have come before.
var errEarly = errors.New(
	"it ends a key and came during this exchange: the key's records in other spaces are taken first",
)

// authorized returns an error unless, by what is known, the signer of r was allowed to
// sign it. Whether a key was replaced or revoked meanwhile is decided by the fold.
func authorized(l *pulling, r *memory.Record) error {
	if r.Header.Space != l.s.Space && r.Header.Kind != memory.KindKey {
		return errors.New("it is of another space")
	}
	return signedUnder(l.ring, r)
}

// signedUnder returns an error if r is signed under a delegation that is not held or
// does not cover it.
func signedUnder(ring *state.Keyring, r *memory.Record) error {
	if _, opaque := r.Body.(*memory.Opaque); opaque || ring.Fault(r) != state.DelegationInvalid {
		return nil
	}
	return fmt.Errorf("%s: %w", r.Ref().Short(), errUnknownKey)
}

// errUnknownKey says that a record waits for key records.
var errUnknownKey = errors.New("signed under a delegation that is not held or does not cover it")

// fetch fetches the records that did not come yet, and verifies them. For each that is bad or
// missing, it returns the reason.
func (l *pulling) fetch(
	ids []memory.ID, came []envelope.Reading,
) (good []*memory.Record, bad map[memory.ID]error, err error) {
	bad = make(map[memory.ID]error)
	if len(came) > 0 {
		open := setOf(ids)
		for _, v := range came {
			if v.Err == nil && open[v.Record.ID] {
				good = append(good, v.Record)
				delete(open, v.Record.ID)
			}
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool { return !open[id] })
	}
	for len(ids) > 0 {
		part := ids[:min(len(ids), l.most)]
		lines, err := request[Fetch, Lines](&l.asker, Fetch{l.s.Space, part})
		if err != nil {
			return nil, nil, err
		}
		open := make(map[memory.ID]int, len(part))
		for i, id := range part {
			open[id] = i
			bad[id] = errors.New("the peer's log lists it, but the peer does not send it")
		}
		next := len(part)
		if lines.More {
			next = 0
		}
		for _, v := range envelope.ReadAll(lines.Lines) {
			at, asked := 0, false
			if v.Record != nil {
				at, asked = open[v.Record.ID]
			}
			switch {
			case !asked: // damaged, or not what was asked for: what was, did not come
				continue
			case v.Err != nil:
				bad[v.Record.ID] = v.Err
			default:
				good = append(good, v.Record)
				delete(bad, v.Record.ID)
			}
			next = max(next, at+1)
			delete(open, v.Record.ID)
		}
		if next == 0 {
			return nil, nil, fmt.Errorf("the peer sends none of %d records that it holds", len(part))
		}
		for _, id := range part[next:] {
			delete(bad, id) // asked for again
		}
		ids = ids[next:]
	}
	return good, bad, nil
}

// store appends records, and moves the place in the own log past them where no one
// else wrote meanwhile: the peer has them.
func (l *pulling) store(batch []*memory.Record) error {
	if len(batch) == 0 {
		return nil
	}
	got, err := ask[Append, Appended](&l.asker, Append{l.s.Space, batch})
	if err != nil {
		return err
	}
	here := 0
	for _, r := range batch {
		if r.Header.Space == l.s.Space {
			here++
		}
	}
	l.r.Pulled += min(here, int(got.After-got.Before)) // some may have been here
	l.blank = l.blank && got.Added == len(batch)
	if got.Added == len(batch) && int(got.After-got.Before) == here {
		if int64(got.Before) == l.p.Push {
			l.p.gave(int64(got.After))
		} else {
			l.p.came(int64(got.Before), int64(got.After))
		}
	}
	return nil
}

// after asks for the page after a position. One of ids alone may be longer.
func (l *pulling) after(at, held int64) LogRequest {
	limit := l.o.Page
	if !l.lines {
		limit *= MostIDs / l.most
	}
	return LogRequest{Space: l.s.Space, After: at, Limit: limit, Held: held, Filter: l.o.Filter, Lines: l.lines}
}

// maySkip reports whether the filter can have left out a record of a kind.
func (l *pulling) maySkip(k memory.Kind) bool {
	return !l.o.Filter.kind(k) || len(l.o.Filter.Tags) > 0 && k != memory.KindKey
}
