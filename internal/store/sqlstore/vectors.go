package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// Vectors returns every vector kept for a model, page by page in log order.
func (s *Store) Vectors(ctx context.Context, model string) iter.Seq2[store.Vector, error] {
	const query = `SELECT v.key, r.id, v.ord, v.vec, v.sum FROM vectors v JOIN records r ON r.key = v.key
		WHERE v.model = ? AND v.key > ? AND length(v.vec) > 0 ORDER BY v.key LIMIT ?`
	return func(yield func(store.Vector, error) bool) {
		no, err := s.names.Number(ctx, s.read, lists.Models, model)
		for after, more := int64(-1), no != 0; err == nil && more; {
			var page []store.Vector
			n := 0
			err = s.read.Each(ctx, func(rows *sql.Rows) error {
				var id memory.ID
				var ord int64
				var vec []byte
				var sum sql.NullInt64
				err := rows.Scan(&after, session.AsID(&id), &ord, &vec, &sum)
				if n++; err == nil && sums.VectorIs(model, after, ord, vec, sum) {
					page = append(page, store.Vector{ID: id, Vec: nearest.Decode(vec)})
				}
				return err
			}, query, no, after, laterPage)
			for _, v := range page {
				if err == nil && !yield(v, nil) {
					return
				}
			}
			more = n == laterPage
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(store.Vector{}, s.Failed("read the vectors of", err))
		}
	}
}

// PutVectors keeps vectors, in place of older ones. Those of records that are
// not held are passed over. All of a model have one length.
func (s *Store) PutVectors(ctx context.Context, model string, vs ...store.Vector) error {
	if len(vs) == 0 {
		return ctx.Err()
	}
	return s.Change(ctx, "put vectors into", func(ctx context.Context, w *session.Session) error {
		no, err := s.names.Intern(ctx, w, lists.Models, model)
		if err != nil {
			return err
		}
		last := make(map[memory.ID][]float32, len(vs)) // one statement cannot replace a row twice
		ids := make([]memory.ID, 0, len(vs))
		for _, v := range vs {
			if _, again := last[v.ID]; !again {
				ids = append(ids, v.ID)
			}
			last[v.ID] = v.Vec
		}
		held := newRows(ctx, s, w)
		if err := held.find(ids); err != nil {
			return err
		}
		there, err := payloadsOf(ctx, w, held.keys)
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id memory.ID) bool { return !there[held.keys[id]] })
		ord, dims, err := s.nextOrds(ctx, w, no, len(ids))
		if err != nil {
			return err
		}
		if err := nearest.Fit(model, dims, vs); err != nil {
			return err
		}
		p := session.Pile{
			Into: "INSERT INTO vectors (model, key, ord, vec, sum) VALUES ", Row: "(?,?,?,?,?)",
			Tail: " ON CONFLICT (model, key) DO UPDATE SET vec = excluded.vec, ord = excluded.ord, sum = excluded.sum",
		}
		for i, id := range ids {
			key, at, vec := held.keys[id], ord+int64(i), nearest.Encode(last[id])
			p.Add(no, key, at, vec, sums.Vector(model, key, at, vec))
		}
		if dims == 0 && len(ids) > 0 {
			if err := w.Exec(ctx, "UPDATE models SET dims = ? WHERE no = ?", len(vs[0].Vec), no); err != nil {
				return err
			}
		}
		return p.Flush(ctx, w)
	})
}

// mostGap is how far apart the ords of two transactions may be.
const mostGap = 1 << 20

// payloadsOf returns those of some keys whose records have their bytes.
func payloadsOf(ctx context.Context, on *session.Session, of map[memory.ID]int64) (map[int64]bool, error) {
	var keys []int64
	for _, key := range of {
		if key != 0 {
			keys = append(keys, key)
		}
	}
	there := make(map[int64]bool, len(keys))
	for part := range slices.Chunk(keys, session.MostListed) {
		query, args := session.SpreadFor("SELECT key FROM payloads WHERE key IN (…)", part, func(k int64) any { return k })
		err := on.Each(ctx, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			there[key] = true
			return err
		}, query, args...)
		if err != nil {
			return nil, err
		}
	}
	return there, nil
}

// nextOrds returns the first of n numbers for vectors of a model, and the length of its
// vectors. The model is locked until the transaction ends, so that numbers are committed in
// their order.
//
// A gap of random size comes before them: a database restored from a backup assigns other
// numbers than before, so that a copy of the vectors shows by its last number whether it
// belongs to this database.
func (s *Store) nextOrds(ctx context.Context, w *session.Session, no, n int) (first int64, dims int, err error) {
	const query = "UPDATE models SET last = last + ? WHERE no = ? RETURNING last, dims"
	var chance [4]byte
	if _, err := io.ReadFull(s.rand, chance[:]); err != nil {
		return 0, 0, fmt.Errorf("read random bytes: %w", err)
	}
	gap := 1 + int64(binary.LittleEndian.Uint32(chance[:]))%mostGap
	var last int64
	_, err = w.One(ctx, []any{&last, &dims}, query, gap+int64(n), no)
	return last - int64(n) + 1, dims, err
}

// dropVectors removes the vectors of records, of every model. An empty one under a new number
// replaces each, so that copies learn of it as of any new vector.
func (s *Store) dropVectors(ctx context.Context, w *session.Session, keys []int64) error {
	models, err := nearest.Models(ctx, w)
	if err != nil {
		return err
	}
	for _, m := range models {
		ord, _, err := s.nextOrds(ctx, w, m.No, len(keys))
		if err != nil {
			return err
		}
		for i, key := range keys {
			const query = "UPDATE vectors SET vec = ?, ord = ?, sum = ? WHERE model = ? AND key = ?"
			at := ord + int64(i)
			if err := w.Exec(ctx, query, []byte{}, at, sums.Vector(m.Name, key, at, nil), m.No, key); err != nil {
				return err
			}
		}
	}
	return s.nearest().DropCopies(ctx, w, keys)
}
