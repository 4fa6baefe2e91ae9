package hubstore

import (
	"context"
	"database/sql"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// ownerRow finds the owner of a space that was handed over.
const ownerRow = "SELECT account FROM hub_members WHERE space = ? AND role = 'owner'"

// SetOwner keeps who owns a space that was handed over. Whoever owned it before is a writer there,
// and whom they let in beyond that may come in no more.
func (h *Hub) SetOwner(ctx context.Context, m store.Member) error {
	return h.write(ctx, "set the owner of", func(ctx context.Context, w *session.Session) error {
		before := store.OwnerOf(m.Space)
		found, err := w.One(ctx, []any{&before}, ownerRow, m.Space)
		if err != nil || before == m.Account {
			return err
		}
		if found {
			err = w.Exec(ctx, "UPDATE hub_members SET role = 'writer' WHERE space = ? AND account = ?", m.Space, before)
		} else {
			err = w.Exec(ctx, putMember, m.Space, before, string(store.Writer), stamp(m.Made))
		}
		if err != nil {
			return err
		}
		if err := w.Exec(ctx, putMember, m.Space, m.Account, string(store.Owner), stamp(m.Made)); err != nil {
			return err
		}
		return h.placed(ctx, w, before, m.Space, store.Writer)
	})
}

// Owners returns the owners of the spaces that were handed over.
func (h *Hub) Owners(ctx context.Context) (map[string]string, error) {
	out := make(map[string]string)
	err := h.each(ctx, "read the owners of", func(r *sql.Rows) error {
		var space, account string
		err := r.Scan(&space, &account)
		out[space] = account
		return err
	}, "SELECT space, account FROM hub_members WHERE role = 'owner'")
	return out, err
}
