// Package sums has the sums of what is made of nothing that is held: counts of readings, vectors
// and times of arrival. A sum in their rows shows that they are what was written; NULL is of an
// older version, and says nothing. A row with another sum is read as if it were not there.
package sums

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"
	"time"
)

// The sum of a usage count is computed by the database, which increments the count. A prime
// below 2^31 divides no power of two, and keeps the products below 2^63: one flipped bit in
// any of the three always changes the sum.
const (
	sumPrime = 2147483629
	sumTimes = 1000003
	sumKey   = 998244353
)

// WrongUsage is the condition of a count of readings that is not what was written.
var WrongUsage = "sum <> " + UsageOf("key", "times", "last")

// Usage is the sum of a row of usage.
func Usage(key, times, last int64) int64 {
	return (last%sumPrime + times%sumPrime*sumTimes + key%sumPrime*sumKey) % sumPrime
}

// UsageOf is Usage of expressions.
func UsageOf(key, times, last string) string {
	const text = "((%s) %% %d + (%s) %% %d * %d + (%s) %% %d * %d) %% %d"
	return fmt.Sprintf(text, last, sumPrime, times, sumPrime, sumTimes, key, sumPrime, sumKey, sumPrime)
}

// UsageIs reports whether a row of usage is what was written.
func UsageIs(key, times, last int64, sum sql.NullInt64) bool {
	return !sum.Valid || sum.Int64 == Usage(key, times, last)
}

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Came is the sum of when the record with a key came.
func Came(key, came int64) int64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(key))
	binary.LittleEndian.PutUint64(b[8:], uint64(came))
	return int64(crc32.Checksum(b[:], castagnoli()))
}

// CameIs reports whether a time of arrival is what was written.
func CameIs(key int64, came, sum sql.NullInt64) bool {
	return !sum.Valid || came.Valid && sum.Int64 == Came(key, came.Int64)
}

// ArrivedAt is when a record came, zero where that is not known.
func ArrivedAt(key int64, came, sum sql.NullInt64) time.Time {
	if !came.Valid || !CameIs(key, came, sum) {
		return time.Time{}
	}
	return time.UnixMilli(came.Int64)
}

// Vector is the sum of a vector. The name of the model is in it, since the number says
// nothing where the list of models is damaged.
func Vector(model string, key, ord int64, vec []byte) int64 {
	b := binary.LittleEndian.AppendUint64(append([]byte(model), 0), uint64(key))
	b = binary.LittleEndian.AppendUint64(b, uint64(ord))
	return int64(crc32.Update(crc32.Checksum(b, castagnoli()), castagnoli(), vec))
}

// VectorIs reports whether a vector is what was written.
func VectorIs(model string, key, ord int64, vec []byte, sum sql.NullInt64) bool {
	return !sum.Valid || sum.Int64 == Vector(model, key, ord, vec)
}
