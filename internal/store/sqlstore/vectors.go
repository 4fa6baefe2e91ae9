package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// floatBytes is the length of one number of a vector.
const floatBytes = 4

func encodeVector(v []float32) []byte {
	out := make([]byte, 0, len(v)*floatBytes)
	for _, f := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out
}

func decodeVector(b []byte) []float32 {
	out := make([]float32, len(b)/floatBytes)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*floatBytes:]))
	}
	return out
}

// A model is what made some vectors.
type model struct {
	name string
	no   int
	last int64 // the greatest ord given to one of them
	dims int   // numbers in each; 0 where there is none yet
}

// model returns what is known of a model; its no is 0 where there is none.
func (s *Store) model(ctx context.Context, name string) (m model, err error) {
	m.name = name
	_, err = s.read.one(ctx, []any{&m.no, &m.last, &m.dims}, "SELECT no, last, dims FROM models WHERE name = ?", name)
	return m, err
}

// Vectors returns every vector kept for a model, page by page in log order.
func (s *Store) Vectors(ctx context.Context, model string) iter.Seq2[store.Vector, error] {
	const query = `SELECT v.key, r.id, v.ord, v.vec, v.sum FROM vectors v JOIN records r ON r.key = v.key
		WHERE v.model = ? AND v.key > ? AND length(v.vec) > 0 ORDER BY v.key LIMIT ?`
	return func(yield func(store.Vector, error) bool) {
		no, err := s.names.number(ctx, s.read, modelList, model)
		for after, more := int64(-1), no != 0; err == nil && more; {
			var page []store.Vector
			n := 0
			err = s.read.each(ctx, func(rows *sql.Rows) error {
				var id memory.ID
				var ord int64
				var vec []byte
				var sum sql.NullInt64
				err := rows.Scan(&after, asID(&id), &ord, &vec, &sum)
				if n++; err == nil && vectorIs(model, after, ord, vec, sum) {
					page = append(page, store.Vector{ID: id, Vec: decodeVector(vec)})
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
			yield(store.Vector{}, s.failed("read the vectors of", err))
		}
	}
}

// PutVectors keeps vectors, in place of older ones. Those of records that are
// not held are passed over. All of a model have one length.
func (s *Store) PutVectors(ctx context.Context, model string, vs ...store.Vector) error {
	if len(vs) == 0 {
		return ctx.Err()
	}
	return s.change(ctx, "put vectors into", func(ctx context.Context, w *session) error {
		no, err := s.names.intern(ctx, w, modelList, model)
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
		if err := fit(model, dims, vs); err != nil {
			return err
		}
		p := pile{
			into: "INSERT INTO vectors (model, key, ord, vec, sum) VALUES ", row: "(?,?,?,?,?)",
			tail: " ON CONFLICT (model, key) DO UPDATE SET vec = excluded.vec, ord = excluded.ord, sum = excluded.sum",
		}
		for i, id := range ids {
			key, at, vec := held.keys[id], ord+int64(i), encodeVector(last[id])
			p.add(no, key, at, vec, vectorSum(model, key, at, vec))
		}
		if dims == 0 && len(ids) > 0 {
			if err := w.exec(ctx, "UPDATE models SET dims = ? WHERE no = ?", len(vs[0].Vec), no); err != nil {
				return err
			}
		}
		return p.flush(ctx, w)
	})
}

// mostGap is how far apart the ords of two transactions may be.
const mostGap = 1 << 20

// payloadsOf returns those of some keys whose records have their bytes.
func payloadsOf(ctx context.Context, on *session, of map[memory.ID]int64) (map[int64]bool, error) {
	var keys []int64
	for _, key := range of {
		if key != 0 {
			keys = append(keys, key)
		}
	}
	there := make(map[int64]bool, len(keys))
	for part := range slices.Chunk(keys, mostListed) {
		query, args := spreadFor("SELECT key FROM payloads WHERE key IN (…)", part, func(k int64) any { return k })
		err := on.each(ctx, func(rows *sql.Rows) error {
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

// nextOrds returns the first of n numbers for vectors of a model, and the length
// of those it has. The model is locked until the transaction ends, so that
// numbers are committed in their order.
//
// A gap of random size comes before them: a database brought back from a backup
// gives other numbers than it gave the first time, and whoever has copied
// vectors can tell by the number it has come to that they are not of this one.
func (s *Store) nextOrds(ctx context.Context, w *session, no, n int) (first int64, dims int, err error) {
	const query = "UPDATE models SET last = last + ? WHERE no = ? RETURNING last, dims"
	var chance [4]byte
	if _, err := io.ReadFull(s.rand, chance[:]); err != nil {
		return 0, 0, fmt.Errorf("read random bytes: %w", err)
	}
	gap := 1 + int64(binary.LittleEndian.Uint32(chance[:]))%mostGap
	var last int64
	_, err = w.one(ctx, []any{&last, &dims}, query, gap+int64(n), no)
	return last - int64(n) + 1, dims, err
}

// fit says what is wrong with vectors for a model whose vectors have dims
// numbers, or none yet for 0.
func fit(model string, dims int, vs []store.Vector) error {
	for _, v := range vs {
		if dims == 0 {
			dims = len(v.Vec)
		}
		switch {
		case len(v.Vec) == 0 || len(v.Vec) > vec.MaxDims:
			return fmt.Errorf("the vector of %s has %d numbers: want 1 to %d", v.ID.Short(), len(v.Vec), vec.MaxDims)
		case len(v.Vec) != dims:
			return fmt.Errorf("the vectors of model %q have %d numbers, but that of %s has %d: another model needs another name",
				model, dims, v.ID.Short(), len(v.Vec))
		case !finite(v.Vec):
			return fmt.Errorf("the vector of %s is not of numbers", v.ID.Short())
		}
	}
	return nil
}

// finite reports whether v is of numbers, none of them infinite.
func finite(v []float32) bool {
	return !slices.ContainsFunc(v, func(f float32) bool { return math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) })
}

// zero reports whether v points nowhere.
func zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(f float32) bool { return f != 0 })
}

// modelsOf returns the models of which there are vectors, or were.
func modelsOf(ctx context.Context, on *session) (all []model, err error) {
	err = on.each(ctx, func(rows *sql.Rows) error {
		var m model
		err := rows.Scan(&m.no, &m.name, &m.last, &m.dims)
		all = append(all, m)
		return err
	}, "SELECT no, name, last, dims FROM models ORDER BY no")
	return all, err
}

// dropVectors removes the vectors of records, of every model. An empty one
// takes the place of each, under a new number: whoever has a copy learns of it
// as of any other that came.
func (s *Store) dropVectors(ctx context.Context, w *session, keys []int64) error {
	models, err := modelsOf(ctx, w)
	if err != nil {
		return err
	}
	for _, m := range models {
		ord, _, err := s.nextOrds(ctx, w, m.no, len(keys))
		if err != nil {
			return err
		}
		for i, key := range keys {
			const query = "UPDATE vectors SET vec = ?, ord = ?, sum = ? WHERE model = ? AND key = ?"
			at := ord + int64(i)
			if err := w.exec(ctx, query, []byte{}, at, vectorSum(m.name, key, at, nil), m.no, key); err != nil {
				return err
			}
		}
	}
	return s.dropNear(ctx, w, keys)
}

// A copied page is what came of the vectors of a model after a number.
type copied struct {
	keys []int64
	ords []int64
	vecs [][]float32 // nil where there is none any more, or it is damaged, or points nowhere
}

// end is the number of the last.
func (p copied) end() int64 { return p.ords[len(p.ords)-1] }

// vectorPage is how many vectors are copied at a time.
const vectorPage = 4096

const vectorsAfterQuery = "SELECT key, ord, vec, sum FROM vectors WHERE model = ? AND ord > ? AND ord <= ? " +
	"ORDER BY ord LIMIT ?"

// vectorsAfter returns the vectors after a number, up to another, in the order in
// which they came, at most a page.
func vectorsAfter(ctx context.Context, on *session, m model, after, upTo int64) (copied, error) {
	var page copied
	err := on.long(ctx, func(rows *sql.Rows) error {
		var key, ord int64
		var b sql.RawBytes
		var sum sql.NullInt64
		if err := rows.Scan(&key, &ord, &b, &sum); err != nil {
			return err
		}
		var v []float32
		if len(b) == m.dims*floatBytes && vectorIs(m.name, key, ord, b, sum) {
			v = decodeVector(b)
		}
		if zero(v) || !finite(v) {
			v = nil
		}
		page.keys, page.ords, page.vecs = append(page.keys, key), append(page.ords, ord), append(page.vecs, v)
		return nil
	}, vectorsAfterQuery, m.no, after, upTo, vectorPage)
	return page, err
}
