package sqlstore

import (
	"context"
	"database/sql"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
)

const uneven = `DELETE FROM vectors WHERE length(vec) <> 0 AND EXISTS (SELECT 1 FROM models m
	WHERE m.no = vectors.model AND m.dims > 0 AND length(vectors.vec) <> m.dims * 4)`

// cameWrongly finds the rows of the log in which the time of arrival is not what was
// written. Its columns may hold anything.
func cameWrongly(ctx context.Context, on *session.Session) (map[int64]bool, error) {
	wrong := make(map[int64]bool)
	err := on.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var came, sum any
		if err := rows.Scan(&key, &came, &sum); err != nil {
			return err
		}
		at, is := came.(int64)
		if s, whole := sum.(int64); !is || !whole || s != sums.Came(key, at) {
			wrong[key] = true
		}
		return nil
	}, "SELECT key, came, sum FROM records WHERE sum IS NOT NULL")
	return wrong, err
}

// wrongVectors leaves out vectors that are not what was written, and notes again of each
// model how many numbers its vectors have and which was the last.
func (x *repairing) wrongVectors() error {
	type noted struct{ no, name, last, dims any }
	var models []noted
	err := x.four("SELECT no, name, last, dims FROM models", func(no, name, last, dims any) {
		models = append(models, noted{no, name, last, dims})
	})
	for _, m := range models {
		if err != nil {
			break
		}
		name, is := m.name.(string)
		if !is { // no vector is of it
			if err = x.w.Exec(x.ctx, "DELETE FROM models WHERE no = ?", m.no); err == nil {
				err = x.w.Exec(x.ctx, "DELETE FROM vectors WHERE model = ?", m.no)
			}
			continue
		}
		last, _ := m.last.(int64)
		dims, _ := m.dims.(int64)
		if last, dims, err = x.wrongOf(m.no, name, last, dims); err == nil && (m.last != last || m.dims != dims) {
			err = x.w.Exec(x.ctx, "UPDATE models SET last = ?, dims = ? WHERE no = ?", last, dims, m.no)
		}
	}
	if err == nil {
		err = x.w.Exec(x.ctx, uneven)
	}
	return err
}

// wrongOf does so for one model, and returns the notes to write.
func (x *repairing) wrongOf(no any, name string, last, dims int64) (int64, int64, error) {
	var wrong []int64
	lengths := make(map[int64]int)
	err := x.w.Each(x.ctx, func(rows *sql.Rows) error {
		v, err := scanVector(rows)
		if err != nil {
			return err
		}
		if !sums.VectorIs(name, v.key, v.ord, v.vec, v.sum) {
			wrong = append(wrong, v.key)
			return nil
		}
		last = max(last, v.ord)
		if len(v.vec)%nearest.FloatBytes == 0 && len(v.vec) > 0 {
			lengths[int64(len(v.vec)/nearest.FloatBytes)]++
		}
		return nil
	}, modelsVectors, no)
	for _, key := range wrong {
		if err == nil {
			err = x.w.Exec(x.ctx, "DELETE FROM vectors WHERE model = ? AND key = ?", no, key)
		}
	}
	for n, count := range lengths {
		if count > lengths[dims] {
			dims = n
		}
	}
	return last, dims, err
}

// four reads rows of four columns, of whatever type.
func (x *repairing) four(query string, do func(a, b, c, d any)) error {
	return x.w.Each(x.ctx, func(rows *sql.Rows) error {
		var a, b, c, d any
		err := rows.Scan(&a, &b, &c, &d)
		if err == nil {
			do(a, b, c, d)
		}
		return err
	}, query)
}
