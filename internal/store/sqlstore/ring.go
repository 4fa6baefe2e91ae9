package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// severalKeepers is the keeper of a store that several have written to.
const severalKeepers = "*"

// keyKind is the number of the kind key, written out in the statements.
const keyKind = 16

// A ring is the Keyring of the key records held, read again when there are more.
// What is in it is committed: a transaction that adds keys clones it.
type ring struct {
	mu     sync.Mutex
	count  int
	keeper string
	of     *memory.Keyring
	roots  map[rootAt]string // of logs at a size, in base64
}

type rootAt struct {
	space string
	size  int64
}

// read gives the Keyring. It must not be added to.
func (g *ring) read(ctx context.Context, s *Store, on *session) (*memory.Keyring, error) {
	var count int
	var keeper sql.NullString
	const query = "SELECT (SELECT count(*) FROM records WHERE kind = 16), (SELECT value FROM meta WHERE name = 'keeper')"
	if _, err := on.one(ctx, []any{&count, &keeper}, query); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of != nil && g.count == count && g.keeper == keeper.String {
		return g.of, nil
	}
	all, err := keyRecords(ctx, on)
	if err != nil {
		return nil, err
	}
	k := memory.NewKeyring(all...)
	k.KeptBy = keeper.String
	g.of, g.count, g.keeper = k, count, keeper.String
	return k, nil
}

// keyRecords reads all key records with their signatures.
func keyRecords(ctx context.Context, on *session) ([]*memory.Record, error) {
	var all []*memory.Record
	byKey := make(map[int64]*memory.Record)
	err := on.each(ctx, func(rows *sql.Rows) error {
		var key int64
		var raw, sig []byte
		if err := rows.Scan(&key, &raw, &sig); err != nil {
			return err
		}
		r, err := memory.Load(raw)
		if err != nil {
			return fmt.Errorf("%w: a key record: %w", store.ErrDamaged, err)
		}
		r.Sigs = append(r.Sigs, memory.Signature{Key: r.Header.Author, Sig: sig})
		byKey[key] = r
		all = append(all, r)
		return nil
	}, "SELECT r.key, p.bytes, p.sig FROM records r JOIN payloads p ON p.key = r.key WHERE r.kind = 16 ORDER BY r.key")
	if err != nil {
		return nil, err
	}
	err = on.each(ctx, func(rows *sql.Rows) error {
		var key int64
		var sig memory.Signature
		err := rows.Scan(&key, &sig.Key, &sig.Sig)
		if r := byKey[key]; r != nil {
			r.Sigs = append(r.Sigs, sig)
		}
		return err
	}, `SELECT g.key, a.did, g.sig FROM records r JOIN signatures g ON g.key = r.key JOIN authors a ON a.no = g.author
		WHERE r.kind = 16 AND r.more > 0 ORDER BY g.key, g.ord`)
	return all, err
}

// agrees tells whether a log had a root when it held size records. The log only
// grows, so an answer stays true.
func (g *ring) agrees(ctx context.Context, s *Store, on *session, space string, size int64, root string) (bool, error) {
	at := rootAt{space, size}
	g.mu.Lock()
	known, ok := g.roots[at]
	g.mu.Unlock()
	if ok {
		return known == root, nil
	}
	var no int
	var last int64
	found, err := on.one(ctx, []any{&no, &last}, "SELECT no, last FROM spaces WHERE name = ?", space)
	if err != nil || !found || size > last {
		return false, err
	}
	h, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		return changesAfter(ctx, on, no, after, limit)
	})
	if err != nil {
		return false, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.roots == nil {
		g.roots = make(map[rootAt]string)
	}
	g.roots[at] = ledger.EncodeHash(h)
	return g.roots[at] == root, nil
}

// arrivedIn tells where a record stands in the log.
func arrivedIn(ctx context.Context, on *session, id memory.ID) (a memory.Arrival, held bool, err error) {
	var key int64
	var came sql.NullInt64
	held, err = on.one(ctx, []any{&a.Space, &key, &came},
		"SELECT p.name, r.key, r.came FROM records r, spaces p WHERE r.id = ? AND p.no = (r.key >> 40)", id[:])
	a.Seq = int64(seqOf(key))
	if came.Valid {
		a.At = time.UnixMilli(came.Int64)
	}
	return a, held, err
}

// Keyring gives the standing that follows from the key records held.
func (s *Store) Keyring(ctx context.Context) (*memory.Keyring, error) {
	shared, err := s.ring.read(ctx, s, s.read)
	if err != nil {
		return nil, s.failed("read the keys in", err)
	}
	k := shared.Clone()
	k.Arrived = func(id memory.ID) (memory.Arrival, bool) {
		a, held, err := arrivedIn(ctx, s.read, id)
		return a, held && err == nil
	}
	k.Agrees = func(space string, size int64, root string) bool {
		ok, err := s.ring.agrees(ctx, s, s.read, space, size, root)
		return ok && err == nil
	}
	return k, nil
}

// keeper notes who writes: a store that one alone has written to is his.
func (a *appending) keeper() error {
	if a.batch.By == "" {
		return nil
	}
	a.s.ring.mu.Lock()
	is := a.s.ring.keeper
	a.s.ring.mu.Unlock()
	if is == a.batch.By || is == severalKeepers {
		return nil
	}
	var kept string
	found, err := a.on.one(a.ctx, []any{&kept}, "SELECT value FROM meta WHERE name = 'keeper'")
	switch {
	case err != nil || kept == a.batch.By || kept == severalKeepers:
		return err
	case !found:
		return a.on.exec(a.ctx, "INSERT INTO meta (name, value) VALUES ('keeper', ?)", a.batch.By)
	}
	return a.on.exec(a.ctx, "UPDATE meta SET value = ? WHERE name = 'keeper'", severalKeepers)
}
