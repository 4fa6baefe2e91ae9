package store

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/stemma-memory/stemma/memory"
)

// PurgesNote is the name of the note that changes with every purge, by any author in any
// process. Whoever caches answers compares it. It does not exist before the first purge.
const PurgesNote = "purges"

// AfterPurge returns the next text of that note.
func AfterPurge(was []byte, gone []*memory.Record) []byte {
	h := sha256.New()
	h.Write(was)
	for _, r := range gone {
		h.Write(r.ID[:])
	}
	const enough = 16
	return []byte(hex.EncodeToString(h.Sum(nil)[:enough]))
}
