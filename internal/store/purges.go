package store

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/stemma-memory/stemma/memory"
)

// PurgesNote is the name of the note that is another after every purge, whoever made it
// and in whichever process: who keeps answers compares it. There is none before the first.
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
