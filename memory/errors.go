package memory

import (
	"errors"
	"fmt"
)

// ErrInvalid is matched by every error about what a record may not say.
var ErrInvalid = errors.New("invalid record")

// ErrNotCanonical is returned for bytes that are not the one way to write what
// they say: two readings of one signature are refused.
var ErrNotCanonical = errors.New("record is not in canonical form")

// A FieldError says which member of a record is wrong and how.
type FieldError struct {
	Field   string
	Problem string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// Is makes every FieldError match ErrInvalid.
func (e *FieldError) Is(target error) bool { return target == ErrInvalid }

func bad(field, format string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(format, args...)}
}
