// Package both reads two stores as one: the project's and the person's own. Writes go to the
// first; a record that is only about, or only derived from, records that the second alone
// holds goes to the second.
package both

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Store is two stores. It closes both.
type Store struct {
	store.Store // the first: methods not declared below use it alone
	second      store.Store
	names       [2]string
}

var _ store.Store = (*Store)(nil)

// Of returns two stores as one, with the names under which their records are shown.
func Of(first, second store.Store, firstName, secondName string) *Store {
	return &Store{first, second, [2]string{firstName, secondName}}
}

// Both returns the two stores, the first first.
func (s *Store) Both() []store.Store { return []store.Store{s.Store, s.second} }

func (s *Store) both() [2]store.Store { return [2]store.Store{s.Store, s.second} }

// Append writes to the first store, unless all that the records speak of,
// replace and rest on is held by the second only. Delegations travel along with
// either.
func (s *Store) Append(ctx context.Context, b store.Batch) (int, error) {
	to := s.Store
	theirs, err := s.ofSecond(ctx, b)
	if err != nil {
		return 0, err
	}
	if theirs {
		to = s.second
	}
	return to.Append(ctx, b)
}

func (s *Store) ofSecond(ctx context.Context, b store.Batch) (bool, error) {
	var subjects []memory.ID
	for _, r := range b.Records {
		if _, unknown := r.Body.(*memory.Opaque); !unknown && !r.Header.Kind.IsMemory() {
			if r.Header.Kind == memory.KindKey {
				continue
			}
			for _, ref := range memory.Subjects(r.Body) {
				subjects = append(subjects, ref.ID)
			}
			continue
		}
		p := &r.Header.Provenance
		if len(p.Supersedes) == 0 && len(p.From) == 0 {
			return false, nil
		}
		// a record goes where those are that it replaces and rests on
		for _, ref := range slices.Concat(p.Supersedes, p.From) {
			subjects = append(subjects, ref.ID)
		}
	}
	if len(subjects) == 0 {
		return false, nil
	}
	own := make(map[memory.ID]bool)
	for _, r := range b.Records {
		own[r.ID] = true
	}
	subjects = slices.DeleteFunc(subjects, func(id memory.ID) bool { return own[id] })
	here, err := s.Store.Get(ctx, subjects...)
	if err != nil {
		return false, err
	}
	there, err := s.second.Get(ctx, subjects...)
	if err != nil {
		return false, err
	}
	for i := range subjects {
		if here[i] != nil || there[i] == nil {
			return false, nil
		}
	}
	return len(subjects) > 0, nil
}

// Get asks the first store, and the second for what that does not hold.
func (s *Store) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	out, err := s.Store.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var missing []memory.ID
	for i, it := range out {
		if it == nil {
			missing = append(missing, ids[i])
		} else {
			it.Store = s.names[0]
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	more, err := s.second.Get(ctx, missing...)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i] == nil {
			if out[i], more = more[0], more[1:]; out[i] != nil {
				out[i].Store = s.names[1]
			}
		}
	}
	return out, nil
}

// Resolve asks both.
func (s *Store) Resolve(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error) {
	var out []memory.Ref
	for _, one := range s.both() {
		refs, err := one.Resolve(ctx, kind, prefix, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, refs...)
	}
	sorting.By(out, func(a, b memory.Ref) int { return a.ID.Compare(b.ID) })
	out = slices.Compact(out)
	return out[:min(limit, len(out))], nil
}

// List merges both by the time of their records.
func (s *Store) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		next, stop := iter.Pull2(s.second.List(ctx, q))
		defer stop()
		seen := make(map[memory.ID]bool)
		given := 0
		give := func(it *store.Item, name string) bool {
			if seen[it.Ref.ID] {
				return true
			}
			seen[it.Ref.ID], it.Store = true, name
			given++
			return yield(it, nil) && (q.Limit <= 0 || given < q.Limit)
		}
		theirs, err, more := next()
		for it, ownErr := range s.Store.List(ctx, q) {
			if ownErr != nil {
				yield(nil, ownErr)
				return
			}
			for more && err == nil && before(theirs, it, q.Oldest) {
				if !give(theirs, s.names[1]) {
					return
				}
				theirs, err, more = next()
			}
			if !give(it, s.names[0]) {
				return
			}
		}
		for ; more && err == nil; theirs, err, more = next() {
			if !give(theirs, s.names[1]) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// CountListed counts those of both: what both hold counts twice.
func (s *Store) CountListed(ctx context.Context, q store.Query) (int, error) {
	n, err := store.CountListed(ctx, s.Store, q)
	if err != nil {
		return 0, err
	}
	more, err := store.CountListed(ctx, s.second, q)
	return n + more, err
}

// Tally counts those of both: what both hold counts twice.
func (s *Store) Tally(ctx context.Context, spaces []string) (map[memory.Kind]int, error) {
	out, err := store.Tally(ctx, s.Store, spaces)
	if err != nil {
		return nil, err
	}
	more, err := store.Tally(ctx, s.second, spaces)
	for kind, n := range more {
		out[kind] += n
	}
	return out, err
}

// before reports whether a comes before b in a list.
func before(a, b *store.Item, oldest bool) bool {
	at := func(it *store.Item) time.Time {
		if it.Record == nil {
			return time.Time{}
		}
		return it.Record.Header.At.Time()
	}
	if oldest {
		return at(a).Before(at(b))
	}
	return at(a).After(at(b))
}

// Edges returns those of both, each once.
func (s *Store) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	out, err := s.Store.Edges(ctx, dir, ids...)
	if err != nil {
		return nil, err
	}
	more, err := s.second.Edges(ctx, dir, ids...)
	if err != nil || len(more) == 0 {
		return out, err
	}
	seen := make(map[graph.Edge]bool, len(out))
	for _, e := range out {
		seen[e] = true
	}
	for _, e := range more {
		if !seen[e] {
			out = append(out, e)
		}
	}
	return out, nil
}

// Match asks both. Scores are in parts of what the terms are worth in each, so
// that a small store is not drowned by a large one.
func (s *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	return s.merged(m.Limit, func(one store.Store) ([]store.Hit, error) { return one.Match(ctx, m) })
}

// Nearest asks both.
func (s *Store) Nearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	return s.merged(n.Limit, func(one store.Store) ([]store.Hit, error) { return one.Nearest(ctx, n) })
}

func (s *Store) merged(limit int, ask func(store.Store) ([]store.Hit, error)) ([]store.Hit, error) {
	var out []store.Hit
	seen := make(map[memory.ID]bool)
	for _, one := range s.both() {
		hits, err := ask(one)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if !seen[h.ID] {
				seen[h.ID] = true
				out = append(out, h)
			}
		}
	}
	sorting.By(out, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
	first, _ := store.FirstHits(out, limit)
	return first, nil
}

// Touch counts a reading where the record is held.
func (s *Store) Touch(ctx context.Context, at time.Time, ids ...memory.ID) error {
	return errors.Join(s.Store.Touch(ctx, at, ids...), s.second.Touch(ctx, at, ids...))
}

// Used returns the counts of both.
func (s *Store) Used(ctx context.Context, ids ...memory.ID) ([]store.Usage, error) {
	out, err := s.Store.Used(ctx, ids...)
	if err != nil {
		return nil, err
	}
	more, err := s.second.Used(ctx, ids...)
	for i := range more {
		out[i].Times += more[i].Times
		if more[i].Last.After(out[i].Last) {
			out[i].Last = more[i].Last
		}
	}
	return out, err
}

// Spaces lists those of the first store, then those only the second has: of
// these nothing is in the first's log.
func (s *Store) Spaces(ctx context.Context) ([]store.Space, error) {
	out, err := s.Store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	more, err := s.second.Spaces(ctx)
	for _, sp := range more {
		if !slices.ContainsFunc(out, func(o store.Space) bool { return o.Name == sp.Name }) {
			out = append(out, store.Space{Name: sp.Name})
		}
	}
	return out, err
}

// Keyring returns the keyring of both: a record has its place where it is held.
func (s *Store) Keyring(ctx context.Context) (*state.Keyring, error) {
	first, err := s.Store.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	second, err := s.second.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	k := first.Clone()
	k.Join(second)
	k.Arrived = func(id memory.ID) (state.Arrival, bool) {
		if a, held := first.Arrived(id); held {
			return a, true
		}
		a, held := second.Arrived(id)
		a.Space += "@" + s.names[1] // another log than the first's
		return a, held
	}
	return k, nil
}

// Tree returns that of the store whose log of the space is longer; Hold and Held ask
// the same one.
func (s *Store) Tree(ctx context.Context, space string) (ledger.Frontier, error) {
	one, err := s.of(ctx, space)
	if err != nil {
		return ledger.Frontier{}, err
	}
	return one.Tree(ctx, space)
}

// Listed returns the log of where the space is.
func (s *Store) Listed(ctx context.Context, space string, after store.Seq, limit int) ([]store.Listed, error) {
	one, err := s.of(ctx, space)
	if err != nil {
		return nil, err
	}
	return one.Listed(ctx, space, after, limit)
}

// Kept returns the log of where the space is.
func (s *Store) Kept(ctx context.Context, space string, after store.Seq, limit int) ([]store.Kept, error) {
	one, err := s.of(ctx, space)
	if err != nil {
		return nil, err
	}
	return one.Kept(ctx, space, after, limit)
}

// Hold keeps a checkpoint where the space is.
func (s *Store) Hold(ctx context.Context, c store.Checkpoint) error {
	one, err := s.of(ctx, c.Space)
	if err != nil {
		return err
	}
	return one.Hold(ctx, c)
}

// Held returns the checkpoints of where the space is.
func (s *Store) Held(ctx context.Context, space string) ([]store.Checkpoint, error) {
	one, err := s.of(ctx, space)
	if err != nil {
		return nil, err
	}
	return one.Held(ctx, space)
}

// of returns the first store, unless only the second has a log of the space.
func (s *Store) of(ctx context.Context, space string) (store.Store, error) {
	spaces, err := s.Store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(spaces, func(sp store.Space) bool { return sp.Name == space && sp.Last > 0 }) {
		return s.Store, nil
	}
	return s.second, nil
}

// Close closes both.
func (s *Store) Close() error { return errors.Join(s.Store.Close(), s.second.Close()) }
