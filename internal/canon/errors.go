package canon

import "errors"

// Every error of Transform and Check wraps one of these, after the byte offset
// at which it was noticed.
var (
	// ErrSyntax says that the text is not JSON.
	ErrSyntax = errors.New("not valid json")
	// ErrDuplicate says that an object has two members of the same name, however
	// the names are escaped.
	ErrDuplicate = errors.New("duplicate member")
	// ErrNumber says that a number is no finite double, or is one of those
	// integers beyond 2^53-1 that do not survive a double.
	ErrNumber = errors.New("number out of range")
	// ErrDepth says that arrays and objects nest deeper than MaxDepth.
	ErrDepth = errors.New("nested too deep")
	// ErrUTF8 says that a string holds invalid UTF-8 or half a surrogate pair.
	ErrUTF8 = errors.New("not valid unicode")
	// ErrNotCanonical says that the text may be JSON, but is not spelled the one
	// way that RFC 8785 allows. Only Check returns it.
	ErrNotCanonical = errors.New("not in canonical form")
)

// MaxDepth is how many arrays and objects may be open at once.
const MaxDepth = 32
