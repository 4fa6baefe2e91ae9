package sqlstore

import (
	"context"
	"iter"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The readings of a store. Each asks the database and, where a row there that is made of
// records is damaged, a copy in which it was made again: see fallback.go.

// instead returns what a reading gave or, where it met such damage, what the fallback does.
func instead[T any](ctx context.Context, s *Store, read func(*Store) (T, error)) (T, error) {
	if in := s.currentFallback(ctx); in != nil {
		return read(in)
	}
	got, err := read(s)
	if in := s.fallback(ctx, err); in != nil {
		return read(in)
	}
	return got, err
}

// insteadOf is instead for what comes piece by piece: the fallback goes on where the
// reading ended.
func insteadOf[T any](ctx context.Context, s *Store, read func(*Store) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		from, given := s, 0
		if in := s.currentFallback(ctx); in != nil {
			from = in
		}
		var failed error
		for v, err := range read(from) {
			if failed = err; err != nil {
				break
			}
			if given++; !yield(v, nil) {
				return
			}
		}
		if failed == nil {
			return
		}
		var none T
		in := s.fallback(ctx, failed)
		if in == nil || from != s {
			yield(none, failed)
			return
		}
		for v, err := range read(in) {
			if given--; given >= 0 && err == nil {
				continue
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// Get returns items in the order of ids; an absent one is nil.
func (s *Store) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	return instead(ctx, s, func(s *Store) ([]*store.Item, error) { return s.readItems(ctx, ids...) })
}

// Resolve returns the records whose id begins with prefix, the smallest id first.
func (s *Store) Resolve(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error) {
	return instead(ctx, s, func(s *Store) ([]memory.Ref, error) { return s.readRefs(ctx, kind, prefix, limit) })
}

// Aliased returns the records of a space by the ids they had elsewhere, the first
// that came where several had the same.
func (s *Store) Aliased(ctx context.Context, space string, aliases ...string) (map[string]memory.ID, error) {
	return instead(ctx, s, func(s *Store) (map[string]memory.ID, error) { return s.readAliased(ctx, space, aliases...) })
}

// Edges returns the edges that leave or reach any of ids: those of the first id
// first, each once.
func (s *Store) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	return instead(ctx, s, func(s *Store) ([]graph.Edge, error) { return s.readEdges(ctx, dir, ids...) })
}

// List returns the records q asks for, page by page: no connection is held while
// the caller looks at one. Records that arrive meanwhile may be among them.
// Within a space the order is that of its log; between spaces the time of the
// records decides.
func (s *Store) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	return insteadOf(ctx, s, func(s *Store) iter.Seq2[*store.Item, error] { return s.readList(ctx, q) })
}

// Survey returns every memory, hidden ones too, in the order of the logs, each with
// how often it was read. The next page is read while the caller looks at one.
func (s *Store) Survey(ctx context.Context, before time.Time) iter.Seq2[store.Surveyed, error] {
	return insteadOf(ctx, s, func(s *Store) iter.Seq2[store.Surveyed, error] { return s.readSurvey(ctx, before) })
}

// AnyRejected says whether the tables have a memory that was rejected.
func (s *Store) AnyRejected(ctx context.Context) (bool, error) {
	return instead(ctx, s, func(s *Store) (bool, error) { return s.readAnyRejected(ctx) })
}

// Hidden returns the memories that the tables hide.
func (s *Store) Hidden(ctx context.Context) ([]store.Hidden, error) {
	return instead(ctx, s, func(s *Store) ([]store.Hidden, error) { return s.readHidden(ctx) })
}

// Match finds records by their words. Spaces, kinds and hidden records are filtered before the
// best are chosen, so that none crowds out others.
func (s *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	return instead(ctx, s, func(s *Store) ([]store.Hit, error) { return s.readMatch(ctx, m) })
}

// Nearest finds the records whose vectors are nearest to one. PostgreSQL does
// so itself where it has pgvector; otherwise we scan codes of 8 bits and look at
// the best of them again.
func (s *Store) Nearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	return instead(ctx, s, func(s *Store) ([]store.Hit, error) { return s.readNearest(ctx, n) })
}

// Since returns the log of a space after a position, in order.
func (s *Store) Since(ctx context.Context, space string, after store.Seq, limit int) ([]store.Change, error) {
	return instead(ctx, s, func(s *Store) ([]store.Change, error) { return s.readSince(ctx, space, after, limit) })
}

// Placed returns the records after a place of a space's log and up to another. They lie beside each
// other, which those with some ids do not.
func (s *Store) Placed(ctx context.Context, space string, after, upTo store.Seq) ([]*store.Item, error) {
	return instead(ctx, s, func(s *Store) ([]*store.Item, error) { return s.readPlaced(ctx, space, after, upTo) })
}

// Listed returns the entries of a space's log.
func (s *Store) Listed(ctx context.Context, space string, after store.Seq, limit int) ([]store.Listed, error) {
	return instead(ctx, s, func(s *Store) ([]store.Listed, error) { return s.readListed(ctx, space, after, limit) })
}

// Kept returns the log of a space as it is on disk.
func (s *Store) Kept(ctx context.Context, space string, after store.Seq, limit int) ([]store.Kept, error) {
	return instead(ctx, s, func(s *Store) ([]store.Kept, error) { return s.readKept(ctx, space, after, limit) })
}

// Spaces lists the logs in the order they began.
func (s *Store) Spaces(ctx context.Context) ([]store.Space, error) {
	return instead(ctx, s, func(s *Store) ([]store.Space, error) { return s.readSpaces(ctx) })
}

// Tree returns the tree over the log of a space.
func (s *Store) Tree(ctx context.Context, space string) (ledger.Frontier, error) {
	return instead(ctx, s, func(s *Store) (ledger.Frontier, error) { return s.readTree(ctx, space) })
}

// Stats counts the records.
func (s *Store) Stats(ctx context.Context) (store.Stats, error) {
	return instead(ctx, s, func(s *Store) (store.Stats, error) { return s.readStats(ctx) })
}

// Tally counts the memories of some spaces that are shown by default, by kind.
func (s *Store) Tally(ctx context.Context, spaces []string) (map[memory.Kind]int, error) {
	return instead(ctx, s, func(s *Store) (map[memory.Kind]int, error) { return s.readTally(ctx, spaces) })
}

// CountListed counts the records that a list of some with marks would have.
func (s *Store) CountListed(ctx context.Context, q store.Query) (int, error) {
	return instead(ctx, s, func(s *Store) (int, error) { return s.readCount(ctx, q) })
}

// Used says how often each record was read.
func (s *Store) Used(ctx context.Context, ids ...memory.ID) ([]store.Usage, error) {
	return instead(ctx, s, func(s *Store) ([]store.Usage, error) { return s.readUsed(ctx, ids...) })
}

// Keyring returns the keyring that follows from the key records held.
func (s *Store) Keyring(ctx context.Context) (*state.Keyring, error) {
	return instead(ctx, s, func(s *Store) (*state.Keyring, error) { return s.readKeyring(ctx) })
}
