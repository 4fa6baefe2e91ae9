package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/media"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// MaxWords is how much is kept of one thing that was said or given, in bytes: the
// beginning, and a last part in which errors tend to stand.
const (
	MaxWords = 16 << 10

	lastPart = 4 << 10

	// of longer words only so much at either end is looked through for secrets. A
	// secret on the border of that is far from what is kept.
	looked = 128 << 10
)

// clipped are words as they are kept.
type clipped struct {
	words string
	note  string // that something is missing, and how much
}

// clip names the pictures in words, takes secrets and private spans out of them, and then the middle out
// of long ones.
func clip(s string) clipped {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
	s = media.Named(s)
	size := len(s)
	s = secrets.Private(s)
	if len(s) <= 2*looked {
		s, _ = secrets.Redact(s)
		if len(s) <= MaxWords {
			return clipped{words: s}
		}
		return cut(s, s, size)
	}
	head, _ := secrets.Redact(upTo(s, looked))
	tail, _ := secrets.Redact(from(s, len(s)-looked))
	return cut(head, tail, size)
}

func cut(head, tail string, size int) clipped {
	head, tail = upTo(head, MaxWords-lastPart), from(tail, len(tail)-lastPart)
	left := size - len(head) - len(tail)
	return clipped{
		words: fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", head, left, tail),
		note:  fmt.Sprintf("cut: %d of %d bytes stored", len(head)+len(tail), size),
	}
}

// upTo returns at most n bytes of s, in whole characters.
func upTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// from returns what begins at byte n of s or at the character after it.
func from(s string, n int) string {
	n = max(n, 0)
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return s[n:]
}

// clean takes out of a short text what must not be kept.
func clean(s string) string {
	s, _ = secrets.Redact(secrets.Private(strings.ToValidUTF8(s, "\uFFFD")))
	return s
}

// saying names words that were said in a session, the same wherever they are read.
func saying(host, session, what, words string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(words)))
	return strings.Join([]string{host, session, what, hex.EncodeToString(sum[:12])}, ":")
}

// callAlias names one half of a tool's use.
func callAlias(host, session, call, half string) string {
	return strings.Join([]string{host, session, call, half}, ":")
}

// mostHarmless is the longest that an error is noted as.
const mostHarmless = 400

// Harmless returns a text as a log may keep it: on one line, bounded, without what
// must not be kept.
func Harmless(s string) string {
	return shorten.To(strings.Join(strings.Fields(clean(upTo(s, 8*mostHarmless))), " "), mostHarmless)
}
