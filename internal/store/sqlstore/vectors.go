package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"iter"
	"math"

	"github.com/stemma-memory/stemma/internal/store"
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

// Vectors gives every vector kept for a model, page by page in log order.
func (s *Store) Vectors(ctx context.Context, model string) iter.Seq2[store.Vector, error] {
	const query = `SELECT v.key, r.id, v.vec FROM vectors v JOIN records r ON r.key = v.key
		WHERE v.model = ? AND v.key > ? ORDER BY v.key LIMIT ?`
	return func(yield func(store.Vector, error) bool) {
		no, err := s.names.number(ctx, s.read, modelList, model)
		for after, more := int64(-1), no != 0; err == nil && more; {
			var page []store.Vector
			err = s.read.each(ctx, func(rows *sql.Rows) error {
				var id, vec []byte
				err := rows.Scan(&after, &id, &vec)
				page = append(page, store.Vector{ID: memory.ID(id), Vec: decodeVector(vec)})
				return err
			}, query, no, after, laterPage)
			for _, v := range page {
				if err == nil && !yield(v, nil) {
					return
				}
			}
			more = len(page) == laterPage
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
// not held are passed over.
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
		p := pile{
			into: "INSERT INTO vectors (model, key, ord, vec) VALUES ", row: "(?,?,?,?)",
			tail: " ON CONFLICT (model, key) DO UPDATE SET vec = excluded.vec, ord = excluded.ord",
		}
		var ord int64
		const count = "UPDATE models SET last = last + ? WHERE no = ? RETURNING last"
		if _, err := w.one(ctx, []any{&ord}, count, len(ids), no); err != nil {
			return err
		}
		ord -= int64(len(ids))
		for _, id := range ids {
			ord++
			if key := held.keys[id]; key != 0 {
				p.add(no, key, ord, encodeVector(last[id]))
			}
		}
		return p.flush(ctx, w)
	})
}
