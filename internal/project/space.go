package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/memory"
)

// ErrNone is that a directory is in no project.
var ErrNone = errors.New("not in a git repository")

// Space returns the space of the project that a directory belongs to, "" outside of any; known is whether the
// project is in the book. With write, what is new is written into the book of the data directory; without, the space
// is the one that the project would have. Where the book can be read and not written, the space comes with the error.
func Space(ctx context.Context, dataDir, dir, home, salt string, write bool) (space string, known bool, err error) {
	p, known, err := lookUp(ctx, dataDir, dir, home, salt, write)
	if errors.Is(err, ErrNone) {
		return "", false, nil
	}
	return p.InUse(), known, err
}

// Bind writes a directory's project into the book with a space, OWNER/NAME, that holds its memories from now on.
func Bind(ctx context.Context, dataDir, dir, home, salt, space string) error {
	owner, name, full := strings.Cut(space, "/")
	if !full || owner == "" {
		return fmt.Errorf("bind %s: the space must be OWNER/NAME", space)
	}
	if err := memory.CheckSpaceName(name); err != nil {
		return fmt.Errorf("bind %s: %w", space, err)
	}
	p, _, err := lookUp(ctx, dataDir, dir, home, salt, true)
	if err != nil {
		return err
	}
	return Change(dataDir, func(b *Book) error { return b.bind(p.Space, space) })
}

// Unbind takes back what Bind did, and reports whether there was something.
func Unbind(ctx context.Context, dataDir, dir, home string) (bool, error) {
	p, known, err := lookUp(ctx, dataDir, dir, home, "", false)
	if err != nil || !known || p.Bound == "" {
		return false, err
	}
	return true, Change(dataDir, func(b *Book) error { return b.bind(p.Space, "") })
}

// bind sets what the project with a space of its own is bound to.
func (b *Book) bind(own, to string) error {
	for i := range b.Projects {
		if b.Projects[i].Space == own {
			b.Projects[i].Bound = to
			return nil
		}
	}
	return fmt.Errorf("the project of %s is gone from the list of your projects", own)
}

// lookUp returns the project of a directory.
func lookUp(ctx context.Context, dataDir, dir, home, salt string, write bool) (p Project, known bool, err error) {
	r, ok := find(dir, home)
	lost := lostAbove(dir, r.Dir)
	if !ok && len(lost) == 0 {
		return p, false, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	text, err := text(dataDir)
	if err != nil {
		return p, false, err
	}
	if len(lost) > 0 {
		b, err := parseBook(dataDir, text)
		if err != nil {
			return p, false, err
		}
		for _, dir := range lost {
			if p, ok := b.at(dir); ok {
				return *p, true, nil
			}
		}
	}
	if !ok {
		return p, false, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	now := time.Now()
	p, s, ok := stamped(text, r.Common)
	if ok && s.holds(r, now) {
		if !write || slices.Contains(p.Paths, r.Dir) {
			return p, true, nil
		}
		return p, true, Change(dataDir, func(b *Book) error { return b.checkout(p.Space, r.Dir) })
	}
	b, err := parseBook(dataDir, text)
	if err != nil {
		return Project{}, false, err
	}
	id := identify(ctx, r)
	found, known := b.Find(id)
	if !known {
		found = b.Begin(id, salt)
	}
	p = *found
	if !write {
		return p, known, nil
	}
	err = Change(dataDir, func(b *Book) error {
		found, there := b.Find(id)
		if known = there; there {
			b.Learn(found, id)
		} else {
			found = b.Begin(id, salt)
		}
		b.settle(found, r.Dir)
		b.stamp(found, stampOf(r, id, now))
		p = *found
		return nil
	})
	return p, known, err
}

// checkout says that the project with a space of its own has a checkout in a directory.
func (b *Book) checkout(own, dir string) error {
	for i := range b.Projects {
		if b.Projects[i].Space == own {
			b.settle(&b.Projects[i], dir)
		}
	}
	return nil
}

// lostAbove are the directories on the way up from one, short of its repository's, that may have been checkouts: they
// are gone, or git's part of them cannot be read.
func lostAbove(dir, root string) []string {
	var lost []string
	for dir = git.Real(dir); dir != root; dir = filepath.Dir(dir) {
		if !exists(dir) || exists(filepath.Join(dir, ".git")) {
			lost = append(lost, dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return lost
}
