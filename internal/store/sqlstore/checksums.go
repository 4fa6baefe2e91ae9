package sqlstore

import (
	"database/sql"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/internal/vec"
)

// usage looks for counts of readings that are not what was written.
func (c *checking) usage() error {
	var n int
	_, err := c.s.read.One(c.ctx, []any{&n}, "SELECT count(*) FROM usage WHERE "+sums.WrongUsage)
	if err == nil && n > 0 {
		err = c.stale("%d counts of readings are not what was written: those records count as never read", n)
	}
	return err
}

// sums compares the vectors of a model with their sums and with the note about the model.
func (c *checking) sums(m nearest.Model) error {
	wrong, dims, last := 0, 0, int64(0)
	err := c.s.read.Long(c.ctx, func(rows *sql.Rows) error {
		v, err := scanVector(rows)
		if err != nil {
			return err
		}
		if !sums.VectorIs(m.Name, v.key, v.ord, v.vec, v.sum) {
			wrong++
			return nil
		}
		last = max(last, v.ord)
		if dims == 0 {
			dims = len(v.vec) / nearest.FloatBytes
		}
		return nil
	}, modelsVectors, m.No)
	if err == nil { // who embeds meanwhile notes more; what was read is noted by now
		m, err = nearest.ModelOf(c.ctx, c.s.read, m.Name)
	}
	if err == nil && wrong > 0 {
		err = c.stale("%d vectors of model %s are not what was written: they are not found", wrong, m.Name)
	}
	if err == nil && dims > 0 && (m.Dims <= 0 || m.Dims > vec.MaxDims) {
		err = c.stale("the vectors of model %s have %d numbers, and %d are noted", m.Name, dims, m.Dims)
	}
	if err == nil && last > m.Last {
		err = c.stale("a vector of model %s has the number %d, and the last is noted as %d", m.Name, last, m.Last)
	}
	return err
}
