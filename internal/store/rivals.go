package store

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// compareRivals decides which of several revisions of one memory is shown.
func (f *refold) compareRivals() error {
	seen := make(map[memory.ID]bool)
	for _, id := range f.forked {
		if seen[id] {
			continue
		}
		family, rivals, err := f.family(id, seen)
		if err != nil {
			return err
		}
		if !rivals {
			continue
		}
		heads, due, err := f.heads(family)
		if err != nil {
			return err
		}
		for _, r := range family {
			at := slices.Index(heads, r)
			if err := f.outrank(r, at > 0, at >= 0, due); err != nil {
				return err
			}
		}
	}
	return nil
}

// outrank keeps whether a rival revision is shown in place of r. A rival, which is the last of its
// line, is folded again when a claim dated ahead about any of them comes due.
func (f *refold) outrank(r *memory.Record, outranked, rival bool, due memory.Time) error {
	s, was, err := f.rows.State(r.ID)
	if err != nil {
		return err
	}
	if !was {
		s = state.Initial(r)
	}
	now := s
	if rival && (!due.IsZero() || !s.Due.IsZero()) { // what came due since it was folded counts too
		if now, err = f.fold(r); err != nil {
			return err
		}
		now.Due = Earlier(now.Due, due)
	}
	now.Outranked = outranked
	if now == s {
		return nil
	}
	return f.rows.PutState(r, now)
}

// Earlier returns the earlier of two times; zero is none.
func Earlier(a, b memory.Time) memory.Time {
	if a.IsZero() || !b.IsZero() && b.Time().Before(a.Time()) {
		return b
	}
	return a
}

// family gathers the revisions of one memory, and reports whether any has two
// successors. A plain chain is not walked: only what the new record replaces
// and is replaced by is looked at until a fork is seen. A revision by somebody
// by somebody who may not decide about it is of another family: it is no rival.
func (f *refold) family(id memory.ID, seen map[memory.ID]bool) (family []*memory.Record, rivals bool, err error) {
	r, err := f.rows.Record(id)
	if err != nil || r == nil || !r.Header.Kind.IsMemory() {
		return nil, false, err
	}
	if rivals = f.decided[id]; !rivals { // whether it holds matters however far back the fork is
		if rivals, err = f.inFork(r); err != nil || !rivals {
			return nil, false, err
		}
	}
	family, err = f.kin(r, seen)
	return family, err == nil, err
}

// kin returns r and all revisions of it, before and after.
func (f *refold) kin(r *memory.Record, seen map[memory.ID]bool) (family []*memory.Record, err error) {
	seen[r.ID] = true
	for todo := []*memory.Record{r}; len(todo) > 0; todo = todo[1:] {
		family = append(family, todo[0])
		near, err := f.relatives(todo[0])
		if err != nil {
			return nil, err
		}
		for _, n := range near {
			if !seen[n.ID] {
				seen[n.ID] = true
				todo = append(todo, n)
			}
		}
	}
	return family, nil
}

// Outranked reports whether of rival revisions another than r is the one to
// show. It asks the records, not the states that were put.
func Outranked(rows Rows, r *memory.Record, now time.Time) (bool, error) {
	f := &refold{rows: rows, now: now}
	outranked, _, err := f.rank(r)
	return outranked, err
}

// rank reports whether of rival revisions another than r is the one to show, and when a claim dated
// ahead may change that.
func (f *refold) rank(r *memory.Record) (outranked bool, due memory.Time, err error) {
	family, err := f.kin(r, make(map[memory.ID]bool))
	if err != nil {
		return false, due, err
	}
	heads, due, err := f.heads(family)
	switch at := slices.IndexFunc(heads, func(h *memory.Record) bool { return h.ID == r.ID }); {
	case err != nil || at < 0:
		return false, memory.Time{}, err
	default:
		return at > 0, due, nil
	}
}

// heads returns the current revisions of a memory, the one to show first. What was decided against
// is shown after all others: it must not hide what somebody else wrote beside it. due is when a claim
// dated ahead may change the order; zero is never.
func (f *refold) heads(family []*memory.Record) (heads []*memory.Record, due memory.Time, err error) {
	who, err := f.rows.Voices()
	if err != nil {
		return nil, due, err
	}
	if heads = state.Heads(family, who); len(heads) < 2 {
		return heads, due, nil
	}
	var hold, others []*memory.Record
	for _, h := range heads {
		about, err := f.about(h.ID)
		if err != nil {
			return nil, due, err
		}
		s := state.Fold(h, about, f.now, who)
		if due = Earlier(due, s.Due); holds(&s) {
			hold = append(hold, h)
		} else {
			others = append(others, h)
		}
	}
	return append(hold, others...), due, nil
}

// holds reports whether nobody who may decided against a record.
func holds(s *state.State) bool {
	return s.Review != state.ReviewRejected && !s.Quarantined && !s.Forgotten
}

// relatives returns what r rightly replaces and what rightly replaces r.
func (f *refold) relatives(r *memory.Record) ([]*memory.Record, error) {
	who, err := f.rows.Voices()
	if err != nil {
		return nil, err
	}
	var near []*memory.Record
	for _, ref := range r.Header.Provenance.Supersedes {
		old, err := f.rows.Record(ref.ID)
		if err != nil {
			return nil, err
		}
		if old != nil && old.Header.Kind == ref.Kind && state.May(who.Voice(r), old, who) {
			near = append(near, old)
		}
	}
	next, err := f.rows.Pointing(r.ID, graph.Supersedes)
	if err != nil {
		return nil, err
	}
	for _, id := range next {
		n, err := f.rows.Record(id)
		if err != nil {
			return nil, err
		}
		if n != nil && state.May(who.Voice(n), r, who) {
			near = append(near, n)
		}
	}
	return near, nil
}

// inFork reports whether r, which just arrived, can have made, moved or healed a fork: it
// merges, it is a rival of another revision, or it follows or precedes a revision that is in a
// fork already.
func (f *refold) inFork(r *memory.Record) (bool, error) {
	before := r.Header.Provenance.Supersedes
	if len(before) > 1 {
		return true, nil
	}
	after, err := f.rows.Pointing(r.ID, graph.Supersedes)
	if err != nil || len(after) > 0 {
		return len(after) > 0, err
	}
	for _, old := range before {
		rivals, err := f.rows.Pointing(old.ID, graph.Supersedes)
		if err != nil || len(rivals) > 1 {
			return len(rivals) > 1, err
		}
		s, _, err := f.rows.State(old.ID)
		if err != nil || s.Outranked {
			return s.Outranked, err
		}
	}
	return false, nil
}
