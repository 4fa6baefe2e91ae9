package sqlstore

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"
	"time"
)

// Counts of readings, vectors and times of arrival are made of nothing that is held. A sum
// in their rows shows that they are what was written; NULL is of an older version, and says
// nothing. A row with another sum is read as if it were not there.

// The sum of a usage count is computed by the database, which increments the count. A prime
// below 2^31 divides no power of two, and keeps the products below 2^63: one flipped bit in
// any of the three always changes the sum.
const (
	sumPrime = 2147483629
	sumTimes = 1000003
	sumKey   = 998244353
)

// wrongUsage is the condition of a count of readings that is not what was written.
var wrongUsage = "sum <> " + sumOf("key", "times", "last")

// modelsVectors reads the vectors of a model.
const modelsVectors = "SELECT key, ord, vec, sum FROM vectors WHERE model = ?"

// usageSum is the sum of a row of usage.
func usageSum(key, times, last int64) int64 {
	return (last%sumPrime + times%sumPrime*sumTimes + key%sumPrime*sumKey) % sumPrime
}

// sumOf is usageSum of expressions.
func sumOf(key, times, last string) string {
	const text = "((%s) %% %d + (%s) %% %d * %d + (%s) %% %d * %d) %% %d"
	return fmt.Sprintf(text, last, sumPrime, times, sumPrime, sumTimes, key, sumPrime, sumKey, sumPrime)
}

// usageIs reports whether a row of usage is what was written.
func usageIs(key, times, last int64, sum sql.NullInt64) bool {
	return !sum.Valid || sum.Int64 == usageSum(key, times, last)
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// cameSum is the sum of when the record with a key came.
func cameSum(key, came int64) int64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(key))
	binary.LittleEndian.PutUint64(b[8:], uint64(came))
	return int64(crc32.Checksum(b[:], castagnoli()))
}

// cameIs reports whether a time of arrival is what was written.
func cameIs(key int64, came, sum sql.NullInt64) bool {
	return !sum.Valid || came.Valid && sum.Int64 == cameSum(key, came.Int64)
}

// arrivedAt is when a record came, zero where that is not known.
func arrivedAt(key int64, came, sum sql.NullInt64) time.Time {
	if !came.Valid || !cameIs(key, came, sum) {
		return time.Time{}
	}
	return time.UnixMilli(came.Int64)
}

// vectorSum is the sum of a vector. The name of the model is in it, since the number says
// nothing where the list of models is damaged.
func vectorSum(model string, key, ord int64, vec []byte) int64 {
	b := binary.LittleEndian.AppendUint64(append([]byte(model), 0), uint64(key))
	b = binary.LittleEndian.AppendUint64(b, uint64(ord))
	return int64(crc32.Update(crc32.Checksum(b, castagnoli()), castagnoli(), vec))
}

// vectorIs reports whether a vector is what was written.
func vectorIs(model string, key, ord int64, vec []byte, sum sql.NullInt64) bool {
	return !sum.Valid || sum.Int64 == vectorSum(model, key, ord, vec)
}

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
