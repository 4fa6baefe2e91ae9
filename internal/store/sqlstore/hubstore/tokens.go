package hubstore

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// mostRenewed is how many secrets of one token are kept. Several processes share a token, and each renews it.
const mostRenewed = 64

func addToken(ctx context.Context, w *session.Session, t store.Token) error {
	return w.Exec(ctx, `INSERT INTO hub_tokens (secret, id, account, audience, label, made, expires, revoked, key, ends,
		used, address) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, t.Secret[:], t.ID, t.Account, t.Audience, t.Label,
		stamp(t.Made), stamp(t.Expires), stamp(t.Revoked), t.Key, stamp(t.Ends), stamp(t.Used), t.Address)
}

// AddToken keeps another token.
func (h *Hub) AddToken(ctx context.Context, t store.Token) error {
	return h.write(
		ctx, "add a token to", func(ctx context.Context, w *session.Session) error { return addToken(ctx, w, t) },
	)
}

// Token returns the token of a secret. It is looked for by its hash, which says
// nothing of how near a guess was, and compared once more in constant time.
func (h *Hub) Token(ctx context.Context, secret store.Secret) (store.Token, error) {
	all, err := h.tokens(ctx, tokenColumns+"WHERE secret = ?", secret[:])
	if err != nil {
		return store.Token{}, err
	}
	if len(all) == 0 || subtle.ConstantTimeCompare(all[0].Secret[:], secret[:]) != 1 {
		return store.Token{}, store.ErrAbsent
	}
	return all[0], nil
}

const tokenColumns = "SELECT secret, id, account, audience, label, made, expires, revoked, key, ends, used, address " +
	"FROM hub_tokens "

// Tokens returns those of an account, each as it was renewed last; "" is all.
func (h *Hub) Tokens(ctx context.Context, account string) ([]store.Token, error) {
	rows, err := h.tokens(ctx, tokenColumns+"WHERE (? = '' OR account = ?) ORDER BY made, id, expires", account, account)
	var all []store.Token
	for _, t := range rows {
		if n := len(all); n > 0 && all[n-1].ID == t.ID {
			all[n-1] = t
			continue
		}
		all = append(all, t)
	}
	return all, err
}

// TokenOf returns the token of a public id, as it was renewed last.
func (h *Hub) TokenOf(ctx context.Context, id string) (store.Token, error) {
	all, err := h.tokens(ctx, tokenColumns+"WHERE id = ? ORDER BY expires", id)
	if err == nil && len(all) == 0 {
		err = store.ErrAbsent
	}
	if err != nil {
		return store.Token{}, err
	}
	return all[len(all)-1], nil
}

func (h *Hub) tokens(ctx context.Context, query string, args ...any) (out []store.Token, err error) {
	err = h.each(ctx, "read the tokens of", func(r *sql.Rows) error {
		var t store.Token
		var secret []byte
		var made, expires, revoked, ends, used int64
		if err := r.Scan(&secret, &t.ID, &t.Account, &t.Audience, &t.Label, &made, &expires, &revoked, &t.Key, &ends,
			&used, &t.Address); err != nil {
			return err
		}
		if len(secret) != len(t.Secret) {
			return fmt.Errorf("%w: a token of %d bytes", store.ErrDamaged, len(secret))
		}
		t.Secret, t.Made, t.Expires, t.Revoked = store.Secret(secret), unstamp(made), unstamp(expires), unstamp(revoked)
		t.Ends, t.Used = unstamp(ends), unstamp(used)
		out = append(out, t)
		return nil
	}, query, args...)
	return out, err
}

// RenewToken gives a token another secret. The last few secrets of it remain good until they expire.
func (h *Hub) RenewToken(ctx context.Context, t store.Token) error {
	found := false
	err := h.write(ctx, "renew a token of", func(ctx context.Context, w *session.Session) error {
		var kept [][]byte
		var was store.Token
		var made, ends, used int64
		err := w.Each(ctx, func(r *sql.Rows) error {
			var secret []byte
			kept = append(kept, nil)
			err := r.Scan(&secret, &was.Account, &was.Audience, &was.Label, &made, &ends, &used, &was.Address)
			kept[len(kept)-1] = secret
			return err
		}, `SELECT secret, account, audience, label, made, ends, used, address FROM hub_tokens
			WHERE id = ? AND key = ? AND revoked = 0 ORDER BY expires DESC`, t.ID, t.Key)
		if found = len(kept) > 0; err != nil || !found {
			return err
		}
		for _, secret := range kept[min(len(kept), mostRenewed-1):] {
			if err := w.Exec(ctx, "DELETE FROM hub_tokens WHERE secret = ?", secret); err != nil {
				return err
			}
		}
		was.ID, was.Key, was.Secret, was.Expires = t.ID, t.Key, t.Secret, t.Expires
		was.Made, was.Ends, was.Used = unstamp(made), unstamp(ends), unstamp(used)
		return addToken(ctx, w, was)
	})
	if err == nil && !found {
		return store.ErrAbsent
	}
	return err
}

// BindToken binds a token without a key to one.
func (h *Hub) BindToken(ctx context.Context, id, key string) error {
	return h.touched(ctx, "bind a token of", `UPDATE hub_tokens SET ends = expires, key = ?
		WHERE id = ? AND key = '' AND revoked = 0 RETURNING id`, key, id)
}

// UseToken keeps when and from where a token was used.
func (h *Hub) UseToken(ctx context.Context, id string, at time.Time, address string) error {
	return h.one(ctx, "note the use of a token of",
		"UPDATE hub_tokens SET used = ?, address = ? WHERE id = ? AND used < ?", stamp(at), address, id, stamp(at))
}

// RevokeToken ends a token.
func (h *Hub) RevokeToken(ctx context.Context, id, account string, at time.Time) error {
	return h.ended(ctx, "revoke a token of", func(ctx context.Context, w *session.Session, account string) error {
		return spend(ctx, w, account, "")
	}, `UPDATE hub_tokens SET revoked = ?
		WHERE id = ? AND (? = '' OR account = ?) AND revoked = 0 RETURNING account`, stamp(at), id, account, account)
}
