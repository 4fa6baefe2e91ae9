package code

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

const (
	maxMoves = 8  // how often one file is followed from name to name
	maxTwins = 16 // files of the same name that are compared with one that is gone
)

// follow looks where the files went that HEAD does not have at their paths, and
// judges the refs by what is there.
func (l *look) follow(ctx context.Context, open []*verdict) error {
	var lost []*verdict
	for _, v := range open {
		if v.gone {
			lost = append(lost, v)
		}
	}
	for range maxMoves {
		if len(lost) == 0 {
			return nil
		}
		if err := l.touched(ctx, pathsOf(lost)); err != nil {
			return l.unexplained(ctx)
		}
		took := make(map[string]*commit)
		for _, v := range lost {
			if c := l.newest[v.f.Path]; c != nil {
				took[c.id] = c
			}
		}
		var to map[string]map[string]string
		if len(took) > 0 {
			var err error
			if to, err = l.renames(ctx, slices.Collect(maps.Values(took))); err != nil {
				return l.unexplained(ctx)
			}
		}
		var next []*verdict
		for _, v := range lost {
			moved := ""
			if c := l.newest[v.f.Path]; c != nil {
				moved = to[c.id][v.f.Path]
			}
			further, err := l.moved(ctx, v, moved)
			if err != nil {
				return err
			}
			if further {
				next = append(next, v)
			}
		}
		lost = next
	}
	return nil
}

// moved judges a ref by the file at the path it was moved to. It reports whether
// that one is gone too.
func (l *look) moved(ctx context.Context, v *verdict, to string) (bool, error) {
	if to == "" {
		return false, l.twin(ctx, v)
	}
	there, err := l.objects.find(ctx, l.head, to)
	switch {
	case err != nil:
		return false, l.unreadable(ctx, v, err)
	case there.kind == regular:
		return false, l.judge(ctx, v, to, there.id)
	case there.kind != absent:
		v.settle("%s went to %s, which is no file", shown(v.e.Path, maxWord), shown(to, maxWord))
		return false, nil
	}
	v.f.Path = to
	return true, nil
}

// twin looks for a whole file that is gone under the same name in another folder,
// which is how far one can see when the commit that moved it is not there.
func (l *look) twin(ctx context.Context, v *verdict) error {
	if !whole(v.e) || v.e.SHA256 == sum(nil) {
		return nil
	}
	twins, err := l.namesakes(ctx)
	if err != nil {
		return l.unexplained(ctx)
	}
	for _, p := range twins[path.Base(v.e.Path)] {
		there, err := l.objects.find(ctx, l.head, p)
		if err != nil || there.kind != regular {
			continue
		}
		f, err := l.blob(ctx, p, there.id)
		if err == nil && sum(f.text) == v.e.SHA256 {
			return l.judge(ctx, v, p, there.id)
		}
	}
	return ctx.Err()
}

// namesakes lists HEAD's files by their last names, as many as are looked at.
func (l *look) namesakes(ctx context.Context) (map[string][]string, error) {
	if l.twins != nil {
		return l.twins, nil
	}
	out, err := ask(ctx, l.t.root, "", "ls-tree", "-r", "-z", "--name-only", "--full-tree", l.head)
	if err != nil {
		return nil, err
	}
	l.twins = make(map[string][]string)
	for p := range strings.SplitSeq(out, "\x00") {
		if base := path.Base(p); len(l.twins[base]) < maxTwins {
			l.twins[base] = append(l.twins[base], p)
		}
	}
	return l.twins, nil
}

// unexplained goes on without the reasons that git did not give. Only the end of
// the context is an error.
func (l *look) unexplained(ctx context.Context) error {
	l.silent = true
	return ctx.Err()
}

func pathsOf(list []*verdict) []string {
	var paths []string
	for _, v := range list {
		paths = append(paths, v.f.Path)
	}
	return paths
}

// explain returns the reasons of what is not as it was, with the commit that changed the
// span or deleted the file; where that one is not found, with the newest that touched the
// file, and says so.
func (l *look) explain(ctx context.Context, open []*verdict) error {
	var changed, there []*verdict
	for _, v := range open {
		switch {
		case v.fixed:
		case v.f.State == Verified && v.f.Path != v.e.Path:
			v.f.Reason = fmt.Sprintf("%s is %s now", shown(v.e.Path, maxWord), shown(v.f.Path, maxWord))
		case v.f.State != Verified:
			if changed = append(changed, v); v.blob != "" {
				there = append(there, v)
			}
		}
	}
	if err := l.changers(ctx, there); err != nil {
		return err
	}
	lost := slices.DeleteFunc(slices.Clone(changed), func(v *verdict) bool { return v.by != nil })
	if err := l.touched(ctx, pathsOf(lost)); err != nil {
		if err := l.unexplained(ctx); err != nil {
			return err
		}
	}
	for _, v := range changed {
		by := v.by
		if v.e.Dirty && by != nil {
			// no commit since changed it: the work that was pinned never came in
			if v.same = l.within(ctx, by.id, v.e.Commit); v.same {
				by = nil
			}
		}
		if v.blob == "" {
			by = l.newest[v.f.Path]
		}
		if by != nil {
			v.f.Commit, v.f.By = by.id, by.by
		}
		v.f.Reason = reason(v, by, l.newest[v.f.Path])
	}
	return nil
}

// within reports whether a commit is another one, or before it.
func (l *look) within(ctx context.Context, id, of string) bool {
	if !commitForm.Get().MatchString(of) {
		return false
	}
	_, err := ask(ctx, l.t.root, "", "merge-base", "--is-ancestor", "--end-of-options", id, of)
	return err == nil
}

// reason says what became of a ref that does not hold; by is the commit that did it and
// touched the newest that touched the file, or nil.
func reason(v *verdict, by, touched *commit) string {
	see, in := "", ""
	switch {
	case by != nil:
		see, in = ", see "+by.String(), " in "+by.String()
	case touched != nil:
		see = "; the file changed in " + touched.String()
	}
	what, now := shown(Text(v.e), maxWord), shown(v.f.Path, maxWord)
	is := ""
	if v.f.Path != v.e.Path {
		is = ", now " + now + ","
	}
	switch {
	case v.f.State == Stale && v.blob == "" && by != nil && is != "":
		return shown(v.e.Path, maxWord) + is + " was deleted" + in
	case v.f.State == Stale && v.blob == "" && by != nil:
		return now + " was deleted" + in
	case v.f.State == Stale && v.blob == "":
		return "there is no file " + now
	case v.f.State == Stale:
		return now + " no longer has the symbol " + shown(v.e.Symbol, maxWord) + see
	case v.same:
		return what + is + " was pinned from uncommitted work that was not kept"
	}
	return what + is + " changed" + see
}
