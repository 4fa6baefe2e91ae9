package hubstore

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// SetQuota bounds a space or an account; all zeros lift the bounds.
func (h *Hub) SetQuota(ctx context.Context, q store.Quota) error {
	return h.one(ctx, "set a quota of", `INSERT INTO hub_quotas (of, records, bytes, spaces, letters, letter_bytes) `+
		`VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (of) DO UPDATE SET records = excluded.records, bytes = excluded.bytes, spaces = excluded.spaces,
			letters = excluded.letters, letter_bytes = excluded.letter_bytes`, q.Of, q.Records, q.Bytes, q.Spaces,
		q.Messages, q.MessageBytes)
}

// Quotas returns bounds.
func (h *Hub) Quotas(ctx context.Context, of ...string) (out []store.Quota, err error) {
	query, args := "SELECT of, records, bytes, spaces, letters, letter_bytes, archived FROM hub_quotas WHERE ", []any(nil)
	if len(of) > 0 {
		query, args = session.SpreadFor(query+"of IN (…) AND ", of, func(s string) any { return s })
	}
	err = h.each(ctx, "read the quotas of", func(r *sql.Rows) error {
		var q store.Quota
		var archived int64
		err := r.Scan(&q.Of, &q.Records, &q.Bytes, &q.Spaces, &q.Messages, &q.MessageBytes, &archived)
		q.Archived = unstamp(archived)
		out = append(out, q)
		return err
	}, query+"(records > 0 OR bytes > 0 OR spaces <> 0 OR letters <> 0 OR letter_bytes <> 0 OR archived > 0) ORDER BY of",
		args...)
	return out, err
}

// Archive makes a space read only, or ends that.
func (h *Hub) Archive(ctx context.Context, space string, at time.Time) error {
	return h.one(ctx, "archive a space of", `INSERT INTO hub_quotas (of, records, bytes, spaces, letters, letter_bytes,
			archived) VALUES (?, 0, 0, 0, 0, 0, ?)
		ON CONFLICT (of) DO UPDATE SET archived = excluded.archived`, space, stamp(at))
}

// Archived names the spaces that are read only.
func (h *Hub) Archived(ctx context.Context) (out []string, err error) {
	err = h.each(ctx, "read what is archived at", func(r *sql.Rows) error {
		var space string
		err := r.Scan(&space)
		out = append(out, space)
		return err
	}, "SELECT of FROM hub_quotas WHERE archived > 0 ORDER BY of")
	return out, err
}

// Charge adds to what an account brought.
func (h *Hub) Charge(ctx context.Context, space, account string, records, bytes int64) error {
	return h.one(ctx, "charge an account of", `INSERT INTO hub_brought (space, account, records, bytes) VALUES (?, ?, ?, ?)
		ON CONFLICT (space, account) DO UPDATE SET records = hub_brought.records + excluded.records,
			bytes = hub_brought.bytes + excluded.bytes`, space, account, records, bytes)
}

// Used returns what was brought into a space by all, and everywhere by an account.
func (h *Hub) Used(ctx context.Context, space, account string) (ofSpace, ofAccount store.Quota, err error) {
	ofSpace.Of, ofAccount.Of = space, account
	const query = `SELECT CAST(coalesce(sum(records), 0) AS BIGINT), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM ` +
		`hub_brought WHERE `
	if _, err = h.own.Reads().One(ctx, []any{&ofSpace.Records, &ofSpace.Bytes}, query+"space = ?", space); err == nil {
		_, err = h.own.Reads().One(ctx, []any{&ofAccount.Records, &ofAccount.Bytes}, query+"account = ?", account)
	}
	return ofSpace, ofAccount, h.own.Failed("read what was brought to", err)
}

// PutMessage stores a message; one that is there already stays as it was.
func (h *Hub) PutMessage(ctx context.Context, l store.Message) error {
	return h.write(ctx, "send a message through", func(ctx context.Context, w *session.Session) error {
		// what no one fetched in time goes when others come
		if err := w.Exec(ctx, "DELETE FROM hub_letters WHERE expires <= ?", stamp(l.Made)); err != nil {
			return err
		}
		return w.Exec(ctx, `INSERT INTO hub_letters (receiver, id, sender, re, body, made, expires) VALUES (?, ?, ?, ?, ?,`+
			` ?, ?)
			ON CONFLICT (receiver, id) DO NOTHING`, l.To, l.ID, l.From, l.Re, l.Body, stamp(l.Made), stamp(l.Expires))
	})
}

func scanMessage(r *sql.Rows, more ...any) (l store.Message, err error) {
	var made, expires int64
	err = r.Scan(append([]any{&l.ID, &l.From, &l.To, &l.Re, &made, &expires}, more...)...)
	l.Made, l.Expires = unstamp(made), unstamp(expires)
	return l, err
}

// Messages returns those to an account, the oldest first.
func (h *Hub) Messages(ctx context.Context, to string, now time.Time) (out []store.Message, err error) {
	err = h.each(ctx, "read the messages in", func(r *sql.Rows) error {
		l, err := scanMessage(r)
		out = append(out, l)
		return err
	}, "SELECT id, sender, receiver, re, made, expires FROM hub_letters WHERE receiver = ? AND expires > ? ORDER "+
		"BY made, id", to, stamp(now))
	return out, err
}

// Message returns one message with its body.
func (h *Hub) Message(ctx context.Context, id, to string, now time.Time) (l store.Message, err error) {
	found := false
	err = h.each(ctx, "read a message in", func(r *sql.Rows) error {
		var body []byte
		var err error
		l, err = scanMessage(r, &body)
		l.Body, found = body, true
		return err
	}, "SELECT id, sender, receiver, re, made, expires, body FROM hub_letters WHERE receiver = ? AND id = ? AND "+
		"expires > ?", to, id, stamp(now))
	if err == nil && !found {
		err = store.ErrAbsent
	}
	return l, err
}

// DropMessage removes one that was read.
func (h *Hub) DropMessage(ctx context.Context, id, to string) error {
	return h.touched(ctx, "drop a message of",
		"DELETE FROM hub_letters WHERE receiver = ? AND id = ? RETURNING id", to, id)
}

// MessagesFrom counts the waiting messages of one sender, without m itself.
func (h *Hub) MessagesFrom(ctx context.Context, l store.Message, now time.Time) (n, size int64, err error) {
	_, err = h.own.Reads().One(ctx, []any{&n, &size},
		`SELECT count(*), CAST(coalesce(sum(length(body)), 0) AS BIGINT) FROM hub_letters
		WHERE sender = ? AND expires > ? AND NOT (receiver = ? AND id = ?)`, l.From, stamp(now), l.To, l.ID)
	return n, size, h.own.Failed("count the messages in", err)
}

// Keyed returns the spaces whose key records belong to what was written in some.
func (h *Hub) Keyed(ctx context.Context, spaces ...string) ([]string, error) {
	var out []string
	for part := range slices.Chunk(spaces, session.MostListed) {
		query, args := session.SpreadFor(
			"SELECT DISTINCT keys FROM hub_keys WHERE space IN (…) ORDER BY keys", part,
			func(s string) any { return s },
		)
		err := h.each(ctx, "read whose keys are in", func(r *sql.Rows) error {
			var k string
			err := r.Scan(&k)
			out = append(out, k)
			return err
		}, query, args...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AddKeyed says that key records of other spaces belong to what was written in one.
func (h *Hub) AddKeyed(ctx context.Context, space string, keys ...string) error {
	return h.keyed(ctx, keys, func(ctx context.Context, w *session.Session) error {
		for _, k := range keys {
			if err := w.Exec(
				ctx, "INSERT INTO hub_keys (space, keys) VALUES (?, ?) ON CONFLICT (space, keys) DO NOTHING",
				space, k,
			); err != nil {
				return err
			}
		}
		return nil
	})
}

// keyed notes in the directory that key records are needed somewhere, and copies them there.
func (h *Hub) keyed(ctx context.Context, keys []string, do func(context.Context, *session.Session) error) error {
	note := func() error { return h.write(ctx, "note whose keys are in", do) }
	now, err := h.current(ctx)
	if err != nil {
		return err
	}
	if len(now.all) == 1 {
		return note()
	}
	return h.copied(ctx, keys, note)
}
