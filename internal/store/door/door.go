// Package door verifies everything that is read from a store: bytes against their id,
// signatures, and the state of a record against the claims about it. Derived tables find and
// order candidates, but are not trusted about a record.
package door

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Store is a store whose items are verified. It is safe for concurrent use.
type Store struct {
	store.Store
	now       func() time.Time
	book      *proof.Book // nil: what was verified is remembered by this process alone
	untrusted string      // why nothing may be lifted, whatever the logs say

	purged func([]*memory.Record) error // called after words were purged; nil for nothing

	following sync.Mutex // held by who follows the logs

	of *Store // in a trial, the door whose store it is of: what that verified need not be verified again

	writes atomic.Int64 // how often this process added something

	told told // of records of which much is said

	mu    sync.Mutex
	sound map[memory.ID]bool // by this process: the signature holds, or not
	view  *view              // of the logs as they were last followed
}

// A view is what follows from the logs of a store as they were at one moment.
type view struct {
	spaces    []store.Space
	rewritten bool   // a log is not the one that was followed before
	untrusted string // why nothing may be lifted at all, "" where it may
	ring      *state.Keyring

	mu     sync.Mutex
	states map[memory.ID]state.State // folded from verified claims
	doubts map[memory.ID]store.Doubt // of those, where claims are missing
	kinds  map[memory.ID]memory.Kind // of those

	scan    sync.Mutex                // held by who reads all records
	scanned map[memory.ID][]memory.ID // the claims about a record, taken from the records themselves
}

var _ store.Store = (*Store)(nil)

// Of returns a store that verifies what is read. The book remembers what was verified; nil
// remembers it for this process alone.
func Of(s store.Store, book *proof.Book, now func() time.Time) *Store {
	return &Store{Store: s, book: book, now: now, sound: make(map[memory.ID]bool)}
}

// Distrust says, before the first reading, why nothing of the store may be lifted.
func (d *Store) Distrust(why string) { d.untrusted = why }

// WhenPurged sets a function to call after records were purged, by a purge here, a sync or an
// import. Call it before the first write.
func (d *Store) WhenPurged(do func(gone []*memory.Record) error) { d.purged = do }

// What a process remembers: of how many records that their signatures hold, and of how many
// their states, which take ten times that.
const (
	mostKept   = 200_000
	mostStates = 20_000
)

// Inside returns the store behind the door, for who looks for damage.
func (d *Store) Inside() store.Store { return d.Store }

// Told returns why no memory of the store may be trusted above its author's word; "" if it
// may.
func (d *Store) WhyUntrusted(ctx context.Context) (string, error) {
	v, err := d.current(ctx)
	if err != nil {
		return "", err
	}
	return v.untrusted, nil
}

// Append adds records and remembers that they were verified: by who signed or read
// them.
func (d *Store) Append(ctx context.Context, b store.Batch) (int, error) {
	var gone []*memory.Record
	tell := b.Gone
	b.Gone = func(rs []*memory.Record) {
		if gone = append(gone, rs...); tell != nil {
			tell(rs)
		}
	}
	for _, r := range b.Records {
		d.learn(r.ID, true) // before it can be read, so that no reader decides otherwise
	}
	n, err := d.Store.Append(ctx, b)
	d.writes.Add(1)
	if len(gone) > 0 && d.purged != nil { // also where the files are not scoured yet
		err = errors.Join(err, d.purged(gone))
	}
	if err != nil {
		d.unlearn(b.Records)
		return n, err
	}
	entries := make([]proof.Entry, len(b.Records))
	for i, r := range b.Records {
		entries[i] = entry(r)
	}
	if d.book != nil {
		_ = d.book.Add(entries) // what could not be remembered is verified when it is read
		d.told.add(b.Records, d.book.Hash, d.now())
	}
	return n, nil
}

// Book returns what is remembered of the store; nil where nothing is.
func (d *Store) Book() *proof.Book { return d.book }

// Close writes down how far the logs were verified.
func (d *Store) Close() error {
	if d.book != nil {
		_ = d.book.Settle() // the tail stays as long as it is
	}
	return d.Store.Close()
}

// Get returns verified items in the order of ids; an absent one is nil. A claim whose
// signature does not hold is absent. A memory is given with its doubt.
func (d *Store) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	items, err := d.Store.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	return items, d.check(ctx, items)
}

// Verified returns items that were read behind the door as Get gives them. Whoever read them says
// of each record whether its signatures hold.
func (d *Store) Verified(
	ctx context.Context, items []*store.Item, signed func([]*memory.Record) []bool,
) ([]*store.Item, error) {
	out := make([]*store.Item, len(items))
	for i, it := range items {
		if it != nil {
			one := *it
			out[i] = &one
		}
	}
	return out, d.checkBy(ctx, out, signed)
}

// Tally counts by the tables alone.
func (d *Store) Tally(ctx context.Context, spaces []string) (map[memory.Kind]int, error) {
	return store.Tally(ctx, d.Store, spaces)
}

// CountListed goes by the tables alone.
func (d *Store) CountListed(ctx context.Context, q store.Query) (int, error) {
	return store.CountListed(ctx, d.Store, q)
}

// Survey returns every memory as the tables have it, for who must look at all of them.
func (d *Store) Survey(ctx context.Context, before time.Time) iter.Seq2[store.Surveyed, error] {
	return store.Survey(ctx, d.Store, before)
}

// Hidden goes by the tables alone.
func (d *Store) Hidden(ctx context.Context) ([]store.Hidden, error) {
	return store.HiddenOf(ctx, d.Store)
}

// Awaited goes by the tables alone.
func (d *Store) Awaited(ctx context.Context, most int) ([]store.Awaited, error) {
	return store.AwaitedOf(ctx, d.Store, most)
}

// AnyRejected goes by the tables alone.
func (d *Store) AnyRejected(ctx context.Context) (bool, error) {
	return store.AnyRejected(ctx, d.Store)
}

// listPage is how many items of a list are verified at a time.
const listPage = 256

// List returns the verified records q asks for. What the tables put on a list, and
// does not belong there, is left out.
func (d *Store) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	if q.Decided && q.Limit > 0 {
		return d.decided(ctx, q)
	}
	return func(yield func(*store.Item, error) bool) {
		page := make([]*store.Item, 0, listPage)
		size := min(cmp.Or(q.Few, q.Limit, 16), listPage) // most who list want few
		flush := func() (bool, error) {
			err := d.check(ctx, page)
			for _, it := range page {
				if err != nil {
					break
				}
				if it != nil && wanted(&q, it) && !yield(it, nil) {
					return false, nil
				}
			}
			page, size = page[:0], min(2*size, listPage)
			return err == nil, err
		}
		for it, err := range d.Store.List(ctx, q) {
			if err != nil {
				yield(nil, err)
				return
			}
			if page = append(page, it); len(page) < size {
				continue
			}
			if more, err := flush(); !more {
				if err != nil {
					yield(nil, err)
				}
				return
			}
		}
		if _, err := flush(); err != nil {
			yield(nil, err)
		}
	}
}

// wanted reports whether an item is what was asked for, by the record itself.
func wanted(q *store.Query, it *store.Item) bool {
	if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, it.Ref.Kind) || len(q.Kinds) == 0 && !it.Ref.Kind.IsMemory() {
		return false
	}
	if !q.Hidden && !it.State.Live() || q.Decided && it.State.Review != state.ReviewApproved || !q.Wants(&it.State) {
		return false
	}
	r := it.Record
	return r == nil || (q.Author == "" || r.Header.Author == q.Author) &&
		(len(q.Authors) == 0 || slices.Contains(q.Authors, r.Header.Author)) && (q.Session == "" ||
		r.Header.Session == q.Session) &&
		(len(q.Spaces) == 0 || slices.Contains(q.Spaces, r.Header.Space))
}

// Keyring returns the keyring that follows from the verified key records.
func (d *Store) Keyring(ctx context.Context) (*state.Keyring, error) {
	v, err := d.current(ctx)
	if err != nil {
		return nil, err
	}
	return v.ring.Clone(), nil
}

// check verifies items in place.
func (d *Store) check(ctx context.Context, items []*store.Item) error {
	return d.checkBy(ctx, items, d.signed)
}

func (d *Store) checkBy(ctx context.Context, items []*store.Item, signed func([]*memory.Record) []bool) error {
	v, err := d.current(ctx)
	if err != nil {
		return err
	}
	var todo []*store.Item
	verify(items, signed)
	v.mu.Lock()
	for i, it := range items {
		if it != nil && it.Doubt == store.Forged && !it.Ref.Kind.IsMemory() {
			items[i] = nil
			continue
		}
		if it == nil || it.Doubt == store.Forged {
			continue
		}
		if s, known := v.states[it.Ref.ID]; known && (s.Due.IsZero() || d.now().Before(s.Due.Time())) {
			it.State, it.Doubt = keptBits(s, it), v.doubts[it.Ref.ID]
		} else {
			todo = append(todo, it)
		}
	}
	v.mu.Unlock()
	if len(todo) > 0 {
		if err := d.fold(ctx, v, todo); err != nil {
			return err
		}
	}
	if v.untrusted != "" {
		for _, it := range items {
			if it != nil && it.Doubt == "" {
				it.Doubt = store.Withheld
			}
		}
	}
	return nil
}

// keptBits returns a verified state with what the tables say that a reading may find
// things by, and nothing is taken from.
func keptBits(s state.State, it *store.Item) state.State {
	s.AnyRaw, s.ReachesRaw = it.State.AnyRaw, it.State.ReachesRaw
	s.Purged = s.Purged || it.Record == nil
	return s
}
