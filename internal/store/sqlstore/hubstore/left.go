package hubstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// leftNote begins the names of the settings that say when an account left a space. Such an account may hold what it
// pulled before.
const leftNote = "left/"

// left notes that an account is no member of a space any more.
func left(ctx context.Context, w *session.Session, space, account string, at time.Time) error {
	return sqlstore.SetMeta(
		ctx, w, sqlstore.Noted+settingNote+leftNote+space+"/"+account, at.UTC().Format(time.RFC3339),
	)
}

// leave runs a statement that deletes members, and notes who leaves which space.
func leave(ctx context.Context, w *session.Session, at time.Time, query string, args ...any) error {
	var gone []store.Member
	err := w.Each(ctx, func(r *sql.Rows) error {
		var m store.Member
		err := r.Scan(&m.Space, &m.Account)
		gone = append(gone, m)
		return err
	}, query+" RETURNING space, account", args...)
	for _, m := range gone {
		if err == nil {
			err = left(ctx, w, m.Space, m.Account, at)
		}
	}
	return err
}

// Left returns when accounts left a space, by account. One that came back is among them: see Members.
func (h *Hub) Left(ctx context.Context, space string) (map[string]time.Time, error) {
	all, err := h.Settings(ctx, leftNote+space+"/")
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(all))
	for account, value := range all {
		// one that cannot be read left at a time that is not known
		out[account], _ = time.Parse(time.RFC3339, string(value))
	}
	return out, nil
}
