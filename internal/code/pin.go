package code

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/stemma-memory/stemma/internal/symbol"
	"github.com/stemma-memory/stemma/memory"
)

// Pin fixes a ref to the bytes its span has in the working tree now: it sets
// SHA256, Commit, Dirty and Repo. The ref is dirty where HEAD has other bytes
// there, or none. What does not exist, or cannot be found for certain, is not
// pinned.
func (t *Tree) Pin(ctx context.Context, e memory.Evidence) (memory.Evidence, error) {
	if wrong := unfit(e); wrong != "" {
		return e, invalid("%s: %s", shown(Text(e), maxWord), wrong)
	}
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return e, fmt.Errorf("pin %s: %w", shown(Text(e), maxWord), err)
	}
	defer root.Close()
	f, err := t.toPin(ctx, root, e.Path)
	if err != nil {
		return e, err
	}
	span, err := pinned(e, f)
	if err != nil {
		return e, err
	}
	e.SHA256, e.Commit, e.Dirty = sum(span), "", false
	if e.Repo, err = t.Repo(ctx); err != nil {
		return e, fmt.Errorf("pin %s: %w", e.Path, err)
	}
	if t.plain != "" {
		return e, nil
	}
	if e.Commit, err = t.head(ctx); err != nil {
		return e, fmt.Errorf("pin %s: %w", e.Path, err)
	}
	e.Dirty, err = t.differs(ctx, e)
	return e, err
}

// toPin reads the file of a ref, or says why it cannot be pinned.
func (t *Tree) toPin(ctx context.Context, root *os.Root, p string) (*file, error) {
	f, err := readWork(root, p)
	var at *linkError
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound("there is no file %s%s", shown(p, maxWord), suggestion(t.nearFiles(ctx, root, p)))
	case errors.Is(err, errFolder):
		return nil, invalid("%s is a directory: name a file in it", shown(p, maxWord))
	case errors.Is(err, errTooBig):
		return nil, invalid("%s is too big: at most %d MiB", shown(p, maxWord), maxFile>>20)
	case errors.As(err, &at):
		if to := at.target(root, p); to != "" {
			return nil, invalid("%s is a symbolic link: name %s", shown(at.at, maxWord), shown(to, maxWord))
		}
		return nil, invalid("%s is a symbolic link that leads out of %s", shown(at.at, maxWord), t.root)
	}
	return nil, invalid("%s cannot be read: %s", shown(p, maxWord), why(err))
}

// pinned finds the span of a ref in its file.
func pinned(e memory.Evidence, f *file) ([]byte, error) {
	name := shown(e.Path, maxWord)
	switch {
	case whole(e):
		return f.text, nil
	case e.Symbol == "":
		span, ok := f.span(e.Start, e.End)
		if !ok {
			return nil, notFound("%s has %d lines, and no lines %d to %d", name, f.lines(), e.Start, e.End)
		}
		return span, nil
	case !symbol.Supported(e.Path):
		return nil, invalid(
			"symbols of files like %s are not known: name lines, as in %s:10-20",
			shown(path.Base(e.Path), maxWord), name,
		)
	}
	at, status, reason := f.symbol(e.Symbol)
	switch status {
	case symbol.Found:
		if span, ok := f.span(at.Start, at.End); ok {
			return span, nil
		}
	case symbol.Absent:
		var names []string
		if all, ok := f.parsed.Names(); ok {
			for _, s := range all {
				names = append(names, s.Name)
			}
		}
		return nil, notFound(
			"there is no symbol %s in %s%s", shown(e.Symbol, maxWord), name,
			suggestion(near(e.Symbol, names, lastPart)),
		)
	}
	return nil, invalid(
		"%s cannot be pinned: %s; name lines, as in %s:10-20", shown(Text(e), maxWord), shown(reason, maxWord),
		name,
	)
}

// lastPart is the name of a symbol without what it belongs to.
func lastPart(name string) string {
	return name[strings.LastIndexAny(name, ".:#")+1:]
}

// differs reports whether HEAD has other bytes at a pinned span, or none.
func (t *Tree) differs(ctx context.Context, e memory.Evidence) (bool, error) {
	if e.Commit == "" {
		return true, nil
	}
	objects := &objects{dir: t.root}
	defer objects.close()
	there, err := objects.find(ctx, e.Commit, e.Path)
	var raw []byte
	if err == nil && there.kind == regular {
		_, raw, err = objects.get(ctx, there.id, "blob", maxFile)
	}
	switch {
	case errors.Is(err, errTooBig):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("pin %s: %w", shown(e.Path, maxWord), err)
	case there.kind == submodule:
		return false, invalid(
			"%s is inside the submodule %s: name it from there", shown(e.Path, maxWord),
			shown(there.at, maxWord),
		)
	case there.kind != regular:
		return true, nil
	}
	span, err := pinned(e, newFile(e.Path, raw))
	return err != nil || sum(span) != e.SHA256, nil
}
