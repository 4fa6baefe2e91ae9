package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/memory"
)

// mostNote is more than a checkpoint holds, in bytes.
const mostNote = 64 << 10

// readAll reads small files.
func (a *app) readAll(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		text, err := a.readFile(name, mostNote)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// readFile reads a file of at most so many bytes; "-" is the standard input.
func (a *app) readFile(name string, most int64) (string, error) {
	in := a.env.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", api.Invalid("%v", err)
		}
		defer live.Close(f) // it was only read
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s: larger than %d bytes", name, most)
	}
	if err != nil {
		return "", api.Invalid("%v", err)
	}
	return string(text), nil
}

// isFile distinguishes a file, or standard input, from a ref.
func (a *app) isFile(name string) bool {
	if name == "-" {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// unreadable is an error that keeps a file from being checked.
type unreadable struct{ error }

func (unreadable) Is(err error) bool { return err == api.ErrUnavailable }

// readStdin reads words from standard input, a little more than a raw may have
// so that too much is refused and not cut.
func (a *app) readStdin() ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(a.env.Stdin, memory.MaxRawText+1))
	if err != nil {
		return nil, ran{fmt.Errorf("read standard input: %w", err)}
	}
	return raw, nil
}

// textArg joins the words of an argument list; "-" is standard input.
func (a *app) textArg(args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" {
		raw, err := a.readStdin()
		return string(raw), err
	}
	return strings.Join(args, " "), nil
}

// writeFile writes a file whole or not at all, readable by its owner only.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".stemma-export-*")
	if failed, is := errors.AsType[*fs.PathError](err); is { // the name of a temporary file says nothing
		err = failed.Err
	}
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, err)
	}
	if err := durable.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// writePrivate writes a whole file that its owner alone reads.
func writePrivate(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // made 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = durable.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
