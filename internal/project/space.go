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
	p, known, err := Here(ctx, dataDir, dir, home, salt, write)
	return p.InUse(), known, err
}

// Here is Space, and gives the whole project; it is empty outside of any.
func Here(ctx context.Context, dataDir, dir, home, salt string, write bool) (p Project, known bool, err error) {
	p, known, err = lookUp(ctx, dataDir, dir, home, salt, write)
	if errors.Is(err, ErrNone) {
		return Project{}, false, nil
	}
	return p, known, err
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
	return edit(dataDir, p, func(_ *Book, p *Project) { p.Bound = space })
}

// Unbind takes back what Bind did, and reports whether there was something.
func Unbind(ctx context.Context, dataDir, dir, home string) (bool, error) {
	p, known, err := lookUp(ctx, dataDir, dir, home, "", false)
	if err != nil || !known || p.Bound == "" {
		return false, err
	}
	return true, edit(dataDir, p, func(_ *Book, p *Project) { p.Bound = "" })
}

// edit changes one project of the book.
func edit(dataDir string, p Project, do func(*Book, *Project)) error {
	return Change(dataDir, func(b *Book) error {
		own := b.own(p.Space)
		if own == nil {
			return fmt.Errorf("%s is gone from the list of your projects", p.Name)
		}
		do(b, own)
		return nil
	})
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
	if was, known, err := lastAt(dataDir, text, lost); known || err != nil {
		return was, known, err
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
		return p, true, edit(dataDir, p, func(b *Book, p *Project) { b.settle(p, r.Dir) })
	}
	b, err := parseBook(dataDir, text)
	if err != nil {
		return Project{}, false, err
	}
	id := identify(ctx, r)
	if !write {
		p, known = b.take(id, salt)
		return p, known, nil
	}
	err = Change(dataDir, func(b *Book) error {
		p, known = b.take(id, salt)
		own := b.own(p.Space)
		b.settle(own, r.Dir)
		b.stamp(own, stampOf(r, id, now))
		return nil
	})
	if p.Space == "" { // the book could not be changed
		p, known = b.take(id, salt)
	}
	return p, known, err
}

// take returns the project of an identity, begun where there is none, with what is new of it; known is whether there
// was one.
func (b *Book) take(id Identity, salt string) (p Project, known bool) {
	if p, known := b.Find(id); known {
		b.Learn(p, id)
		return *p, true
	}
	return *b.Begin(id, salt), false
}

// own returns the project with a space of its own of that name, nil for none.
func (b *Book) own(space string) *Project {
	for i := range b.Projects {
		if b.Projects[i].Space == space {
			return &b.Projects[i]
		}
	}
	return nil
}

// lastAt returns the project that had a checkout in the first of some directories.
func lastAt(dataDir string, text []byte, dirs []string) (p Project, known bool, err error) {
	if len(dirs) == 0 {
		return p, false, nil
	}
	b, err := parseBook(dataDir, text)
	if err != nil {
		return p, false, err
	}
	for _, dir := range dirs {
		if p, ok := b.at(dir); ok {
			return *p, true, nil
		}
	}
	return p, false, nil
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
