package hubstore

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// SignIn lets in an account whose subject an OpenID provider named. One subject has one account: another key takes it
// over only from an account that was ended. Serializable transactions keep two from taking it at once.
func (h *Hub) SignIn(ctx context.Context, a store.Account, t store.Token) error {
	return h.write(ctx, "sign in to", func(ctx context.Context, w *session.Session) error {
		var did string
		found, err := w.One(ctx, []any{&did}, "SELECT did FROM hub_accounts WHERE subject = ? AND did <> ? AND ended = 0",
			a.Subject, a.DID)
		if err != nil {
			return err
		}
		if found {
			return fmt.Errorf("%w: this person's account has another key", store.ErrSubject)
		}
		var ended int64
		var maker, subject string
		found, err = w.One(ctx, []any{&ended, &maker, &subject},
			"SELECT ended, maker, subject FROM hub_accounts WHERE did = ?", a.DID)
		switch {
		case err != nil:
			return err
		case ended != 0:
			return fmt.Errorf("%w: the account was ended", store.ErrSubject)
		case maker != "":
			return fmt.Errorf("%w: a service account does not sign in", store.ErrSubject)
		case subject != "" && subject != a.Subject:
			return fmt.Errorf("%w: the account of this key belongs to another person", store.ErrSubject)
		}
		// of accounts that were ended
		const free = "UPDATE hub_accounts SET subject = '' WHERE subject = ? AND did <> ?"
		if err := w.Exec(ctx, free, a.Subject, a.DID); err != nil {
			return err
		}
		query, args := "UPDATE hub_accounts SET name = ?, subject = ?, email = ? WHERE did = ?",
			[]any{a.Name, a.Subject, a.Email, a.DID}
		if !found {
			query, args = "INSERT INTO hub_accounts (name, subject, email, did, made, ended) VALUES (?, ?, ?, ?, ?, 0)",
				append(args, stamp(a.Made))
		}
		if err := w.Exec(ctx, query, args...); err != nil {
			return err
		}
		return addToken(ctx, w, t)
	})
}

// Setting returns what SetSetting kept under a name, nil where it kept nothing.
func (h *Hub) Setting(ctx context.Context, name string) ([]byte, error) {
	return h.own.Note(ctx, settingNote+name)
}

// SetSetting keeps something of the whole hub under a name; nothing removes it.
func (h *Hub) SetSetting(ctx context.Context, name string, value []byte) error {
	return h.write(ctx, "keep a setting of", func(ctx context.Context, w *session.Session) error {
		if len(value) == 0 {
			return w.Exec(ctx, "DELETE FROM meta WHERE name = ?", sqlstore.Noted+settingNote+name)
		}
		return sqlstore.SetMeta(ctx, w, sqlstore.Noted+settingNote+name, string(value))
	})
}

const settingNote = "hub/"

// Settings returns those whose names begin with a word, by the rest of the name.
func (h *Hub) Settings(ctx context.Context, begin string) (map[string][]byte, error) {
	begin = sqlstore.Noted + settingNote + begin
	out := make(map[string][]byte)
	err := h.each(ctx, "read the settings of", func(r *sql.Rows) error {
		var name, value string
		err := r.Scan(&name, &value)
		if rest, is := strings.CutPrefix(name, begin); is {
			out[rest] = []byte(value)
		}
		return err
	}, "SELECT name, value FROM meta WHERE substr(name, 1, "+strconv.Itoa(utf8.RuneCountInString(begin))+") = ?", begin)
	return out, err
}
