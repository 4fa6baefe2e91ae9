package proof

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrEdited says that somebody else wrote into what the person's programs remember.
var ErrEdited = errors.New("this store's verification record was changed by another program")

// edited says so of a file.
func edited(path string) error { return fmt.Errorf("%s: %w", path, ErrEdited) }

// readable returns a file's error, unless that is that there is none.
func readable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
