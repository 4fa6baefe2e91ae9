package hubstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// AddServices makes service accounts with their roles, all or none.
func (h *Hub) AddServices(ctx context.Context, all []store.Account, places []store.Member) error {
	return h.write(ctx, "add service accounts to", func(ctx context.Context, w *session.Session) error {
		for _, a := range all {
			var did string
			made, err := w.One(ctx, []any{&did}, `INSERT INTO hub_accounts (did, name, made, ended, maker, expires)
				VALUES (?, ?, ?, 0, ?, ?) ON CONFLICT (did) DO NOTHING RETURNING did`, a.DID, a.Name, stamp(a.Made), a.Maker,
				stamp(a.Expires))
			if err != nil {
				return err
			}
			if !made {
				return fmt.Errorf("%w: that key has an account already", store.ErrSpent)
			}
		}
		for _, m := range places {
			if err := w.Exec(ctx, putMember, m.Space, m.Account, string(m.Role), stamp(m.Made)); err != nil {
				return err
			}
		}
		return nil
	})
}

// JoinService gives a service account a token, if the account may have one now.
func (h *Hub) JoinService(ctx context.Context, t store.Token) error {
	return h.write(ctx, "let a service account into", func(ctx context.Context, w *session.Session) error {
		var did string
		found, err := w.One(ctx, []any{&did}, `SELECT did FROM hub_accounts
			WHERE did = ? AND maker <> '' AND ended = 0 AND (expires = 0 OR expires > ?)`, t.Account, stamp(t.Made))
		if err != nil {
			return err
		}
		if !found {
			return store.ErrAbsent
		}
		if err := forgetTokens(ctx, w, t); err != nil {
			return err
		}
		return addToken(ctx, w, t)
	})
}

// forgetTokens drops an account's tokens that ended for good, and those that have not been used since they expired long
// ago: a container that begins with an empty disk each time joins each time.
func forgetTokens(ctx context.Context, w *session.Session, t store.Token) error {
	const idle = 24 * time.Hour
	return w.Exec(ctx, "DELETE FROM hub_tokens WHERE account = ? AND expires < ?", t.Account, stamp(t.Made.Add(-idle)))
}

// Services returns the service accounts that an account made; "" is all.
func (h *Hub) Services(ctx context.Context, maker string) ([]store.Account, error) {
	return h.accounts(ctx, accountColumns+"WHERE maker <> '' AND (? = '' OR maker = ?) ORDER BY name, did", maker, maker)
}

// Brought returns how much an account stored in each space.
func (h *Hub) Brought(ctx context.Context, account string) (out []store.Quota, err error) {
	err = h.each(ctx, "read the sums of", func(r *sql.Rows) error {
		var q store.Quota
		err := r.Scan(&q.Of, &q.Records, &q.Bytes)
		out = append(out, q)
		return err
	}, "SELECT space, records, bytes FROM hub_brought WHERE account = ? ORDER BY space", account)
	return out, err
}
