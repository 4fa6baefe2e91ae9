package blame

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// MostOfRange is how many commits a range may have.
const MostOfRange = 5000

// A Range is the commits of a range, the newest first.
type Range struct {
	Base, Head string // Base is "" for one commit
	Commits    []*Commit
}

// A Commit is one of a range, and what it brought in beside what its parents have.
type Commit struct {
	ID      string
	Parents []string
	Files   []*Touched
	More    int      // files beside those
	Gone    []string // files that it deleted
}

// A Touched is a file of a commit.
type Touched struct {
	Path, Was string // Was is the name before, where it was another
	Lines     int    // that the commit brought in; white space is no change
	Binary    bool
	Submodule bool
	Wrote     []Wrote // who wrote how many of them
}

// A Wrote is the lines of a file of a commit that one note has.
type Wrote struct {
	*Note
	Lines []int // in the commit
}

// InRange says of each commit of a range what it brought in, and which of that a session wrote. A range is one commit,
// or A..B: what B has and A has not. Of a merge only that counts which no parent has.
func InRange(ctx context.Context, r git.Repository, asked string, notes Source) (*Range, error) {
	c, revs, n, err := rangeOf(ctx, r, asked)
	if err != nil {
		return nil, err
	}
	if err := c.read(ctx, r.Dir, revs); err != nil {
		return nil, err
	}
	if len(c.Commits) != n { // what git prints was cut
		return nil, failed("%q changes too many files; give it in parts", asked)
	}
	if err := c.plain(ctx, r.Dir); err != nil {
		return nil, err
	}
	all, err := notes(nil)
	if err != nil {
		return nil, err
	}
	w := &writing{ctx: ctx, r: r, notes: notes, noted: make(map[string]bool), byID: make(map[string]*Commit)}
	for _, n := range all {
		w.noted[n.Path] = true
	}
	return c, w.all(c)
}

// rangeOf reads a range as git's own words for it, and counts its commits.
func rangeOf(ctx context.Context, r git.Repository, asked string) (*Range, []string, int, error) {
	c := &Range{}
	from, to, is := strings.Cut(asked, "..")
	var err error
	switch {
	case strings.HasPrefix(to, "."):
		return nil, nil, 0, failed("%q: a range is A..B, with two dots", asked)
	case !is:
		if c.Head, err = known(ctx, r, asked); err != nil {
			return nil, nil, 0, err
		}
		return c, []string{"--no-walk", c.Head}, 1, endsInside(r, c.Head)
	}
	if c.Base, err = known(ctx, r, or(from, "HEAD")); err != nil {
		return nil, nil, 0, err
	}
	if c.Head, err = known(ctx, r, or(to, "HEAD")); err != nil {
		return nil, nil, 0, err
	}
	revs := []string{c.Head, "^" + c.Base}
	text, err := output(ctx, r.Dir, "",
		append([]string{"rev-list", "--max-count=" + strconv.Itoa(MostOfRange+1)}, revs...)...)
	if err != nil {
		return nil, nil, 0, failed("%v", err)
	}
	ids := strings.Fields(text)
	switch {
	case len(ids) == 0:
		return nil, nil, 0, failed("%q has no commits: %s has nothing that %s has not", asked, short(c.Head), short(c.Base))
	case len(ids) > MostOfRange:
		return nil, nil, 0, failed("%q has more than %d commits; give it in parts", asked, MostOfRange)
	}
	return c, revs, len(ids), endsInside(r, ids...)
}

// known is commitOf, which says of a repository without commits that it has none, and of a shallow one that it is.
func known(ctx context.Context, r git.Repository, rev string) (string, error) {
	commit, err := commitOf(ctx, r.Dir, rev)
	switch {
	case errors.Is(err, errNone):
		return "", failed("this repository has no commit yet")
	case err != nil && len(shallow(r)) > 0 && ctx.Err() == nil:
		return "", failed("%v; this clone is shallow: git fetch --unshallow", err)
	}
	return commit, err
}

// endsInside is an error where the history of a shallow clone ends at one of some commits: what that brought in is not
// known.
func endsInside(r git.Repository, commits ...string) error {
	for _, end := range shallow(r) {
		if slices.Contains(commits, end) {
			return failed("this clone is shallow: what %s brought in cannot be told; git fetch --unshallow", short(end))
		}
	}
	return nil
}

// read asks git for the files of all commits at once.
func (c *Range) read(ctx context.Context, dir string, revs []string) error {
	args := append([]string{"log", "--topo-order", "--format=%x01%H %P", "--raw", "--numstat", "-z", "-w", "-M",
		"--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color"}, revs...)
	return run(ctx, dir, "", func(r *bufio.Reader) error {
		var at *Commit
		var rows map[string]*Touched // nil is a file beyond those that are listed
		next := func() (string, error) {
			token, err := r.ReadString(0)
			return strings.TrimSuffix(token, "\x00"), err
		}
		for {
			token, err := next()
			if err != nil {
				if errors.Is(err, io.EOF) && token == "" {
					return nil
				}
				return fmt.Errorf("git: an answer that was cut: %w", err)
			}
			token = strings.TrimPrefix(token, "\n")
			switch head, is := strings.CutPrefix(token, "\x01"); {
			case is:
				f := strings.Fields(head)
				if len(f) == 0 {
					return errors.New("git: an answer that cannot be read")
				}
				at, rows = &Commit{ID: f[0], Parents: f[1:]}, make(map[string]*Touched)
				c.Commits = append(c.Commits, at)
			case token == "":
			case at == nil:
				return errors.New("git: an answer that cannot be read")
			case token[0] == ':':
				if err := at.listed(token, rows, next); err != nil {
					return err
				}
			default:
				if err := counted(token, rows, next); err != nil {
					return err
				}
			}
		}
	}, append(args, "--")...)
}

// listed takes a line of --raw: modes, names and what became of the file.
func (c *Commit) listed(line string, rows map[string]*Touched, next func() (string, error)) error {
	f := strings.Fields(line)
	const parts, link = 5, "160000"
	if len(f) != parts {
		return errors.New("git: an answer that cannot be read")
	}
	one := &Touched{Submodule: f[1] == link}
	var err error
	if f[4][0] == 'R' || f[4][0] == 'C' {
		if one.Was, err = next(); err != nil {
			return err
		}
	}
	if one.Path, err = next(); err != nil {
		return err
	}
	switch {
	case f[4] == "D":
		if len(c.Gone) < mostFiles {
			c.Gone = append(c.Gone, one.Path)
		}
	case len(c.Files) == mostFiles:
		c.More++
	default:
		rows[one.Path] = one
		c.Files = append(c.Files, one)
	}
	return nil
}

// counted takes a line of --numstat: how many lines were added to which file.
func counted(line string, rows map[string]*Touched, next func() (string, error)) error {
	f := strings.SplitN(line, "\t", 3)
	if len(f) != 3 {
		return errors.New("git: an answer that cannot be read")
	}
	path := f[2]
	if path == "" { // it had another name, which comes first
		if _, err := next(); err != nil {
			return err
		}
		var err error
		if path, err = next(); err != nil {
			return err
		}
	}
	row := rows[path]
	if row == nil || row.Submodule {
		return nil
	}
	if row.Binary = f[0] == "-"; !row.Binary {
		row.Lines, _ = strconv.Atoi(f[0]) // digits, or it is binary
	}
	return nil
}

// plain counts the lines of files that git calls binary and that are not: the attributes of a repository may say so of
// any file, and its lines count all the same.
func (c *Range) plain(ctx context.Context, dir string) error {
	for _, one := range c.Commits {
		for _, f := range one.Files {
			if !f.Binary {
				continue
			}
			if _, err := committedFile(ctx, dir, one.ID, f.Path); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				continue // it is
			}
			args := append([]string{"diff-tree", "--root", "--no-commit-id", "-r"}, diffing...)
			args = append(args, "--end-of-options", one.ID, "--", f.Path)
			if f.Was != "" {
				args = append(args, f.Was)
			}
			f.Binary = false
			if err := run(ctx, dir, "", func(r *bufio.Reader) error {
				all, err := versions(r)
				for _, v := range all {
					for _, e := range v.edits {
						f.Lines += len(e.added)
					}
				}
				return err
			}, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Commits are the hashes of the commits of a range.
func Commits(ctx context.Context, r git.Repository, asked string) ([]string, error) {
	_, revs, _, err := rangeOf(ctx, r, asked)
	if err != nil {
		return nil, err
	}
	text, err := output(ctx, r.Dir, "", append([]string{"rev-list"}, revs...)...)
	return strings.Fields(text), err
}

// IsShallow reports whether the history of a clone is cut off.
func IsShallow(r git.Repository) bool { return len(shallow(r)) > 0 }
