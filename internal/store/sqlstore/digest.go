package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
)

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
