package settings

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/words"
)

// mostEdits is how many letters a key may be wrong by to be understood.
const mostEdits = 3

// suggestion names the key that may have been meant, or nothing.
func suggestion(key string) string {
	const mostLetters = 64 // of a key that is looked at
	if len(key) > mostLetters {
		return ""
	}
	best, least := "", mostEdits+1
	for _, k := range table {
		// "budget" and "embeder.url" are meant as much as a slip of one letter
		n := words.Distance(strings.ToLower(key), k.Key)
		if last(key) == last(k.Key) {
			n = min(n, mostEdits)
		}
		if n < least {
			best, least = k.Key, n
		}
	}
	if best == "" {
		return ""
	}
	return " (is " + best + " meant?)"
}

func last(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
