package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// failure is an error of one of the six kinds whose text says only what went
// wrong, with what, and what to do.
type failure struct {
	kind error
	text string
	err  error // the cause, or nil
}

func (f *failure) Error() string {
	if f.err == nil {
		return f.text
	}
	return f.text + ": " + f.err.Error()
}

func (f *failure) Unwrap() []error {
	if f.err == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.err}
}

func notFound(format string, args ...any) error {
	return &failure{kind: api.ErrNotFound, text: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) error {
	return &failure{kind: api.ErrInvalid, text: fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &failure{kind: api.ErrConflict, text: fmt.Sprintf(format, args...)}
}

// sorted gives err, which came from below, its kind.
func sorted(err error) error {
	switch {
	case err == nil, hasKind(err):
		return err
	case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrNotCanonical):
		return &failure{kind: api.ErrInvalid, text: oneLine(err)}
	case errors.Is(err, store.ErrConflict):
		return &failure{kind: api.ErrConflict, text: "nothing was stored", err: err}
	case errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrFull),
		errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrBusy), errors.Is(err, store.ErrGone):
		return &failure{kind: api.ErrUnavailable, text: oneLine(err)}
	default:
		return err
	}
}

func hasKind(err error) bool {
	for _, kind := range []error{api.ErrNotFound, api.ErrInvalid, api.ErrConflict, api.ErrAmbiguous, api.ErrForbidden, api.ErrUnavailable} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// oneLine puts the lines of joined errors behind one another, each once.
func oneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.Trim(line, " \t\r\n:"); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}
