package api

import (
	"errors"
)

// The six kinds of failure, matched with errors.Is. Every face has one answer
// for each.
var (
	ErrNotFound    = errors.New("not found")
	ErrInvalid     = errors.New("invalid")
	ErrConflict    = errors.New("conflict")
	ErrAmbiguous   = errors.New("ambiguous")
	ErrForbidden   = errors.New("forbidden")
	ErrUnavailable = errors.New("unavailable")
)
