package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/stemma-memory/stemma/internal/store"
)

// Here reports why a file that was opened must not be written: it was taken away, another one lies in its place, or it
// has a second name. What is written into a file without a name is lost with the last who has it open. Under a second
// name SQLite keeps a second log beside it, and each writer undoes what the other wrote.
func Here(path string, opened fs.FileInfo) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: it was deleted or moved while it was open; nothing was written; put it back, or restart "+
			"this program to begin a new one", store.ErrMoved)
	case err != nil:
		return fmt.Errorf("%w: %w", store.ErrMoved, err)
	case !os.SameFile(info, opened):
		return fmt.Errorf("%w: another file was put in its place while it was open; nothing was written; restart this "+
			"program to use that one", store.ErrMoved)
	}
	if n := namesOf(info); n > 1 {
		return fmt.Errorf("%w: its file has %d names (hard links), and who writes through one undoes what is written "+
			"through another; remove the others, which this lists: find / -xdev -samefile '%s'", store.ErrReadOnly, n, path)
	}
	return nil
}
