package blame

import (
	"context"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// uncommitted is what a file of the checkout has that its commit has not. Both are compared here: git would run the
// filters that the repository configures for the file.
type uncommitted struct {
	edits []edit
	at    []int // the number of each line in the commit; 0 is a line that is not committed
}

// uncommittedIn compares the lines of a file with those that a commit has under its path.
func uncommittedIn(ctx context.Context, dir, head, path string, all []string) (*uncommitted, error) {
	var old []string
	text, err := committedFile(ctx, dir, head, path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil { // otherwise all of it is new
		old = squeezedLines(lines(text))
	}
	u := &uncommitted{at: make([]int, len(all))}
	now := squeezedLines(all)
	before, after := strings.Join(append(old, ""), "\n"), strings.Join(append(now, ""), "\n")
	d, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), 0)
	if err != nil {
		return nil, err
	}
	for _, h := range d.Hunks {
		e := edit{from: h.FromLine, to: h.ToLine}
		for _, l := range h.Lines {
			switch text := strings.TrimSuffix(l.Content, "\n"); l.Kind {
			case udiff.Delete:
				e.gone = append(e.gone, text)
			case udiff.Insert:
				e.added = append(e.added, text)
			}
		}
		e.from, e.to = max(e.from-1, 0), max(e.to-1, 0)
		u.edits = append(u.edits, e)
	}
	was, is := 0, 0
	for _, e := range u.edits {
		for ; is < e.to; was, is = was+1, is+1 {
			u.at[is] = was + 1
		}
		was, is = was+len(e.gone), is+len(e.added)
	}
	for ; is < len(now); was, is = was+1, is+1 {
		u.at[is] = was + 1
	}
	return u, nil
}

// within is which lines of the commit some lines of the checkout are, the first and the last; 0 is none.
func (u *uncommitted) within(from, to int) (first, last int) {
	for _, n := range u.at[from-1 : to] {
		if n > 0 {
			if first == 0 {
				first = n
			}
			last = n
		}
	}
	return first, last
}
