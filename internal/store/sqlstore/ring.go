package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// severalKeepers is the keeper of a store that several have written to.
const severalKeepers = "*"

// mostRoots bounds how many roots a ring remembers.
const mostRoots = 1 << 12

// A ring is the Keyring of the key records held, read again when there are more. It has
// committed records only: a transaction that adds keys clones it.
type ring struct {
	mu     sync.Mutex
	count  int
	keeper string
	of     *state.Keyring
	roots  map[rootAt]string // of logs at a size, in base64
}

type rootAt struct {
	space string
	size  int64
}

// read returns the Keyring. It must not be added to.
func (g *ring) read(ctx context.Context, on *session.Session) (*state.Keyring, error) {
	var count int
	var keeper sql.NullString
	from, args := KeysInSight(on)
	query := "SELECT (SELECT count(*) FROM " + from + "), (SELECT value FROM meta WHERE name = 'keeper')"
	if _, err := on.One(ctx, []any{&count, &keeper}, query, args...); err != nil {
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
	k := state.NewKeyring(all...)
	k.KeptBy = keeper.String
	g.of, g.count, g.keeper = k, count, keeper.String
	return k, nil
}

// KeysInSight is from where the key records are read. At a hub they are looked for
// in the spaces in sight alone: policies would leave out the others, one after the other, and a transaction would be in
// conflict with every key that comes to any of them.
func KeysInSight(on *session.Session) (from string, args []any) {
	const kind = "r.kind = " + lists.KeyKind
	if on.As == nil {
		return "records r WHERE " + kind, nil
	}
	lows, highs := []int64{}, []int64{}
	for no := range strings.SplitSeq(on.As.Reads+","+on.As.Keys, ",") {
		if n, err := strconv.Atoi(no); err == nil && !slices.Contains(lows, session.FirstKey(n)) { // none is ""
			lows, highs = append(lows, session.FirstKey(n)), append(highs, session.FirstKey(n+1))
		}
	}
	return "unnest(?::bigint[], ?::bigint[]) s(low, high), records r WHERE " + kind +
		" AND r.key > s.low AND r.key < s.high", []any{lows, highs}
}

// keyRecords reads all key records with their signatures.
func keyRecords(ctx context.Context, on *session.Session) ([]*memory.Record, error) {
	from, args := KeysInSight(on)
	tables, where, _ := strings.Cut(from, " WHERE ")
	var all []*memory.Record
	byKey := make(map[int64]*memory.Record)
	err := on.Each(ctx, func(rows *sql.Rows) error {
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
	}, "SELECT r.key, p.bytes, p.sig FROM "+tables+" JOIN payloads p ON p.key = r.key WHERE "+where+
		" ORDER BY r.key", args...)
	if err != nil {
		return nil, err
	}
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var sig memory.Signature
		err := rows.Scan(&key, &sig.Key, &sig.Sig)
		if r := byKey[key]; r != nil {
			r.Sigs = append(r.Sigs, sig)
		}
		return err
	}, "SELECT g.key, a.did, g.sig FROM "+tables+" JOIN signatures g ON g.key = r.key JOIN authors a ON a.no = g.author "+
		"WHERE "+where+" AND r.more > 0 ORDER BY g.key, g.ord", args...)
	return all, err
}

// agrees reports whether a log had a root when it held size records. The log only
// grows, so an answer stays true; one that is not committed may not be kept.
func (g *ring) agrees(
	ctx context.Context, on *session.Session, space string, size int64, root string, keep bool,
) (bool, error) {
	at := rootAt{space, size}
	g.mu.Lock()
	known, ok := g.roots[at]
	g.mu.Unlock()
	if ok {
		return known == root, nil
	}
	var no int
	var last int64
	found, err := on.One(ctx, []any{&no, &last}, "SELECT no, last FROM spaces WHERE name = ?", space)
	if err != nil || !found || size > last {
		return false, err
	}
	h, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		return changesAfter(ctx, on, no, after, limit)
	})
	if err != nil {
		return false, err
	}
	is := ledger.EncodeHash(h)
	if keep {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.roots == nil || len(g.roots) >= mostRoots {
			g.roots = make(map[rootAt]string)
		}
		g.roots[at] = is
	}
	return is == root, nil
}

// arrivedIn returns the place of a record in the log.
func arrivedIn(ctx context.Context, on *session.Session, id memory.ID) (a state.Arrival, held bool, err error) {
	var key int64
	var came, sum sql.NullInt64
	held, err = on.One(ctx, []any{&a.Space, &key, &came, &sum},
		"SELECT p.name, r.key, r.came, r.sum FROM records r, spaces p WHERE r.id = ? AND p.no = (r.key >> 40)", id[:])
	a.Seq, a.At = int64(session.SeqOf(key)), sums.ArrivedAt(key, came, sum)
	return a, held, err
}
