package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// configured reads one setting as git would use it, "" if it is not set. It
// starts from no guards: one of them sets what is asked for.
func configured(ctx context.Context, dir, name string) (string, error) {
	cmd, stderr := git.Command(ctx, dir)
	cmd.Args = []string{"git", "config", "--type=path", "--get", name}
	out, err := cmd.Output()
	err = failed(ctx, err, stderr)
	var none *gitError
	if errors.As(err, &none) && none.code == 1 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// writeHook puts a hook's text in place as a whole and lets everybody run it who
// may read it. A hook that is switched off stays so. A nil text is no hook.
func writeHook(path string, old, text []byte) error {
	mode := os.FileMode(0o755)
	if old != nil {
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
		ours := bytes.Contains(text, []byte(hookBegin))
		if ours && mode&0o111 == 0 {
			return fmt.Errorf(
				"%s is there but cannot be run, so git passes over it: make it executable or delete it: %w",
				path, ErrInvalid,
			)
		}
		if ours {
			mode |= mode & 0o444 >> 2
		}
		if bytes.Equal(old, text) && mode == info.Mode().Perm() {
			return nil
		}
	}
	switch {
	case text == nil && old == nil:
		return nil
	case text == nil:
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".stemma-hook-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil { // it may be somebody's hook that this takes the place of
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
