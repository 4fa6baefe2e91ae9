package hosts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// pauseFile is what stands in the directory of a project or of a user while hooks are
// to keep nothing.
const pauseFile = "paused"

// Pause has the hooks below dir keep nothing until a time, or until Resume where
// that is zero.
func Pause(dir string, until time.Time) error {
	text := ""
	if !until.IsZero() {
		text = until.UTC().Format(time.RFC3339)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, pauseFile), []byte(text+"\n"), 0o600)
}

// Resume ends a pause, and says whether there was one.
func Resume(dir string) (bool, error) {
	err := os.Remove(filepath.Join(dir, pauseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Paused says whether dir is paused, and until when; a zero time is until Resume.
// What cannot be read as a time is a pause without end: somebody wanted one. Where the
// file cannot be read, no one knows whether dir is paused, and err says why.
func Paused(dir string, now time.Time) (paused bool, until time.Time, err error) {
	text, err := os.ReadFile(filepath.Join(dir, pauseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, until, nil
	}
	if err != nil {
		return false, until, fmt.Errorf("see whether hooks are paused: %w", err)
	}
	until, err = time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return true, time.Time{}, nil
	}
	return now.Before(until), until, nil
}
