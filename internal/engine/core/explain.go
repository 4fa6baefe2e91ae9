package core

import (
	"github.com/stemma-memory/stemma/internal/keys"
)

// fingerprint gives a key as people compare it; a key that is none is shown as it
// is.
func Fingerprint(did string) string {
	if f, err := keys.Fingerprint(did); err == nil {
		return f
	}
	return did
}
