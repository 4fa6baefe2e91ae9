package hubstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
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
func (h *Hub) write(ctx context.Context, doing string, do func(ctx context.Context, w *session.Session) error) error {
	return h.own.Change(ctx, doing, do)
}

// one writes one statement.
func (h *Hub) one(ctx context.Context, doing, query string, args ...any) error {
	return h.write(ctx, doing, func(ctx context.Context, w *session.Session) error { return w.Exec(ctx, query, args...) })
}

// touched runs one statement that returns a row for each change, and returns store.ErrAbsent
// if there is none.
func (h *Hub) touched(ctx context.Context, doing, query string, args ...any) error {
	n := 0
	err := h.write(ctx, doing, func(ctx context.Context, w *session.Session) error {
		n = 0
		return w.Each(ctx, func(*sql.Rows) error { n++; return nil }, query, args...)
	})
	if err == nil && n == 0 {
		return store.ErrAbsent
	}
	return err
}

const accountColumns = "SELECT did, name, made, ended, maker, expires, subject, email FROM hub_accounts "

// Accounts returns those a hub knows, by name.
func (h *Hub) Accounts(ctx context.Context) ([]store.Account, error) {
	return h.accounts(ctx, accountColumns+"ORDER BY name, did")
}

func (h *Hub) accounts(ctx context.Context, query string, args ...any) (out []store.Account, err error) {
	err = h.each(ctx, "read the accounts of", func(r *sql.Rows) error {
		var a store.Account
		var made, ended, expires int64
		err := r.Scan(&a.DID, &a.Name, &made, &ended, &a.Maker, &expires, &a.Subject, &a.Email)
		a.Made, a.Ended, a.Expires = unstamp(made), unstamp(ended), unstamp(expires)
		out = append(out, a)
		return err
	}, query, args...)
	return out, err
}

// Account returns one account.
func (h *Hub) Account(ctx context.Context, did string) (store.Account, error) {
	all, err := h.accounts(ctx, accountColumns+"WHERE did = ?", did)
	if err == nil && len(all) == 0 {
		err = store.ErrAbsent
	}
	if err != nil {
		return store.Account{}, err
	}
	return all[0], nil
}

// EndAccount takes an account's tokens, places and say away, and those of the service accounts that it made. What they
// brought stays.
func (h *Hub) EndAccount(ctx context.Context, did string, at time.Time) error {
	found := false
	err := h.write(ctx, "end an account of", func(ctx context.Context, w *session.Session) error {
		var err error
		if found, err = endAccount(ctx, w, did, at); err != nil || !found {
			return err
		}
		made, err := madeBy(ctx, w, did)
		for _, service := range made {
			if err == nil {
				_, err = endAccount(ctx, w, service, at)
			}
		}
		return err
	})
	if err == nil && !found {
		return store.ErrAbsent
	}
	return err
}

func endAccount(ctx context.Context, w *session.Session, did string, at time.Time) (found bool, err error) {
	var was string
	found, err = w.One(
		ctx, []any{&was}, "UPDATE hub_accounts SET ended = ? WHERE did = ? AND ended = 0 RETURNING did", stamp(at), did,
	)
	if err != nil || !found {
		return found, err
	}
	if err := w.Exec(
		ctx, "UPDATE hub_tokens SET revoked = ? WHERE account = ? AND revoked = 0", stamp(at), did,
	); err != nil {
		return found, err
	}
	if err := leave(ctx, w, at, "DELETE FROM hub_members WHERE account = ? AND role <> 'owner'", did); err != nil {
		return found, err
	}
	return found, unsay(ctx, w, did, "", "")
}

// RestoreAccount lets an account in again that was ended. It gives back no token, no role and no invitation.
func (h *Hub) RestoreAccount(ctx context.Context, did string) error {
	return h.touched(ctx, "restore an account of",
		"UPDATE hub_accounts SET ended = 0 WHERE did = ? AND ended <> 0 AND maker = '' RETURNING did", did)
}

// putMember changes no owner: they hand the space over.
const putMember = `INSERT INTO hub_members (space, account, role, made) VALUES (?, ?, ?, ?)
	ON CONFLICT (space, account) DO UPDATE SET role = excluded.role WHERE hub_members.role <> 'owner'`

// spend ends the invitations that an account used, to one space or, with "", to any.
// Until then they let it in again where it heard no answer: no longer, once somebody
// decided otherwise.
func spend(ctx context.Context, w *session.Session, account, space string) error {
	return w.Exec(
		ctx, "UPDATE hub_invitations SET expires = 0 WHERE used = ? AND (? = '' OR space = ?)", account, space,
		space,
	)
}

// unsay ends the open invitations of an account that exceed its own role: otherwise it could
// return by one of them.
func unsay(ctx context.Context, w *session.Session, account, space string, role store.Role) error {
	for _, r := range store.Roles() {
		if role.AtLeast(store.Keeper) && role.AtLeast(r) {
			continue
		}
		if err := w.Exec(ctx, "UPDATE hub_invitations SET expires = 0 WHERE used = '' AND by = ? AND role = ? AND (? "+
			"= '' OR space = ?)",
			account, string(r), space, space); err != nil {
			return err
		}
	}
	return nil
}

// SetMember returns an account its place in a space.
func (h *Hub) SetMember(ctx context.Context, m store.Member) error {
	return h.write(ctx, "set a member of", func(ctx context.Context, w *session.Session) error {
		if err := w.Exec(ctx, putMember, m.Space, m.Account, string(m.Role), stamp(m.Made)); err != nil {
			return err
		}
		return h.placed(ctx, w, m.Account, m.Space, m.Role)
	})
}

// placed ends the invitations that an account used or made, as far as they go beyond
// the place that somebody has given it. In its own space it needs none. The machines that it let in go with its say, as
// who made one may have its key.
func (h *Hub) placed(ctx context.Context, w *session.Session, account, space string, role store.Role) error {
	if err := spend(ctx, w, account, space); err != nil {
		return err
	}
	owner := store.OwnerOf(space)
	if _, err := w.One(ctx, []any{&owner}, ownerRow, space); err != nil || owner == account {
		return err
	}
	if !role.AtLeast(store.Keeper) {
		made, err := madeBy(ctx, w, account)
		if err != nil {
			return err
		}
		for _, did := range made {
			if err := leave(
				ctx, w, h.own.Now(), "DELETE FROM hub_members WHERE space = ? AND account = ?", space, did,
			); err != nil {
				return err
			}
		}
	}
	return unsay(ctx, w, account, space, role)
}

// madeBy returns the live service accounts that an account made.
func madeBy(ctx context.Context, w *session.Session, account string) (dids []string, err error) {
	err = w.Each(ctx, func(r *sql.Rows) error {
		var did string
		err := r.Scan(&did)
		dids = append(dids, did)
		return err
	}, "SELECT did FROM hub_accounts WHERE maker = ? AND ended = 0", account)
	return dids, err
}

// RemoveMember takes it away.
func (h *Hub) RemoveMember(ctx context.Context, space, account string) error {
	return h.ended(ctx, "remove a member of", func(ctx context.Context, w *session.Session, account string) error {
		if err := left(ctx, w, space, account, h.own.Now()); err != nil {
			return err
		}
		return h.placed(ctx, w, account, space, "")
	}, "DELETE FROM hub_members WHERE space = ? AND account = ? AND role <> 'owner' RETURNING account", space, account)
}

// MoveMember changes it, if it is what it was.
func (h *Hub) MoveMember(ctx context.Context, was store.Member, now store.Role) error {
	query, args := "UPDATE hub_members SET role = ? WHERE space = ? AND account = ? AND role = ? RETURNING account", []any{
		string(now),
	}
	if now == "" {
		query, args = "DELETE FROM hub_members WHERE space = ? AND account = ? AND role = ? RETURNING account", nil
	}
	return h.ended(ctx, "change a member of", func(ctx context.Context, w *session.Session, account string) error {
		if now == "" {
			if err := left(ctx, w, was.Space, account, h.own.Now()); err != nil {
				return err
			}
		}
		return h.placed(ctx, w, account, was.Space, now)
	}, query, append(args, was.Space, was.Account, string(was.Role))...)
}

// ended runs a statement that takes something away from an account and returns whose it
// was, and what follows from it; store.ErrAbsent where there is nothing.
func (h *Hub) ended(
	ctx context.Context, doing string, then func(ctx context.Context, w *session.Session, account string) error,
	query string, args ...any,
) error {
	found := false
	err := h.write(ctx, doing, func(ctx context.Context, w *session.Session) error {
		var account string
		var err error
		if found, err = w.One(ctx, []any{&account}, query, args...); err != nil || !found {
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
	return h.ended(ctx, "end an invitation of", func(context.Context, *session.Session, string) error { return nil },
		"UPDATE hub_invitations SET expires = 0 WHERE id = ? AND used = '' AND expires > ? AND (? = '' OR space = ?) "+
			"RETURNING id",
		id, stamp(now), space, space)
}

// Join uses up an invitation. A client that heard no answer and sends the same request again
// is admitted again with another token.
func (h *Hub) Join(ctx context.Context, code store.Secret, a store.Account, t store.Token) (store.Invitation, error) {
	var i store.Invitation
	err := h.write(ctx, "join", func(ctx context.Context, w *session.Session) error {
		i = store.Invitation{Secret: code}
		var expires int64
		found, err := w.One(ctx, []any{&i.ID, &i.Space, &i.Role, &i.By, &expires}, `UPDATE hub_invitations SET used = ?
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
		var maker string
		_, err = w.One(ctx, []any{&ended, &maker}, `INSERT INTO hub_accounts (did, name, made, ended) VALUES (?, ?, ?, 0)
			ON CONFLICT (did) DO UPDATE SET name = excluded.name RETURNING ended, maker`, a.DID, a.Name, stamp(a.Made))
		if err != nil {
			return err
		}
		if ended != 0 {
			return fmt.Errorf("%w: the account was ended", store.ErrSpent)
		}
		if maker != "" {
			return fmt.Errorf("%w: a service account takes no invitation", store.ErrSpent)
		}
		if i.Space != "" {
			var has store.Role
			if _, err := w.One(
				ctx, []any{&has}, "SELECT role FROM hub_members WHERE space = ? AND account = ?", i.Space, a.DID,
			); err != nil {
				return err
			}
			if has != store.Owner && !has.AtLeast(i.Role) { // an invitation takes nothing away
				if err := w.Exec(ctx, putMember, i.Space, a.DID, string(i.Role), stamp(t.Made)); err != nil {
					return err
				}
			}
		}
		return addToken(ctx, w, t)
	})
	return i, err
}
