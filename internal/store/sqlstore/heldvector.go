package sqlstore

import "database/sql"

// modelsVectors reads the vectors of a model.
const modelsVectors = "SELECT key, ord, vec, sum FROM vectors WHERE model = ?"

// A heldVector is a row of vectors.
type heldVector struct {
	key, ord int64
	vec      sql.RawBytes
	sum      sql.NullInt64
}

func scanVector(rows *sql.Rows) (v heldVector, err error) {
	err = rows.Scan(&v.key, &v.ord, &v.vec, &v.sum)
	return v, err
}
