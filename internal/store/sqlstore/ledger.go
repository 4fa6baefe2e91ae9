package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// The tree over a log is not stored node by node: its right edge is in the row of the space,
// which every append changes anyway, and the rest follows from the ids.

// grow appends new records to the tree of a space, whose log held before records.
func (a *appending) grow(space int, before int64, tree []byte, fresh []*memory.Record) error {
	f, err := frontier(a.ctx, a.on, space, before, tree)
	if err != nil {
		return err
	}
	for _, r := range fresh {
		f.Append(ledger.Hash(r.ID))
	}
	b, err := f.MarshalBinary()
	if err != nil {
		return err
	}
	return a.on.Exec(a.ctx, "UPDATE spaces SET tree = ? WHERE no = ?", b, space)
}

// readTree is Tree on the database itself, without the fallback.
func (s *Store) readTree(ctx context.Context, space string) (ledger.Frontier, error) {
	var no int
	var last int64
	var tree []byte
	found, err := s.read.One(ctx, []any{&no, &last, &tree}, "SELECT no, last, tree FROM spaces WHERE name = ?", space)
	if err != nil || !found {
		return ledger.Frontier{}, s.Failed("read the ledger of", err)
	}
	f, err := frontier(ctx, s.read, no, last, tree)
	return f, s.Failed("read the ledger of", err)
}

// Hold keeps a checkpoint, once for each who holds it.
func (s *Store) Hold(ctx context.Context, c store.Checkpoint) error {
	return s.Change(ctx, "keep a checkpoint in", func(ctx context.Context, w *session.Session) error {
		return w.Exec(ctx, `INSERT INTO checkpoints (space, size, root, by, note, at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (space, size, root, by) DO NOTHING`, c.Space, c.Size, c.Root[:], c.By, c.Note, c.At.UnixMilli())
	})
}

// Held returns the checkpoints kept of a space, the first kept first.
func (s *Store) Held(ctx context.Context, space string) ([]store.Checkpoint, error) {
	var out []store.Checkpoint
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		c := store.Checkpoint{Space: space}
		var root []byte
		var at int64
		if err := rows.Scan(&c.Size, &root, &c.By, &c.Note, &at); err != nil {
			return err
		}
		if len(root) != len(c.Root) {
			return fmt.Errorf("%w: a checkpoint has no root", store.ErrDamaged)
		}
		c.Root, c.At = ledger.Hash(root), time.UnixMilli(at)
		out = append(out, c)
		return nil
	}, "SELECT size, root, by, note, at FROM checkpoints WHERE space = ?", space)
	store.SortHeld(out)
	return out, s.Failed("read the checkpoints of", err)
}

// StoreName is a random name the store was given when it was made.
func (s *Store) StoreName(ctx context.Context) (string, error) {
	var name string
	_, err := s.read.One(ctx, []any{&name}, "SELECT value FROM meta WHERE name = 'store'")
	return name, s.Failed("read the name of", err)
}

// The records of a part of a log, and the few of them that were purged.
const (
	listed      = "SELECT key, id, kind FROM records WHERE key > ? AND key < ? ORDER BY key LIMIT ?"
	listedPurge = `SELECT s.key FROM state s WHERE s.key >= ? AND s.key <= ? AND s.flags & 32 <> 0
		AND NOT EXISTS (SELECT 1 FROM payloads p WHERE p.key = s.key)`
)

// readListed is Listed on the database itself, without the fallback.
func (s *Store) readListed(ctx context.Context, space string, after store.Seq, limit int) ([]store.Listed, error) {
	no, err := s.names.Number(ctx, s.read, lists.Spaces, space)
	if err != nil || no == 0 || limit <= 0 {
		return nil, s.Failed("read the log of", err)
	}
	var out []store.Listed
	var kinds []int
	err = s.read.Page(ctx, func(rows *sql.Rows) error {
		var key int64
		var kind int
		var l store.Listed
		if err := rows.Scan(&key, session.AsID(&l.Ref.ID), &kind); err != nil {
			return err
		}
		l.Seq = session.SeqOf(key)
		out, kinds = append(out, l), append(kinds, kind)
		return nil
	}, listed, no, max(after, 0), limit)
	for i := range out {
		if err != nil {
			break
		}
		out[i].Ref.Kind, err = s.names.Kind(ctx, s.read, kinds[i])
	}
	if err != nil || len(out) == 0 {
		return nil, s.Failed("read the log of", err)
	}
	gone := make(map[store.Seq]bool)
	err = s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		err := rows.Scan(&key)
		gone[session.SeqOf(key)] = true
		return err
	}, listedPurge, session.FirstKey(no)+int64(out[0].Seq), session.FirstKey(no)+int64(out[len(out)-1].Seq))
	for i := range out {
		out[i].Gone = gone[out[i].Seq]
	}
	return out, s.Failed("read the log of", err)
}

// readKept is Kept on the database itself, without the fallback.
func (s *Store) readKept(ctx context.Context, space string, after store.Seq, limit int) ([]store.Kept, error) {
	no, err := s.names.Number(ctx, s.read, lists.Spaces, space)
	if err != nil || no == 0 || limit <= 0 {
		return nil, s.Failed("read the log of", err)
	}
	type more struct{ kind, sigs int }
	var out []store.Kept
	var rest []more
	err = s.read.Page(ctx, func(rows *sql.Rows) error {
		var key int64
		var sig []byte
		var author sql.NullString
		var came, sum sql.NullInt64
		var m more
		k := store.Kept{}
		if err := rows.Scan(
			&key, session.AsID(&k.Ref.ID), &m.kind, &came, &sum, &m.sigs, &author, &k.Bytes, &sig,
		); err != nil {
			return err
		}
		k.Seq, k.Came = session.SeqOf(key), sums.ArrivedAt(key, came, sum)
		if sig != nil {
			k.Sigs = []memory.Signature{{Key: author.String, Sig: sig}}
		}
		out, rest = append(out, k), append(rest, m)
		return nil
	}, `SELECT r.key, r.id, r.kind, r.came, r.sum, r.more, a.did, p.bytes, p.sig FROM records r
		LEFT JOIN payloads p ON p.key = r.key LEFT JOIN authors a ON a.no = r.author
		WHERE r.key > ? AND r.key < ? ORDER BY r.key LIMIT ?`, no, max(after, 0), limit)
	var counted map[int64]int
	if err == nil && len(out) > 0 {
		counted, err = s.signed(ctx, session.FirstKey(no)+int64(out[0].Seq), session.FirstKey(no)+int64(out[len(out)-1].Seq))
	}
	for i := range out {
		if err != nil {
			break
		}
		if n := counted[session.FirstKey(no)+int64(out[i].Seq)]; out[i].Bytes != nil && n != rest[i].sigs {
			err = fmt.Errorf(
				"%w: %s has %d signatures beside its author's, and should have %d", store.ErrDamaged,
				out[i].Ref.ID.Short(), n, rest[i].sigs,
			)
			break
		}
		if out[i].Ref.Kind, err = s.names.Kind(ctx, s.read, rest[i].kind); err == nil && rest[i].sigs > 0 {
			var others []memory.Signature
			others, err = s.sigs(ctx, &row{key: session.FirstKey(no) + int64(out[i].Seq), more: rest[i].sigs}, "")
			out[i].Sigs = append(out[i].Sigs, others...)
		}
	}
	return out, s.Failed("read the log of", err)
}

// signed counts the additional signatures of the records from one key to another; few records
// have any.
func (s *Store) signed(ctx context.Context, from, to int64) (map[int64]int, error) {
	out := make(map[int64]int)
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var n int
		err := rows.Scan(&key, &n)
		out[key] = n
		return err
	}, "SELECT key, count(*) FROM signatures WHERE key >= ? AND key <= ? GROUP BY key", from, to)
	return out, err
}
