package code

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// index is what git's index knows that the working tree does not show.
type index struct {
	moved  map[string]string // paths of HEAD to what they were renamed to, not committed
	hidden map[string]bool   // files that are not checked out, on purpose
}

// byFiles lets the working tree decide: on everything where there is no commit;
// else on what was asked for, and on refs pinned from uncommitted work that HEAD
// does not have.
func (l *look) byFiles(ctx context.Context, all []*verdict, uncommitted bool) error {
	cache := make(map[string]worked)
	for _, v := range all {
		switch {
		case l.head == "" && !v.fixed:
			v.f = l.inFiles(ctx, v, cache)
		case v.e.SHA256 == "" || unfit(v.e) != "":
		case uncommitted || v.e.Dirty && v.f.State != Verified:
			v.f = l.decide(v, l.inFiles(ctx, v, cache))
		}
	}
	if l.head == "" {
		if err := l.disown(ctx, all); err != nil {
			return err
		}
	}
	for _, v := range all {
		if v.foreign && v.f.State != Verified {
			v.settle("%s is of another repository (%s)", shown(Text(v.e), maxWord), shown(v.e.Repo, maxWord))
		}
	}
	return ctx.Err()
}

// decide chooses between what HEAD says and what the files say: they say more
// only where they are not what HEAD has.
func (l *look) decide(v *verdict, w Finding) Finding {
	h := v.f
	same := h.State == w.State && h.Path == w.Path && h.SHA256 == w.SHA256
	if same || w.State == Unknown && w.Reason == "" {
		return h
	}
	return w
}

// worked is a file of the working tree, or why there is none.
type worked struct {
	f   *file
	err error
}

// inFiles judges a ref by the working tree.
func (l *look) inFiles(ctx context.Context, v *verdict, cache map[string]worked) Finding {
	read := func(path string) worked {
		w, ok := cache[path]
		if !ok {
			clear(cache) // refs come in the order of their paths
			w.f, w.err = readWork(l.work, path)
			cache[path] = w
		}
		return w
	}
	none := Finding{State: Stale, Path: v.e.Path, Uncommitted: l.head != ""}
	what := shown(Text(v.e), maxWord)
	w := read(v.e.Path)
	if errors.Is(w.err, fs.ErrNotExist) && l.head != "" {
		x := l.readIndex(ctx)
		to := v.f.Path
		if staged, ok := x.moved[to]; ok {
			to = staged
		}
		if x.hidden[to] {
			return Finding{State: Unknown} // as HEAD has it
		}
		if to != v.e.Path {
			none.Path, w = to, read(to)
		}
	}
	switch {
	case errors.Is(w.err, fs.ErrNotExist) && l.head == "":
		none.Reason = "there is no file " + shown(none.Path, maxWord)
		return none
	case errors.Is(w.err, fs.ErrNotExist):
		none.Reason = shown(none.Path, maxWord) + " is deleted, which is not committed"
		return none
	case w.err != nil:
		none.State, none.Reason = Unknown, shown(none.Path, maxWord)+" cannot be read: "+why(w.err)
		return none
	}
	found := l.compare(ctx, v.e, w.f)
	found.Uncommitted = l.head != ""
	now := shown(found.Path, maxWord)
	switch {
	case found.State == Unknown:
	case found.State == Verified && found.Path != v.e.Path:
		found.Reason = shown(v.e.Path, maxWord) + " is " + now + " now"
	case found.State == Verified:
	case found.State == Stale && l.head == "":
		found.Reason = now + " no longer has the symbol " + shown(v.e.Symbol, maxWord)
	case found.State == Stale:
		found.Reason = now + " no longer has the symbol " + shown(v.e.Symbol, maxWord) +
			", which is not committed"
	case l.head == "":
		found.Reason = what + " changed"
	default:
		found.Reason = what + " has uncommitted changes"
	}
	return found
}

// readIndex asks git what is staged and what is left out, once, and only when a
// file is missing. Without an answer nothing is known of either.
func (l *look) readIndex(ctx context.Context) *index {
	if l.index != nil {
		return l.index
	}
	l.index = &index{moved: make(map[string]string), hidden: make(map[string]bool)}
	if out, err := ask(ctx, l.t.root, "", "diff-index", "--cached", "-M", renameLimit, "-z", "--name-status",
		"--diff-filter=R", "--no-ext-diff", "--no-textconv", "--end-of-options", l.head); err == nil {
		fields := strings.Split(out, "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			l.index.moved[fields[i+1]] = fields[i+2]
		}
	}
	if out, err := ask(ctx, l.t.root, "", "ls-files", "-z", "-t"); err == nil {
		for line := range strings.SplitSeq(out, "\x00") {
			if p, ok := strings.CutPrefix(line, "S "); ok {
				l.index.hidden[p] = true
			}
		}
	}
	return l.index
}
