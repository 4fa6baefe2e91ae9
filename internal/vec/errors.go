package vec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var (
	// ErrDamaged says that a file is not an index, or no longer a whole one.
	ErrDamaged = errors.New("the index of vectors is damaged")
	// ErrForeign says that a file is of another model, size or version.
	ErrForeign = errors.New("the index of vectors is of another kind")
	// ErrBusy says that someone else is writing the file.
	ErrBusy = errors.New("the index of vectors is being written")
	// ErrVector says that a vector does not fit the index or is not of numbers.
	ErrVector = errors.New("not a vector of this index")
)

var errClosed = fmt.Errorf("the index of vectors: %w", os.ErrClosed)

// Rebuild says whether what Open or Edit failed with is put right by Write.
func Rebuild(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, fs.ErrNotExist)
}
