package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A Format is a way in which another program writes what it holds: its name, how a file of it
// is recognised by what stands in it, and how the files of it in one source are read.
type Format struct {
	Name, Doc, Example string

	is   func(*sight) bool
	read func(*reading, []*file) error // nil: the engine reads it itself, through Open
}

// A Source is something to read: a path, or what was opened already.
type Source struct {
	Path   string
	In     io.Reader                  // instead of a path
	Name   string                     // tells its ids from those of others, where a format has none of its own
	Format string                     // "" is told by the content
	Mine   bool                       // the person who imports it says that these are their own words
	Ask    func(question string) bool // about what the source names outside itself; nil is no
	Held   func(ctx context.Context, aliases ...string) (map[string]memory.Ref, error)
}

// held tells which of some ids a store has.
type held = func(context.Context, ...string) (map[string]memory.Ref, error)

// about1 says of which source an error speaks.
func about1(name string, err error) error {
	if errors.Is(err, api.ErrInvalid) {
		return api.Invalid("import %s: %s", name, flat(err))
	}
	return fmt.Errorf("import %s: %w", name, err)
}

// eachFile reads files one after another; what is wrong with one costs that one.
func (r *reading) eachFile(files []*file, do func(*file) error) error {
	for _, f := range files {
		if err := r.bad(r.where(f), do(f)); err != nil {
			return err
		}
	}
	return nil
}

// whole returns all of a text, if it is no longer than most bytes.
func (r *reading) whole(f *file, most int64) (string, error) {
	in, err := r.open(f)
	if err != nil {
		return "", err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return "", err
	}
	if int64(len(data)) > most {
		return "", api.Invalid("is longer than %d MiB", most>>20)
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\x00", ""), nil
}

// maxFile bounds one file of a folder, in bytes.
const maxFile = 2 << 20
