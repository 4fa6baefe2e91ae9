package cli

import (
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/ops"
)

// ran marks an error of a verb itself: any other comes from the reading of the
// command line.
type ran struct{ err error }

func (r ran) Error() string { return r.err.Error() }
func (r ran) Unwrap() error { return r.err }

func asRan(err error) error {
	if err == nil {
		return nil
	}
	return ran{err}
}

// Interrupted is the cause with which a command's context ends when somebody ends it.
type Interrupted struct{ Exit int }

func (Interrupted) Error() string { return "interrupted; everything stored so far is kept" }

// errExit ends a run with an exit code and no further words.
type errExit int

func (e errExit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// errFailed is what a check ends with that found something.
const errFailed = errExit(ops.ExitFailed)

// onlyPerson says that an agent may not.
type onlyPerson struct{ text string }

func (e onlyPerson) Error() string        { return e.text }
func (e onlyPerson) Is(target error) bool { return target == api.ErrForbidden }

// missing is an error about a file or record that does not exist.
type missing struct{ text string }

// A conflict says that something is as it was asked to become, or in the way.
type conflict struct{ text string }

func (e conflict) Error() string        { return e.text }
func (e conflict) Is(target error) bool { return target == api.ErrConflict }

func conflicts(format string, args ...any) error { return conflict{fmt.Sprintf(format, args...)} }

// several is that a name stands for more than one record.
type several struct{ text string }

func (e several) Error() string        { return e.text }
func (e several) Is(target error) bool { return target == api.ErrAmbiguous }

func (e missing) Error() string        { return e.text }
func (e missing) Is(target error) bool { return target == api.ErrNotFound }
