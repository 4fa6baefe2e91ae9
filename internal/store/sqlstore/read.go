package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// itemColumns and itemTables are what an Item is read from.
const (
	itemColumns = "SELECT r.id, r.key, r.kind, r.at, r.more, p.bytes, p.sig, s.flags, s.due, s.fold, r.came, r.sum "
	itemTables  = "FROM records r LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key "
)

// A row is an item as it is read.
type row struct {
	id         memory.ID
	key, at    int64
	kind, more int
	bytes, sig []byte
	flags, due sql.NullInt64
	fold       sql.NullString
	came, sum  sql.NullInt64
}

// items runs a query that begins with itemColumns.
func (s *Store) items(ctx context.Context, query string, args ...any) ([]*row, error) {
	var out []*row
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		r := new(row)
		out = append(out, r)
		return rows.Scan(
			session.AsID(&r.id), &r.key, &r.kind, &r.at, &r.more, &r.bytes, &r.sig, &r.flags, &r.due, &r.fold, &r.came,
			&r.sum,
		)
	}, query, args...)
	return out, err
}

// item makes an Item of a row, computing its state again if a claim has come
// due.
func (s *Store) item(ctx context.Context, r *row) (*store.Item, error) { return s.itemAt(ctx, nil, r) }

// itemAt is item at a moment, where records may be remembered.
func (s *Store) itemAt(ctx context.Context, m *moment, r *row) (*store.Item, error) {
	kind, err := s.names.Kind(ctx, s.read, r.kind)
	if err != nil {
		return nil, err
	}
	it := &store.Item{Ref: memory.Ref{Kind: kind, ID: r.id}, Seq: session.SeqOf(
		r.key,
	), Came: sums.ArrivedAt(r.key, r.came, r.sum)}
	if r.more == 0 {
		it.Record = m.record(r.id, r.bytes, r.sig)
	}
	if r.bytes != nil && it.Record == nil {
		if it.Record, err = memory.Load(r.bytes); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", it.Ref.Short(), store.ErrDamaged, err)
		}
		if it.Record.ID != it.Ref.ID {
			if len(r.sig) > 0 && envelope.SignedBy(it.Record, r.sig) {
				return nil, session.Derived(
					fmt.Errorf("%s: %w: the log has another id than its bytes", it.Ref.Short(), store.ErrDamaged),
				)
			}
			return nil, fmt.Errorf("%s: %w: its bytes have another id", it.Ref.Short(), store.ErrDamaged)
		}
		if it.Record.Sigs, err = s.sigs(ctx, r, it.Record.Header.Author); err != nil {
			return nil, err
		}
	}
	if it.State, err = decodeState(it.Record, r.flags, r.fold); err != nil {
		return nil, session.Derived(fmt.Errorf("%s: %w: %w", it.Ref.Short(), store.ErrDamaged, err))
	}
	if it.Record == nil {
		it.State.Purged = true // even where the claim that said so is not here
		return it, nil
	}
	if now := s.now(); r.due.Valid && r.due.Int64 <= now.UnixMilli() {
		rows := newRows(ctx, s, s.read)
		if it.State, err = store.Current(rows, it.Record, now); err == nil {
			err = rows.failed
		}
	}
	return it, err
}

// sigs returns the signatures of a record, the author's first.
func (s *Store) sigs(ctx context.Context, r *row, author string) ([]memory.Signature, error) {
	var out []memory.Signature
	if r.sig != nil {
		out = append(out, memory.Signature{Key: author, Sig: r.sig})
	}
	if r.more == 0 {
		return out, nil
	}
	const query = `SELECT a.did, g.sig FROM signatures g JOIN authors a ON a.no = g.author WHERE g.key = ? ORDER BY g.ord`
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var sig memory.Signature
		err := rows.Scan(&sig.Key, &sig.Sig)
		out = append(out, sig)
		return err
	}, query, r.key)
	return out, err
}

// readItems is Get on the database itself, without the fallback.
func (s *Store) readItems(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	out := make([]*store.Item, len(ids))
	m, unknown := s.moment(ctx), ids
	if m != nil {
		unknown = m.known(ids, out)
	}
	found := make(map[memory.ID]*store.Item, len(unknown))
	read := func(query string, args []any) error {
		rows, err := s.items(ctx, query, args...)
		if err != nil {
			return s.Failed("read from", err)
		}
		for _, r := range rows {
			it, err := s.itemAt(ctx, m, r)
			if err != nil {
				return s.Failed("read from", err)
			}
			found[it.Ref.ID] = it
			m.readAt(r.id, r.key)
			if m != nil && !r.due.Valid { // what comes due depends on when it is asked
				m.keep(it.Ref.ID, it)
			}
		}
		return nil
	}
	placed, keys, unplaced := m.placesOf(unknown)
	for part := range slices.Chunk(keys, session.MostListed) {
		query, args := session.SpreadFor(itemColumns+itemTables+"WHERE r.key IN (…)", part, func(k int64) any { return k })
		if err := read(query, args); err != nil {
			return nil, err
		}
	}
	for _, id := range placed {
		if found[id] == nil { // it is not where it was
			unplaced = append(unplaced, id)
		}
	}
	for part := range slices.Chunk(unplaced, session.MostListed) {
		if err := read(session.SpreadFor(itemColumns+itemTables+"WHERE r.id IN (…)", part, session.Blob)); err != nil {
			return nil, err
		}
	}
	for i, id := range ids {
		if it := found[id]; it != nil {
			out[i] = it
		} else if m != nil && out[i] == nil {
			m.keep(id, nil)
		}
	}
	return out, ctx.Err()
}

// readRefs is Resolve on the database itself, without the fallback.
func (s *Store) readRefs(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error) {
	low, high, ok := between(prefix)
	if !ok || limit <= 0 {
		return nil, ctx.Err()
	}
	var number int // 0 is any
	if kind != "" {
		var err error
		if number, err = s.names.Number(ctx, s.read, lists.Kinds, string(kind)); err != nil || number == 0 {
			return nil, s.Failed("look up an id in", err)
		}
	}
	const query = "SELECT id, kind FROM records WHERE id >= ? AND id <= ? AND (? = 0 OR kind = ?) ORDER BY id LIMIT ?"
	var out []memory.Ref
	var kinds []int
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var id memory.ID
		var no int
		err := rows.Scan(session.AsID(&id), &no)
		out, kinds = append(out, memory.Ref{ID: id}), append(kinds, no)
		return err
	}, query, low[:], high[:], number, number, limit)
	for i := range out {
		if err == nil {
			out[i].Kind, err = s.names.Kind(ctx, s.read, kinds[i])
		}
	}
	return out, s.Failed("look up an id in", err)
}

// between returns the smallest and the greatest id that begin with some digits.
func between(prefix string) (low, high memory.ID, ok bool) {
	digits := hex.EncodedLen(len(low))
	if len(prefix) > digits || strings.Trim(prefix, "0123456789abcdef") != "" {
		return low, high, false
	}
	rest := digits - len(prefix)
	_, err := hex.Decode(low[:], []byte(prefix+strings.Repeat("0", rest)))
	if err == nil {
		_, err = hex.Decode(high[:], []byte(prefix+strings.Repeat("f", rest)))
	}
	return low, high, err == nil
}

// readAliased is Aliased on the database itself, without the fallback.
func (s *Store) readAliased(ctx context.Context, space string, aliases ...string) (map[string]memory.ID, error) {
	const query = `SELECT x.alias, r.id FROM spaces p JOIN aliases x ON x.space = p.no JOIN records r ON r.key = x.key
		WHERE x.alias IN (…) AND p.name = ? ORDER BY x.key DESC`
	found := make(map[string]memory.ID)
	for part := range slices.Chunk(aliases, session.MostListed) {
		query, args := session.SpreadFor(query, part, func(alias string) any { return digest(alias) })
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var alias []byte
			var id memory.ID
			err := rows.Scan(&alias, session.AsID(&id))
			found[string(alias)] = id
			return err
		}, query, append(args, space)...)
		if err != nil {
			return nil, s.Failed("look up aliases in", err)
		}
	}
	out := make(map[string]memory.ID, len(found))
	for _, alias := range aliases {
		if id, ok := found[string(digest(alias))]; ok {
			out[alias] = id
		}
	}
	return out, ctx.Err()
}
