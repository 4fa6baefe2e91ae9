package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// frontier reads the right edge of the tree over the first size records of a space, and
// computes a missing one from the log: a store of an older version has none.
func frontier(
	ctx context.Context, on *session.Session, space int, size int64, tree []byte,
) (f ledger.Frontier, err error) {
	if tree != nil {
		if err := f.UnmarshalBinary(tree); err != nil {
			return f, session.Derived(fmt.Errorf("%w: the tree of a log: %w", store.ErrDamaged, err))
		}
	}
	for f.Size() < size {
		page, err := changesAfter(ctx, on, space, store.Seq(f.Size()), int(min(treePage, size-f.Size())))
		if err != nil {
			return f, err
		}
		if len(page) == 0 {
			return f, session.Derived(
				fmt.Errorf("%w: the log of a space ends at %d, not at %d", store.ErrDamaged, f.Size(), size),
			)
		}
		if err := store.Extend(&f, page); err != nil {
			return f, err
		}
	}
	if f.Size() != size {
		return f, session.Derived(
			fmt.Errorf("%w: the tree of a log is of %d records, and there are %d", store.ErrDamaged, f.Size(), size),
		)
	}
	return f, nil
}

// treePage is how many ids are read at a time.
const treePage = 10_000

// changesAfter reads the log of a space after a place.
func changesAfter(
	ctx context.Context, on *session.Session, space int, after store.Seq, limit int,
) ([]store.Change, error) {
	var out []store.Change
	err := on.Page(ctx, func(rows *sql.Rows) error {
		var key int64
		var id memory.ID
		err := rows.Scan(&key, session.AsID(&id))
		out = append(out, store.Change{Seq: session.SeqOf(key), ID: id})
		return err
	}, "SELECT key, id FROM records WHERE key > ? AND key < ? ORDER BY key LIMIT ?", space, after, limit)
	return out, err
}
