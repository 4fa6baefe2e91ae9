// Package code looks after code refs: it pins what a memory says about code to
// the bytes it was said about, and finds out later whether they still stand.
//
// The hash decides, the commit explains. A ref is a file, a symbol or a range of
// lines; what is pinned is the SHA-256 of that span with CRLF made LF, a span
// inside a file without the line break at its end. Git is asked only which bytes
// are committed, where a file went and who changed it; without git the same
// checks are made on the files as they are.
//
// Repositories, refs and the cache are taken for a stranger's: git is run with
// arguments and never through a shell, with nothing of the repository's settings
// that would start a program, and no file outside the tree is opened.
package code

import "errors"

// Errors of this package about what was asked for match one of these.
var (
	// ErrInvalid says that a text is no code ref, or not one that can be pinned.
	ErrInvalid = errors.New("invalid code ref")
	// ErrNotFound says that there is no such file, symbol or line.
	ErrNotFound = errors.New("code not found")
)

// failure is an error whose text says only what is wrong and what to do.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.kind }
