package session

import (
	"fmt"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SeqBits is how much of a key is the place in the log of its space.
const SeqBits = 40

// SeqOf returns the place in the log of a key's space.
func SeqOf(key int64) store.Seq { return store.Seq(key & (1<<SeqBits - 1)) }

// FirstKey returns the key before the first of a space.
func FirstKey(space int) int64 { return int64(space) << SeqBits }

// An idColumn is an id as it is read from a column: of the right length, or an error.
// A conversion of the bytes themselves would panic.
type idColumn memory.ID

// AsID scans a column into an id.
func AsID(id *memory.ID) *idColumn { return (*idColumn)(id) }

// Scan reads a value of a driver.
func (c *idColumn) Scan(v any) error {
	b, is := v.([]byte)
	if !is || len(b) != len(c) {
		return fmt.Errorf("an id of %d bytes where it has %d", len(b), len(c))
	}
	copy(c[:], b)
	return nil
}

// Blob returns an id as the drivers take it.
func Blob(id memory.ID) any { return id[:] }

// AnyInt returns a number as an argument of a statement.
func AnyInt(n int) any { return n }
