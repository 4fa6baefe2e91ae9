package ops

import (
	"errors"
	"net/http"

	"github.com/stemma-memory/stemma/api"
)

// A Status is what each face answers for one kind of failure.
type Status struct {
	Err  error
	Name string // in --json and in a protocol's error
	Exit int    // of the command line
	HTTP int
	Doc  string
}

// Exit codes that belong to no kind of failure.
const (
	ExitOK      = 0
	ExitFailed  = 1  // a check found something, or something unforeseen happened
	ExitAway    = 2  // whoever was asked could not be reached, or not now
	ExitUsage   = 64 // the command line itself was wrong
	exitInvalid = 65 // the words given were wrong
)

// Statuses has one line for each kind of failure.
var Statuses = []Status{
	{api.ErrUnavailable, "unavailable", 2, http.StatusServiceUnavailable,
		"the store is unavailable: busy, full, read-only, damaged or newer"},
	{api.ErrNotFound, "not_found", 3, http.StatusNotFound, "no such record"},
	{api.ErrAmbiguous, "ambiguous", 4, http.StatusConflict, "a ref matches several records"},
	{api.ErrConflict, "conflict", 5, http.StatusConflict, "conflict: already done, or changed meanwhile"},
	{api.ErrForbidden, "forbidden", 6, http.StatusForbidden, "permission denied"},
	{api.ErrInvalid, "invalid", exitInvalid, http.StatusUnprocessableEntity,
		"invalid input: blank, too long, out of range or damaged"},
}

// StatusOf returns the answer for an error; one of no known kind is internal.
func StatusOf(err error) Status {
	for _, s := range Statuses {
		if errors.Is(err, s.Err) {
			return s
		}
	}
	return Status{err, "internal", ExitFailed, http.StatusInternalServerError, "unexpected error"}
}
