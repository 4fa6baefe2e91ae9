package sqlstore

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// stamp and unstamp keep a time in milliseconds, none as 0.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func unstamp(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// write runs statements of the hub's own tables in one transaction.
func (h *Hub) write(ctx context.Context, doing string, do func(ctx context.Context, w *session) error) error {
	return h.own.change(ctx, doing, do)
}

// one writes one statement.
func (h *Hub) one(ctx context.Context, doing, query string, args ...any) error {
	return h.write(ctx, doing, func(ctx context.Context, w *session) error { return w.exec(ctx, query, args...) })
}

// touched runs one statement that returns a row for each change, and returns store.ErrAbsent
// if there is none.
func (h *Hub) touched(ctx context.Context, doing, query string, args ...any) error {
	n := 0
	err := h.write(ctx, doing, func(ctx context.Context, w *session) error {
		n = 0
		return w.each(ctx, func(*sql.Rows) error { n++; return nil }, query, args...)
	})
	if err == nil && n == 0 {
		return store.ErrAbsent
	}
	return err
}

// Accounts returns those a hub knows, by name.
func (h *Hub) Accounts(ctx context.Context) ([]store.Account, error) {
	return h.accounts(ctx, "SELECT did, name, made, ended FROM hub_accounts ORDER BY name, did")
}

func (h *Hub) accounts(ctx context.Context, query string, args ...any) (out []store.Account, err error) {
	err = h.each(ctx, "read the accounts of", func(r *sql.Rows) error {
		var a store.Account
		var made, ended int64
		err := r.Scan(&a.DID, &a.Name, &made, &ended)
		a.Made, a.Ended = unstamp(made), unstamp(ended)
		out = append(out, a)
		return err
	}, query, args...)
	return out, err
}

// Account returns one account.
func (h *Hub) Account(ctx context.Context, did string) (store.Account, error) {
	all, err := h.accounts(ctx, "SELECT did, name, made, ended FROM hub_accounts WHERE did = ?", did)
	if err == nil && len(all) == 0 {
		err = store.ErrAbsent
	}
	if err != nil {
		return store.Account{}, err
	}
	return all[0], nil
}

// EndAccount takes an account's tokens, places and say away. What it brought stays.
func (h *Hub) EndAccount(ctx context.Context, did string, at time.Time) error {
	found := false
	err := h.write(ctx, "end an account of", func(ctx context.Context, w *session) error {
		var was string
		var err error
		found, err = w.one(
			ctx, []any{&was}, "UPDATE hub_accounts SET ended = ? WHERE did = ? AND ended = 0 RETURNING did",
			stamp(at), did,
		)
		if err != nil || !found {
			return err
		}
		if err := w.exec(
			ctx, "UPDATE hub_tokens SET revoked = ? WHERE account = ? AND revoked = 0", stamp(at), did,
		); err != nil {
			return err
		}
		if err := w.exec(ctx, "DELETE FROM hub_members WHERE account = ?", did); err != nil {
			return err
		}
		return unsay(ctx, w, did, "", "")
	})
	if err == nil && !found {
		return store.ErrAbsent
	}
	return err
}

const putMember = `INSERT INTO hub_members (space, account, role, made) VALUES (?, ?, ?, ?)
	ON CONFLICT (space, account) DO UPDATE SET role = excluded.role`

// spend ends the invitations that an account used, to one space or, with "", to any.
// Until then they let it in again where it heard no answer: no longer, once somebody
// decided otherwise.
func spend(ctx context.Context, w *session, account, space string) error {
	return w.exec(
		ctx, "UPDATE hub_invitations SET expires = 0 WHERE used = ? AND (? = '' OR space = ?)", account, space,
		space,
	)
}

// unsay ends the open invitations of an account that exceed its own role: otherwise it could
// return by one of them.
func unsay(ctx context.Context, w *session, account, space string, role store.Role) error {
	for _, r := range store.Roles() {
		if role.AtLeast(store.Keeper) && role.AtLeast(r) {
			continue
		}
		if err := w.exec(ctx, "UPDATE hub_invitations SET expires = 0 WHERE used = '' AND by = ? AND role = ? AND (? "+
			"= '' OR space = ?)",
			account, string(r), space, space); err != nil {
			return err
		}
	}
	return nil
}

// SetMember returns an account its place in a space.
func (h *Hub) SetMember(ctx context.Context, m store.Member) error {
	return h.write(ctx, "set a member of", func(ctx context.Context, w *session) error {
		if err := w.exec(ctx, putMember, m.Space, m.Account, string(m.Role), stamp(m.Made)); err != nil {
			return err
		}
		return h.placed(ctx, w, m.Account, m.Space, m.Role)
	})
}

// placed ends the invitations that an account used or made, as far as they go beyond
// the place that somebody has given it. In its own space it needs none.
func (h *Hub) placed(ctx context.Context, w *session, account, space string, role store.Role) error {
	if err := spend(ctx, w, account, space); err != nil || store.OwnerOf(space) == account {
		return err
	}
	return unsay(ctx, w, account, space, role)
}

// RemoveMember takes it away.
func (h *Hub) RemoveMember(ctx context.Context, space, account string) error {
	return h.ended(ctx, "remove a member of", func(ctx context.Context, w *session, account string) error {
		return h.placed(ctx, w, account, space, "")
	}, "DELETE FROM hub_members WHERE space = ? AND account = ? RETURNING account", space, account)
}

// MoveMember changes it, if it is what it was.
func (h *Hub) MoveMember(ctx context.Context, was store.Member, now store.Role) error {
	query, args := "UPDATE hub_members SET role = ? WHERE space = ? AND account = ? AND role = ? RETURNING account", []any{
		string(now),
	}
	if now == "" {
		query, args = "DELETE FROM hub_members WHERE space = ? AND account = ? AND role = ? RETURNING account", nil
	}
	return h.ended(ctx, "change a member of", func(ctx context.Context, w *session, account string) error {
		return h.placed(ctx, w, account, was.Space, now)
	}, query, append(args, was.Space, was.Account, string(was.Role))...)
}

// ended runs a statement that takes something away from an account and returns whose it
// was, and what follows from it; store.ErrAbsent where there is nothing.
func (h *Hub) ended(
	ctx context.Context, doing string, then func(ctx context.Context, w *session, account string) error,
	query string, args ...any,
) error {
	found := false
	err := h.write(ctx, doing, func(ctx context.Context, w *session) error {
		var account string
		var err error
		if found, err = w.one(ctx, []any{&account}, query, args...); err != nil || !found {
			return err
		}
		return then(ctx, w, account)
	})
	if err == nil && !found {
		return store.ErrAbsent
	}
	return err
}

// Members returns the places of a space or of an account.
func (h *Hub) Members(ctx context.Context, space, account string) (out []store.Member, err error) {
	query, args := "SELECT space, account, role, made FROM hub_members WHERE space <> ''", []any(nil)
	if space != "" {
		query, args = query+" AND space = ?", append(args, space)
	}
	if account != "" { // a condition that may be none would have every row read with each request
		query, args = query+" AND account = ?", append(args, account)
	}
	err = h.each(ctx, "read the members of", func(r *sql.Rows) error {
		var m store.Member
		var made int64
		err := r.Scan(&m.Space, &m.Account, &m.Role, &made)
		m.Made = unstamp(made)
		out = append(out, m)
		return err
	}, query+" ORDER BY space, account", args...)
	return out, err
}

// Invite keeps an invitation.
func (h *Hub) Invite(ctx context.Context, i store.Invitation) error {
	return h.one(ctx, "invite to", `INSERT INTO hub_invitations (secret, id, space, role, by, made, expires, used)
		VALUES (?, ?, ?, ?, ?, ?, ?, '')`, i.Secret[:], i.ID, i.Space, string(i.Role), i.By, stamp(i.Made), stamp(i.Expires))
}

// Invitations returns those that can still be used.
func (h *Hub) Invitations(ctx context.Context, space string, now time.Time) (out []store.Invitation, err error) {
	err = h.each(ctx, "read the invitations of", func(r *sql.Rows) error {
		var i store.Invitation
		var made, expires int64
		err := r.Scan(&i.ID, &i.Space, &i.Role, &i.By, &made, &expires)
		i.Made, i.Expires = unstamp(made), unstamp(expires)
		out = append(out, i)
		return err
	}, "SELECT id, space, role, by, made, expires FROM hub_invitations WHERE used = '' AND expires > ? AND (? = '' "+
		"OR space = ?) ORDER BY made, id", stamp(now), space, space)
	return out, err
}

// Uninvite ends one that can still be used.
func (h *Hub) Uninvite(ctx context.Context, id, space string, now time.Time) error {
	return h.ended(ctx, "end an invitation of", func(context.Context, *session, string) error { return nil },
		"UPDATE hub_invitations SET expires = 0 WHERE id = ? AND used = '' AND expires > ? AND (? = '' OR space = ?) "+
			"RETURNING id",
		id, stamp(now), space, space)
}

// Join uses up an invitation. A client that heard no answer and sends the same request again
// is admitted again with another token.
func (h *Hub) Join(ctx context.Context, code store.Secret, a store.Account, t store.Token) (store.Invitation, error) {
	var i store.Invitation
	err := h.write(ctx, "join", func(ctx context.Context, w *session) error {
		i = store.Invitation{Secret: code}
		var expires int64
		found, err := w.one(ctx, []any{&i.ID, &i.Space, &i.Role, &i.By, &expires}, `UPDATE hub_invitations SET used = ?
			WHERE secret = ? AND (used = '' OR used = ?) AND expires > ? RETURNING id, space, role, by, expires`,
			a.DID, code[:], a.DID, stamp(t.Made))
		if err != nil {
			return err
		}
		if !found {
			return store.ErrSpent
		}
		i.Expires = unstamp(expires)
		var ended int64
		_, err = w.one(ctx, []any{&ended}, `INSERT INTO hub_accounts (did, name, made, ended) VALUES (?, ?, ?, 0)
			ON CONFLICT (did) DO UPDATE SET name = excluded.name RETURNING ended`, a.DID, a.Name, stamp(a.Made))
		if err != nil {
			return err
		}
		if ended != 0 {
			return fmt.Errorf("%w: the account was ended", store.ErrSpent)
		}
		if i.Space != "" {
			var has store.Role
			if _, err := w.one(
				ctx, []any{&has}, "SELECT role FROM hub_members WHERE space = ? AND account = ?", i.Space, a.DID,
			); err != nil {
				return err
			}
			if !has.AtLeast(i.Role) { // an invitation takes nothing away
				if err := w.exec(ctx, putMember, i.Space, a.DID, string(i.Role), stamp(t.Made)); err != nil {
					return err
				}
			}
		}
		return addToken(ctx, w, t)
	})
	return i, err
}

func addToken(ctx context.Context, w *session, t store.Token) error {
	return w.exec(ctx, `INSERT INTO hub_tokens (secret, id, account, audience, label, made, expires, revoked)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, t.Secret[:], t.ID, t.Account, t.Audience, t.Label, stamp(t.Made),
		stamp(t.Expires), stamp(t.Revoked))
}

// AddToken keeps another token.
func (h *Hub) AddToken(ctx context.Context, t store.Token) error {
	return h.write(ctx, "add a token to", func(ctx context.Context, w *session) error { return addToken(ctx, w, t) })
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

const tokenColumns = "SELECT secret, id, account, audience, label, made, expires, revoked FROM hub_tokens "

// Tokens returns those of an account; "" is all.
func (h *Hub) Tokens(ctx context.Context, account string) ([]store.Token, error) {
	return h.tokens(ctx, tokenColumns+"WHERE (? = '' OR account = ?) ORDER BY made, id", account, account)
}

func (h *Hub) tokens(ctx context.Context, query string, args ...any) (out []store.Token, err error) {
	err = h.each(ctx, "read the tokens of", func(r *sql.Rows) error {
		var t store.Token
		var secret []byte
		var made, expires, revoked int64
		if err := r.Scan(&secret, &t.ID, &t.Account, &t.Audience, &t.Label, &made, &expires, &revoked); err != nil {
			return err
		}
		if len(secret) != len(t.Secret) {
			return fmt.Errorf("%w: a token of %d bytes", store.ErrDamaged, len(secret))
		}
		t.Secret, t.Made, t.Expires, t.Revoked = store.Secret(secret), unstamp(made), unstamp(expires), unstamp(revoked)
		out = append(out, t)
		return nil
	}, query, args...)
	return out, err
}

// RevokeToken ends a token.
func (h *Hub) RevokeToken(ctx context.Context, id, account string, at time.Time) error {
	return h.ended(ctx, "revoke a token of", func(ctx context.Context, w *session, account string) error {
		return spend(ctx, w, account, "")
	}, `UPDATE hub_tokens SET revoked = ?
		WHERE id = ? AND (? = '' OR account = ?) AND revoked = 0 RETURNING account`, stamp(at), id, account, account)
}
