package blame

import (
	"bufio"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// writing finds who wrote the lines of many commits. The history of a file is gone through once for all of them.
type writing struct {
	ctx   context.Context
	r     git.Repository
	notes Source
	noted map[string]bool // paths of which there is a note
	byID  map[string]*Commit
}

// all takes the commits in lines along first parents: what one reading of a history says of them is the same as what
// one of each would say.
func (w *writing) all(c *Range) error {
	for _, one := range c.Commits {
		w.byID[one.ID] = one
	}
	w.renames(c)
	for _, one := range c.Commits {
		if len(one.Parents) > 1 {
			if err := w.merged(one); err != nil {
				return err
			}
		}
	}
	had := make(map[string]bool)
	for _, tip := range c.Commits { // a commit comes before its parents
		var line []*Commit
		for at := tip; at != nil && !had[at.ID]; {
			had[at.ID] = true
			line = append(line, at)
			if len(at.Parents) == 0 {
				break
			}
			at = w.byID[at.Parents[0]]
		}
		if err := w.along(line); err != nil {
			return err
		}
	}
	return nil
}

// renames makes a file noted of which another name in the range is: it may have been edited under that.
func (w *writing) renames(c *Range) {
	for again := true; again; {
		again = false
		for _, one := range c.Commits {
			for _, f := range one.Files {
				if f.Was != "" && w.noted[f.Was] != w.noted[f.Path] {
					w.noted[f.Was], w.noted[f.Path], again = true, true, true
				}
			}
		}
	}
}

// A place is a file in a commit.
type place struct{ commit, path string }

// along says it of commits of which each is the first parent of the one before.
func (w *writing) along(line []*Commit) error {
	at := make(map[place]*Touched)
	for _, c := range line {
		for _, f := range c.Files {
			if len(c.Parents) < 2 && w.noted[f.Path] && f.Lines > 0 {
				at[place{c.ID, f.Path}] = f
			}
		}
	}
	done := make(map[place]bool)
	for _, c := range line {
		for _, f := range c.Files {
			p := place{c.ID, f.Path}
			if at[p] == nil || done[p] {
				continue
			}
			done[p] = true
			if err := w.file(c.ID, f.Path, at, done); err != nil {
				return err
			}
		}
	}
	return nil
}

// file goes through the history of a file up to a commit, once.
func (w *writing) file(commit, path string, at map[place]*Touched, done map[place]bool) error {
	versions, notes, err := w.history(commit, path)
	if err != nil {
		return err
	}
	replayEach(versions, notes, func(v version, rows []*row) {
		p := place{v.commit, v.path}
		f := at[p]
		if f == nil || len(f.Wrote) > 0 {
			return
		}
		done[p] = true
		f.take(v.commit, rows, nil)
	})
	return w.ctx.Err()
}

// take keeps who wrote the lines of a commit; only, if it is not nil, are those that count.
func (f *Touched) take(commit string, rows []*row, only []int) {
	for i, r := range rows {
		if r.commit != commit || r.note == nil || only != nil && !slices.Contains(only, i+1) {
			continue
		}
		k := slices.IndexFunc(f.Wrote, func(o Wrote) bool { return o.Note == r.note })
		if k < 0 {
			k = len(f.Wrote)
			f.Wrote = append(f.Wrote, Wrote{Note: r.note})
		}
		f.Wrote[k].Lines = append(f.Wrote[k].Lines, i+1)
	}
	slices.SortStableFunc(f.Wrote, func(a, b Wrote) int { return cmp.Compare(a.Lines[0], b.Lines[0]) })
}

// addedTo returns the lines of each file of a commit that another one has not.
func addedTo(ctx context.Context, dir, than, commit string) (map[string]map[int]bool, error) {
	out := make(map[string]map[int]bool)
	args := append([]string{"diff-tree", "-r"}, diffing...)
	err := run(ctx, dir, "", func(r *bufio.Reader) error {
		path := ""
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return nil
			}
			line = strings.TrimSuffix(line, "\n")
			switch name, is := strings.CutPrefix(line, newFile); {
			case is:
				path, _ = strings.CutPrefix(unquoted(strings.TrimSuffix(name, "\t")), "b/")
			case strings.HasPrefix(line, "@@ "):
				e, err := readEdit(r, line)
				if err != nil {
					return err
				}
				if out[path] == nil {
					out[path] = make(map[int]bool)
				}
				for k := range e.added {
					out[path][e.to+k+1] = true
				}
			}
		}
	}, append(args, "--end-of-options", than, commit)...)
	return out, err
}

// newFile begins the line of a diff that names the file as it is then.
var newFile = strings.Repeat("+", 3) + " "

// merged takes the lines of a merge that no parent has: what came in with a parent is that parent's.
func (w *writing) merged(c *Commit) error {
	lines := make(map[string][]int)
	for k, parent := range c.Parents {
		added, err := addedTo(w.ctx, w.r.Dir, parent, c.ID)
		if err != nil {
			return err
		}
		if k == 0 {
			for path, some := range added {
				lines[path] = slices.Sorted(maps.Keys(some))
			}
			continue
		}
		for path, some := range lines {
			if lines[path] = slices.DeleteFunc(some, func(n int) bool { return !added[path][n] }); len(lines[path]) == 0 {
				delete(lines, path)
			}
		}
	}
	c.Files, c.More = nil, 0
	for path, some := range lines {
		f := &Touched{Path: path, Lines: len(some)}
		if _, err := committedFile(w.ctx, w.r.Dir, c.ID, path); err != nil {
			f.Binary, f.Lines = true, 0
		}
		c.Files = append(c.Files, f)
	}
	slices.SortFunc(c.Files, func(a, b *Touched) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range c.Files {
		if !w.noted[f.Path] {
			continue
		}
		versions, notes, err := w.history(c.ID, f.Path)
		if err != nil {
			return err
		}
		f.take(c.ID, replay(versions, notes), lines[f.Path])
	}
	return nil
}

// history returns what became of a file until a commit, with the notes on it.
func (w *writing) history(commit, path string) ([]version, []*Note, error) {
	versions, err := history(w.ctx, w.r.Dir, commit, path)
	if err != nil {
		return nil, nil, err
	}
	notes, err := w.notes(paths(versions, path))
	if err == nil {
		err = order(w.ctx, w.r.Dir, commit, versions, notes)
	}
	return versions, notes, err
}

// Spans are numbers of lines as "3-7,12".
func Spans(numbers []int) string {
	some := make([]Line, len(numbers))
	for i, n := range numbers {
		some[i].Number = n
	}
	return spans(some)
}
