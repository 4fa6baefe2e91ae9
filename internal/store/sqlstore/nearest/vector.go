package nearest

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/internal/vec"
)

// FloatBytes is the length of one number of a vector.
const FloatBytes = 4

// Encode returns a vector as the table has it.
func Encode(v []float32) []byte {
	out := make([]byte, 0, len(v)*FloatBytes)
	for _, f := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out
}

// Decode reads what Encode wrote.
func Decode(b []byte) []float32 {
	out := make([]float32, len(b)/FloatBytes)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*FloatBytes:]))
	}
	return out
}

// finite reports whether v is of numbers, none of them infinite.
func finite(v []float32) bool {
	return !slices.ContainsFunc(v, func(f float32) bool { return math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) })
}

// zero reports whether v points nowhere.
func zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(f float32) bool { return f != 0 })
}

// A Model is what made some vectors.
type Model struct {
	Name string
	No   int
	Last int64 // the greatest ord given to one of them
	Dims int   // numbers in each; 0 if there are no vectors yet
}

// Models returns the models of which there are vectors, or were.
func Models(ctx context.Context, on *session.Session) (all []Model, err error) {
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var m Model
		err := rows.Scan(&m.No, &m.Name, &m.Last, &m.Dims)
		all = append(all, m)
		return err
	}, "SELECT no, name, last, dims FROM models ORDER BY no")
	return all, err
}

// A copied page is what came of the vectors of a model after a number.
type copied struct {
	keys []int64
	ords []int64
	vecs [][]float32 // nil for a vector that is gone, damaged or points nowhere
}

// end is the number of the last.
func (p copied) end() int64 { return p.ords[len(p.ords)-1] }

// Page is how many vectors are copied at a time.
const Page = 4096

const vectorsAfterQuery = "SELECT key, ord, vec, sum FROM vectors WHERE model = ? AND ord > ? AND ord <= ? " +
	"ORDER BY ord LIMIT ?"

// vectorsAfter returns the vectors after a number, up to another, in the order in
// which they came, at most a page.
func vectorsAfter(ctx context.Context, on *session.Session, m Model, after, upTo int64) (copied, error) {
	var page copied
	err := on.Long(ctx, func(rows *sql.Rows) error {
		var key, ord int64
		var b sql.RawBytes
		var sum sql.NullInt64
		if err := rows.Scan(&key, &ord, &b, &sum); err != nil {
			return err
		}
		var v []float32
		if len(b) == m.Dims*FloatBytes && sums.VectorIs(m.Name, key, ord, b, sum) {
			v = Decode(b)
		}
		if zero(v) || !finite(v) {
			v = nil
		}
		page.keys, page.ords, page.vecs = append(page.keys, key), append(page.ords, ord), append(page.vecs, v)
		return nil
	}, vectorsAfterQuery, m.No, after, upTo, Page)
	return page, err
}

// Fit returns an error for vectors that do not fit a model whose vectors have dims numbers;
// dims is 0 if it has none yet.
func Fit(model string, dims int, vs []store.Vector) error {
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

// pgvector is how far PostgreSQL can search vectors itself: with the extension
// of that name. What it searches is a copy in a table of its own, since the type
// of its column exists only with the extension. It compares with every vector
// of the model and uses no HNSW index: that finds most of the nearest, not all,
// and asked for one space or one kind among many it finds few or none, since it
// looks at their neighbours and not at them.
type pgvector struct {
	mu     sync.Mutex
	asked  bool
	schema string        // where the extension is, quoted; "" where it is not
	seen   map[int]int64 // by model: how far its numbers went when the copy was last brought up to date
}
