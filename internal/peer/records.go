package peer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keyRecords returns every key record held in the order of arrival, which matters to the
// recipient.
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

// loaded reads a record of the own log.
func loaded(k store.Kept) (*memory.Record, error) {
	r, err := memory.Load(k.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", k.Ref.Short(), store.ErrDamaged, err)
	}
	if r.Ref() != k.Ref {
		return nil, fmt.Errorf("%s: %w: its bytes have another id", k.Ref.Short(), store.ErrDamaged)
	}
	r.Sigs = k.Sigs
	return r, nil
}

// appendTo stores records and measures the log of a space before and after. What check says of one that is new
// ends it; nil says nothing.
func appendTo(
	ctx context.Context, s store.Store, in Append, check func(*memory.Record) error,
) (Appended, error) {
	var out Appended
	before, err := s.Tree(ctx, in.Space)
	if err != nil {
		return out, err
	}
	if out.Added, err = s.Append(ctx, store.Batch{Records: in.Records, Obey: true, Check: check}); err != nil {
		return out, err
	}
	after, err := s.Tree(ctx, in.Space)
	out.Before, out.After = store.Seq(before.Size()), store.Seq(after.Size())
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
