package code

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// Options say how to check. The zero value judges by HEAD and remembers nothing.
type Options struct {
	Uncommitted bool   // judge by the working tree where it has other bytes than HEAD
	Cache       *Cache // what was found before; nil for none
}

const (
	maxHeld   = 32 << 20  // bytes of files kept in memory
	maxSearch = 128 << 20 // bytes hashed in search of lines that moved
)

// Check says how each ref stands, in the order of refs. It judges by what is
// committed at HEAD; by the files where there is no git or no commit, and for a
// ref that was pinned from uncommitted work also by those. Only a span whose
// bytes were read and have the pinned hash is verified.
func (t *Tree) Check(ctx context.Context, refs []memory.Evidence, o Options) ([]Finding, error) {
	head, err := t.head(ctx)
	if err != nil {
		return nil, fmt.Errorf("check code refs: %w", err)
	}
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return nil, fmt.Errorf("check code refs: %w", err)
	}
	defer root.Close()
	l := &look{t: t, head: head, objects: &objects{dir: t.root}, work: root, budget: maxSearch,
		files: make(map[string]*file), newest: make(map[string]*commit)}
	defer l.objects.close()

	all := make([]*verdict, len(refs))
	for i, e := range refs {
		all[i] = &verdict{e: e, f: Finding{State: Unknown, Path: e.Path}}
		if wrong := unfit(e); wrong != "" {
			all[i].settle("%s: %s", shown(Text(e), maxWord), wrong)
		} else if e.SHA256 == "" {
			all[i].settle("%s was never pinned", shown(Text(e), maxWord))
		}
	}
	byPath := slices.Clone(all)
	slices.SortStableFunc(byPath, func(a, b *verdict) int { return cmp.Compare(a.e.Path, b.e.Path) })
	if head != "" {
		err = l.byHead(ctx, byPath, o.Cache)
	}
	if err == nil {
		err = l.byFiles(ctx, byPath, o.Uncommitted)
	}
	if err != nil {
		return nil, fmt.Errorf("check code refs: %w", err)
	}
	findings := make([]Finding, len(all))
	for i, v := range all {
		findings[i] = v.f
	}
	return findings, nil
}

// foreignCommit reports whether a commit is missing from this repository although its
// whole history is here.
func (l *look) foreignCommit(ctx context.Context, commit string) bool {
	if l.head == "" || l.holds(ctx, commit) {
		return false
	}
	cut, err := ask(ctx, l.t.root, "", "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(cut) == "false"
}

// byHead judges refs by what is committed.
func (l *look) byHead(ctx context.Context, all []*verdict, cache *Cache) error {
	var open, fresh []*verdict
	for _, v := range all {
		if v.fixed || l.recall(ctx, cache, v) {
			continue
		}
		if err := l.atHead(ctx, v); err != nil {
			return err
		}
		if v.fixed {
			continue
		}
		fresh = append(fresh, v)
		if v.gone || v.f.State != Verified {
			open = append(open, v)
		}
	}
	if err := l.disown(ctx, all); err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(v *verdict) bool { return v.foreign })
	if err := l.follow(ctx, open); err != nil {
		return err
	}
	if err := l.explain(ctx, open); err != nil {
		return err
	}
	for _, v := range open {
		if v.f.State == Stale && v.e.Repo == "" && v.e.Commit != "" && l.foreignCommit(ctx, v.e.Commit) {
			v.settle(
				"%s is not here, nor is the commit it was seen at: it may be of another repository",
				shown(Text(v.e), maxWord),
			)
		}
	}
	if cache != nil {
		cache.keep(l, fresh)
	}
	return ctx.Err()
}

// atHead judges one ref by the file at its path in HEAD.
func (l *look) atHead(ctx context.Context, v *verdict) error {
	there, err := l.objects.find(ctx, l.head, v.e.Path)
	if err != nil {
		return l.unreadable(ctx, v, err)
	}
	switch there.kind {
	case absent:
		v.gone, v.f.State = true, Stale
		return nil
	case regular:
		return l.judge(ctx, v, v.e.Path, there.id)
	case link:
		v.settle("%s is a symbolic link", shown(there.at, maxWord))
	case submodule:
		v.settle("%s is a submodule, whose files are not looked at", shown(there.at, maxWord))
	case folder:
		v.settle("%s is a directory now", shown(v.e.Path, maxWord))
	}
	return nil
}
