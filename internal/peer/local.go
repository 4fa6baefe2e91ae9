package peer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Local does the effects of an exchange that are for the own store.
type Local struct {
	Store store.Store
	// Sign returns who signs the checkpoints of the store's logs, and his did:key. Nil
	// shows the peer none.
	Sign func(origin string) (note.Signer, string, error)
	// Wait waits before a request is sent again; nil does not.
	Wait func(ctx context.Context, attempt int) error
	Now  func() time.Time
}

// Do does an effect.
func (l *Local) Do(ctx context.Context, e Effect) {
	s := l.Store
	switch c := e.(type) {
	case *CallSpaces:
		c.Out, c.Err = s.Spaces(ctx)
	case *CallRecall:
		c.Out, c.Err = s.Note(ctx, c.In.Name)
	case *CallRemember:
		c.Err = s.SwapNote(ctx, c.In.Name, c.In.Old, c.In.Now)
	case *CallSince:
		c.Out, c.Err = s.Kept(ctx, c.In.Space, c.In.After, c.In.Limit)
	case *CallItems:
		c.Out, c.Err = s.Get(ctx, c.In.IDs...)
	case *CallUnheld:
		c.Out, c.Err = unheld(ctx, s, c.In.IDs)
	case *CallMissing:
		c.Out, c.Err = Unmarked(ctx, s, c.In.Refs)
	case *CallKeyBook:
		c.Out, c.Err = keyRecords(ctx, s)
	case *CallWrote:
		c.Out, c.Err = wrote(ctx, s, c.In)
	case *CallRing:
		c.Out, c.Err = s.Keyring(ctx)
	case *CallAppend:
		c.Out, c.Err = appendTo(ctx, s, c.In)
	case *CallShow:
		c.Out, c.Err = l.show(ctx, c.In)
	case *CallHold:
		c.Err = l.hold(ctx, c.In)
	case *CallWait:
		if l.Wait != nil {
			c.Err = l.Wait(ctx, c.In.Attempt)
		}
	}
}

// unheld returns the ids that a store does not hold.
func unheld(ctx context.Context, s store.Store, ids []memory.ID) ([]memory.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := s.Get(ctx, ids...)
	var out []memory.ID
	for i, it := range items {
		if it == nil {
			out = append(out, ids[i])
		}
	}
	return out, err
}

// keyRecords returns every key record held, in the order in which they came: it matters
// to whoever is given them.
func keyRecords(ctx context.Context, s store.Store) ([]*memory.Record, error) {
	var held []*store.Item
	for it, err := range s.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true}) {
		if err != nil {
			return nil, err
		}
		if it.Record != nil {
			held = append(held, it)
		}
	}
	slices.SortFunc(held, func(a, b *store.Item) int {
		return cmp.Or(
			a.Came.Compare(b.Came), cmp.Compare(a.Record.Header.Space, b.Record.Header.Space),
			cmp.Compare(a.Seq, b.Seq),
		)
	})
	out := make([]*memory.Record, len(held))
	for i, it := range held {
		out[i] = it.Record
	}
	return out, nil
}

// wrote returns those of some keys that wrote in a space.
func wrote(ctx context.Context, s store.Store, in Wrote) ([]string, error) {
	var out []string
	kinds := slices.DeleteFunc(append(memory.Memories(), memory.Claims()...), func(k memory.Kind) bool {
		return !in.Filter.kind(k) && k != memory.KindMark // which may purge
	})
	for _, did := range in.DIDs {
		q := store.Query{Author: did, Spaces: []string{in.Space}, Kinds: kinds, Hidden: true, Limit: 1}
		for _, err := range s.List(ctx, q) {
			if err != nil {
				return nil, err
			}
			out = append(out, did)
		}
	}
	return out, nil
}

// appendTo stores records and measures the log of a space before and after.
func appendTo(ctx context.Context, s store.Store, in Append) (Appended, error) {
	var out Appended
	before, err := s.Tree(ctx, in.Space)
	if err != nil {
		return out, err
	}
	if out.Added, err = s.Append(ctx, store.Batch{Records: in.Records, Obey: true}); err != nil {
		return out, err
	}
	after, err := s.Tree(ctx, in.Space)
	out.Before, out.After = store.Seq(before.Size()), store.Seq(after.Size())
	return out, err
}

// show signs what the own log is, if it is another than was seen last.
func (l *Local) show(ctx context.Context, in Show) (CosignRequest, error) {
	var out CosignRequest
	if l.Sign == nil {
		return out, nil
	}
	f, err := l.Store.Tree(ctx, in.Space)
	if err != nil || f.Size() == 0 || f.Size() == in.Seen && ledger.EncodeHash(f.Root()) == in.SeenRoot {
		return out, err
	}
	name, err := l.Store.StoreName(ctx)
	if err != nil {
		return out, err
	}
	c := ledger.Checkpoint{Origin: Origin(name, in.Space), Size: f.Size(), Root: f.Root()}
	signer, did, err := l.Sign(c.Origin)
	if err != nil {
		return out, err
	}
	raw, err := ledger.Sign(c, signer)
	if err != nil {
		return out, err
	}
	out = CosignRequest{Space: in.Space, Note: string(raw), Key: did, Old: in.Seen, Restart: in.Restart}
	if in.Seen == 0 || in.Seen >= f.Size() {
		return out, nil
	}
	t, err := ledger.NewTree(idsOf(ctx, l.Store, in.Space), f.Size())
	if err != nil {
		return out, err
	}
	p, err := t.Consistency(in.Seen, f.Size())
	out.Proof = p.Strings()
	return out, err
}

// idsOf reads the ids of a log.
func idsOf(ctx context.Context, s store.Store, space string) ledger.Source {
	return func(from, to int64) ([]ledger.Hash, error) {
		page, err := s.Since(ctx, space, store.Seq(from), int(to-from))
		if err != nil {
			return nil, err
		}
		out := make([]ledger.Hash, len(page))
		for i, c := range page {
			if int64(c.Seq) != from+int64(i)+1 {
				return nil, fmt.Errorf("%w: the log of %s has no place %d", store.ErrDamaged, space, from+int64(i)+1)
			}
			out[i] = ledger.Hash(c.ID)
		}
		return out, nil
	}
}

func (l *Local) hold(ctx context.Context, in Hold) error {
	c, _, err := ledger.Read([]byte(in.Note))
	if err != nil {
		return err
	}
	at := time.Now()
	if l.Now != nil {
		at = l.Now()
	}
	return l.Store.Hold(
		ctx, store.Checkpoint{Space: in.Space, Size: c.Size, Root: c.Root, Note: in.Note, By: in.By, At: at},
	)
}
