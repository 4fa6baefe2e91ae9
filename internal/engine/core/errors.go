package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Failure is an error of one of the six kinds whose text says only what went
// wrong, with what, and what to do.
type Failure struct {
	Kind error
	Text string
	err  error // the cause, or nil
}

func (f *Failure) Error() string {
	if f.err == nil {
		return f.Text
	}
	return f.Text + ": " + f.err.Error()
}

func (f *Failure) Unwrap() []error {
	if f.err == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.err}
}

func NotFound(format string, args ...any) error {
	return &Failure{Kind: api.ErrNotFound, Text: fmt.Sprintf(format, args...)}
}

func Invalid(format string, args ...any) error {
	return &Failure{Kind: api.ErrInvalid, Text: fmt.Sprintf(format, args...)}
}

func Conflict(format string, args ...any) error {
	return &Failure{Kind: api.ErrConflict, Text: fmt.Sprintf(format, args...)}
}

// Classify returns err with its kind: an error from below has none.
func Classify(err error) error {
	switch {
	case err == nil, HasKind(err):
		return err
	case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrNotCanonical):
		return &Failure{Kind: api.ErrInvalid, Text: OneLine(err)}
	case errors.Is(err, store.ErrConflict):
		return &Failure{Kind: api.ErrConflict, Text: "nothing was stored", err: err}
	case errors.Is(err, store.ErrNewer),
		errors.Is(err, store.ErrOlder),
		errors.Is(err, store.ErrReadOnly),
		errors.Is(err, store.ErrMoved),
		errors.Is(err, store.ErrFull),
		errors.Is(err, store.ErrDamaged),
		errors.Is(err, store.ErrBusy),
		errors.Is(err, store.ErrGone):
		return &Failure{Kind: api.ErrUnavailable, Text: OneLine(err)}
	default:
		return err
	}
}

func HasKind(err error) bool {
	for _, kind := range []error{
		api.ErrNotFound, api.ErrInvalid, api.ErrConflict, api.ErrAmbiguous, api.ErrForbidden, api.ErrUnavailable,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// OneLine puts the lines of joined errors behind one another, each once.
func OneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.Trim(line, " \t\r\n:"); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}
