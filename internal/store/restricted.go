package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// errAlone refuses what belongs to a store that one person has.
var errAlone = errors.New("a shared store does not do that")

// fenced is a store with a fence around it. No method of the store is inherited:
// one that is added must be thought of here.
type fenced struct {
	s Store
	Sight
}

// Fenced restricts a store to what an account may see. A hub uses it where its database cannot
// enforce this itself.
func Fenced(s Store, in Sight) Store {
	in.Reads = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(in.Reads), in.Writes...))))
	return &fenced{s, in}
}

// Adds returns ErrAbsent for a record that an account with this sight may not add.
func (in Sight) Adds(r *memory.Record) error {
	space := r.Header.Space
	if slices.Contains(in.Writes, space) || len(in.Writes) > 0 && r.Header.Kind == memory.KindKey &&
		slices.Contains(in.Keys, space) {
		return nil
	}
	return fmt.Errorf("append to %s: %w", space, ErrAbsent)
}

// within keeps of the spaces asked for those that may be read; none asked for is
// all of them. ok is false where nothing is left.
func (f *fenced) within(asked []string) (spaces []string, ok bool) {
	if len(asked) == 0 {
		return f.Reads, len(f.Reads) > 0
	}
	for _, s := range asked {
		if slices.Contains(f.Reads, s) {
			spaces = append(spaces, s)
		}
	}
	return spaces, len(spaces) > 0
}

// sees reports whether a record may be read. A record without its bytes does not say which
// space it belongs to.
func (f *fenced) sees(ctx context.Context, it *Item) (bool, error) {
	if it == nil {
		return false, nil
	}
	if it.Record != nil {
		space := it.Record.Header.Space
		return slices.Contains(f.Reads, space) || it.Ref.Kind == memory.KindKey && slices.Contains(f.Keys, space), nil
	}
	for _, space := range f.Reads {
		at, err := f.s.Since(ctx, space, it.Seq-1, 1)
		if err != nil || len(at) > 0 && at[0].ID == it.Ref.ID {
			return err == nil, err
		}
	}
	return false, nil
}

// Append refuses a batch with a record for a space that may not be written.
func (f *fenced) Append(ctx context.Context, b Batch) (int, error) {
	for _, r := range b.Records {
		if err := f.Adds(r); err != nil {
			return 0, err
		}
	}
	return f.s.Append(ctx, b)
}

func (f *fenced) Get(ctx context.Context, ids ...memory.ID) ([]*Item, error) {
	items, err := f.s.Get(ctx, ids...)
	for i, it := range items {
		if err != nil {
			return nil, err
		}
		var seen bool
		if seen, err = f.sees(ctx, it); !seen {
			items[i] = nil
		}
	}
	return items, err
}

// seen returns those of ids that may be read.
func (f *fenced) seen(ctx context.Context, ids []memory.ID) (map[memory.ID]bool, error) {
	items, err := f.Get(ctx, ids...)
	out := make(map[memory.ID]bool)
	for i, it := range items {
		if it != nil {
			out[ids[i]] = true
		}
	}
	return out, err
}

func (f *fenced) Resolve(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error) {
	for ask := limit; ; ask *= 4 {
		refs, err := f.s.Resolve(ctx, kind, prefix, ask)
		if err != nil {
			return nil, err
		}
		found := len(refs)
		ids := make([]memory.ID, len(refs))
		for i, r := range refs {
			ids[i] = r.ID
		}
		mine, err := f.seen(ctx, ids)
		if err != nil {
			return nil, err
		}
		refs = slices.DeleteFunc(refs, func(r memory.Ref) bool { return !mine[r.ID] })
		if len(refs) >= limit || found < ask {
			return refs[:min(limit, len(refs))], nil
		}
	}
}

func (f *fenced) Aliased(ctx context.Context, space string, aliases ...string) (map[string]memory.ID, error) {
	if _, ok := f.within([]string{space}); !ok {
		return nil, ctx.Err()
	}
	return f.s.Aliased(ctx, space, aliases...)
}

func (f *fenced) List(ctx context.Context, q Query) iter.Seq2[*Item, error] {
	if len(q.Kinds) == 1 && q.Kinds[0] == memory.KindKey && len(f.Keys) > 0 {
		wide := &fenced{f.s, Sight{Reads: append(slices.Clone(f.Reads), f.Keys...)}}
		return wide.List(ctx, q)
	}
	spaces, ok := f.within(q.Spaces)
	if !ok {
		return func(func(*Item, error) bool) {}
	}
	q.Spaces = spaces
	return f.s.List(ctx, q)
}

// Edges returns arrows that start at what may be read; what they point to may lie
// outside, and is then as if it were not held.
func (f *fenced) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	edges, err := f.s.Edges(ctx, dir, ids...)
	if err != nil {
		return nil, err
	}
	from := make([]memory.ID, len(edges))
	for i, e := range edges {
		from[i] = e.From
	}
	mine, err := f.seen(ctx, from)
	return slices.DeleteFunc(edges, func(e graph.Edge) bool { return !mine[e.From] }), err
}

func (f *fenced) Match(ctx context.Context, m Match) ([]Hit, error) {
	spaces, ok := f.within(m.Spaces)
	if !ok {
		return nil, ctx.Err()
	}
	m.Spaces = spaces
	return f.s.Match(ctx, m)
}

func (f *fenced) Nearest(ctx context.Context, n Near) ([]Hit, error) {
	spaces, ok := f.within(n.Spaces)
	if !ok {
		return nil, ctx.Err()
	}
	n.Spaces = spaces
	return f.s.Nearest(ctx, n)
}

func (f *fenced) Vectors(ctx context.Context, model string) iter.Seq2[Vector, error] {
	return func(yield func(Vector, error) bool) {
		for v, err := range f.s.Vectors(ctx, model) {
			if err == nil {
				mine, seenErr := f.seen(ctx, []memory.ID{v.ID})
				if err = seenErr; err == nil && !mine[v.ID] {
					continue
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func (f *fenced) PutVectors(context.Context, string, ...Vector) error { return errAlone }

func (f *fenced) Touch(context.Context, time.Time, ...memory.ID) error { return errAlone }

func (f *fenced) Used(ctx context.Context, ids ...memory.ID) ([]Usage, error) {
	return make([]Usage, len(ids)), ctx.Err()
}

func (f *fenced) Since(ctx context.Context, space string, after Seq, limit int) ([]Change, error) {
	if _, ok := f.within([]string{space}); !ok {
		return nil, ctx.Err()
	}
	return f.s.Since(ctx, space, after, limit)
}

func (f *fenced) Listed(ctx context.Context, space string, after Seq, limit int) ([]Listed, error) {
	if _, ok := f.within([]string{space}); !ok {
		return nil, ctx.Err()
	}
	return f.s.Listed(ctx, space, after, limit)
}

func (f *fenced) Kept(ctx context.Context, space string, after Seq, limit int) ([]Kept, error) {
	if _, ok := f.within([]string{space}); !ok {
		return nil, ctx.Err()
	}
	return f.s.Kept(ctx, space, after, limit)
}

func (f *fenced) Spaces(ctx context.Context) ([]Space, error) {
	all, err := f.s.Spaces(ctx)
	return slices.DeleteFunc(all, func(s Space) bool {
		return !slices.Contains(f.Reads, s.Name) && !slices.Contains(f.Keys, s.Name)
	}), err
}

func (f *fenced) Tree(ctx context.Context, space string) (ledger.Frontier, error) {
	if _, ok := f.within([]string{space}); !ok {
		return ledger.Frontier{}, ctx.Err()
	}
	return f.s.Tree(ctx, space)
}

func (f *fenced) Hold(ctx context.Context, c Checkpoint) error {
	if !slices.Contains(f.Writes, c.Space) {
		return ErrAbsent
	}
	return f.s.Hold(ctx, c)
}

func (f *fenced) Held(ctx context.Context, space string) ([]Checkpoint, error) {
	if _, ok := f.within([]string{space}); !ok {
		return nil, ctx.Err()
	}
	return f.s.Held(ctx, space)
}

// Keyring is of all keys that are held: they are public, and no record follows
// from them.
func (f *fenced) Keyring(ctx context.Context) (*state.Keyring, error) { return f.s.Keyring(ctx) }

func (f *fenced) StoreName(ctx context.Context) (string, error) { return f.s.StoreName(ctx) }

func (f *fenced) Cursor(context.Context, string) (Seq, error)  { return 0, errAlone }
func (f *fenced) SetCursor(context.Context, string, Seq) error { return errAlone }

// Note and SwapNote belong to the serving program, which puts the account into the name: no
// caller chooses a name.
func (f *fenced) Note(ctx context.Context, name string) ([]byte, error) { return f.s.Note(ctx, name) }
func (f *fenced) SwapNote(ctx context.Context, name string, old, now []byte) error {
	return f.s.SwapNote(ctx, name, old, now)
}

// NoteNames returns none: what is noted at a hub is the hub's, as row-level security has it.
func (f *fenced) NoteNames(context.Context, string) ([]string, error) { return nil, nil }

func (f *fenced) Jobs(ctx context.Context, _ JobQuery) ([]Job, error) {
	return nil, ctx.Err()
}
func (f *fenced) TakeJob(ctx context.Context, _ Take) (*Job, error) {
	return nil, ctx.Err()
}
func (f *fenced) PutBack(context.Context, PutBack) error                { return errAlone }
func (f *fenced) ForgetJobs(context.Context, time.Time) (int, error)    { return 0, errAlone }
func (f *fenced) Count(context.Context, string, map[string]int64) error { return errAlone }
func (f *fenced) Counts(ctx context.Context, _ string) (map[string]int64, error) {
	return nil, ctx.Err()
}

// Stats counts records only: the rest is of the whole store.
func (f *fenced) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	all, err := f.Spaces(ctx)
	for _, s := range all {
		if slices.Contains(f.Reads, s.Name) {
			st.Records += int(s.Last)
		}
	}
	return st, err
}

func (f *fenced) Check(context.Context) iter.Seq[error] {
	return func(yield func(error) bool) { yield(errAlone) }
}

// Close does nothing: the store is the hub's.
func (f *fenced) Close() error { return nil }
