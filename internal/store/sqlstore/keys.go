package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// seqBits is how much of a key is the place in the log of its space.
const seqBits = 40

// seqOf returns the place in the log of a key's space.
func seqOf(key int64) store.Seq { return store.Seq(key & (1<<seqBits - 1)) }

// firstKey returns the key before the first of a space.
func firstKey(space int) int64 { return int64(space) << seqBits }

// sessionKey returns the search key of a session, or nil.
func sessionKey(session string) any {
	if session == "" {
		return nil
	}
	return int64(binary.BigEndian.Uint64(digest(session)))
}

// digest is how an alias is looked for: it may be long.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// An idColumn is an id as it is read from a column: of the right length, or an error.
// A conversion of the bytes themselves would panic.
type idColumn memory.ID

// asID scans a column into an id.
func asID(id *memory.ID) *idColumn { return (*idColumn)(id) }

// Scan reads a value of a driver.
func (c *idColumn) Scan(v any) error {
	b, is := v.([]byte)
	if !is || len(b) != len(c) {
		return fmt.Errorf("an id of %d bytes where it has %d", len(b), len(c))
	}
	copy(c[:], b)
	return nil
}

// blob returns an id as the drivers take it.
func blob(id memory.ID) any { return id[:] }

func anyInt(n int) any { return n }
