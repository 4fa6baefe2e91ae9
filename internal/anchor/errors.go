package anchor

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// maxPlain bounds a line about a stranger's things, in bytes.
const maxPlain = 300

// Errors of making match one of these, or are of the system.
var (
	// ErrInvalid says that what was named is no anchor, or one that is refused.
	ErrInvalid = errors.New("invalid anchor")
	// ErrNotFound says that there is no such commit, page or file.
	ErrNotFound = errors.New("not found")
)

// failure is an error whose text says only what is wrong.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.kind }

func invalid(format string, args ...any) error {
	return &failure{ErrInvalid, "anchor: " + plain(fmt.Sprintf(format, args...))}
}

func notFound(format string, args ...any) error {
	return &failure{ErrNotFound, "anchor: " + plain(fmt.Sprintf(format, args...))}
}

// plain makes a stranger's words fit for one line.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return shorten.To(s, maxPlain)
}
