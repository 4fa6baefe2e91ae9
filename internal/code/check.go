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

// look is one check under way.
type look struct {
	t       *Tree
	head    string
	objects *objects
	work    *os.Root
	files   map[string]*file // by the id of the blob
	held    int              // bytes of their texts
	read    int              // bytes of files that git gave
	newest  map[string]*commit
	index   *index
	budget  int  // bytes that may still be hashed in search of lines that moved
	silent  bool // git did not explain all it was asked to
	learned bool // the cache is not as its file
	descent map[string]bool
	twins   map[string][]string
}

// verdict is what is known of one ref.
type verdict struct {
	e       memory.Evidence
	f       Finding // by HEAD, or without commits by the files
	blob    string  // id of the blob that was judged
	gone    bool    // HEAD has no file at e.Path
	same    bool    // HEAD has the very file that was there at e.Commit
	foreign bool    // the ref is another repository's, and its bytes are not here
	fixed   bool    // nothing is to be explained, kept or looked at again
	by      *commit // that made the span what it is at HEAD, if that was found
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

// elsewhere reports whether a commit is none of this repository, whose whole
// history is here.
func (l *look) elsewhere(ctx context.Context, commit string) bool {
	if l.head == "" || l.holds(ctx, commit) {
		return false
	}
	cut, err := ask(ctx, l.t.root, "", "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(cut) == "false"
}

// settle ends a ref that cannot be told anything about.
func (v *verdict) settle(format string, args ...any) {
	v.f = Finding{State: Unknown, Path: v.e.Path, Reason: fmt.Sprintf(format, args...)}
	v.fixed = true
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
		if v.f.State == Stale && v.e.Repo == "" && v.e.Commit != "" && l.elsewhere(ctx, v.e.Commit) {
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

// judge judges a ref by a blob, which stands at a path of HEAD.
func (l *look) judge(ctx context.Context, v *verdict, path, id string) error {
	f, err := l.blob(ctx, path, id)
	if err != nil {
		return l.unreadable(ctx, v, err)
	}
	v.blob = id
	v.f = l.compare(ctx, v.e, f)
	if v.f.State == Unknown {
		v.fixed = true
		return nil
	}
	if v.e.Dirty && v.f.State != Verified && commitForm.Get().MatchString(v.e.Commit) {
		was, err := l.objects.find(ctx, v.e.Commit, v.e.Path)
		v.same = err == nil && was.id == id
	}
	return ctx.Err()
}

// unreadable settles a ref whose file git did not give; only the end of the
// context is an error.
func (l *look) unreadable(ctx context.Context, v *verdict, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	v.settle("%s cannot be read: %s", shown(v.e.Path, maxWord), why(err))
	return nil
}

// blob reads a file of HEAD once for all refs to it.
func (l *look) blob(ctx context.Context, path, id string) (*file, error) {
	key := id + path // the path tells the language
	if f, ok := l.files[key]; ok {
		return f, nil
	}
	_, raw, err := l.objects.get(ctx, id, "blob", maxFile)
	if err != nil {
		return nil, err
	}
	l.read += len(raw)
	if l.held += len(raw); l.held > maxHeld {
		clear(l.files)
		l.held = len(raw)
	}
	f := newFile(path, raw)
	l.files[key] = f
	return f, nil
}

// disown marks what is of another repository: where the bytes are the pinned
// ones it does not matter, and where not nothing follows from it.
func (l *look) disown(ctx context.Context, all []*verdict) error {
	for _, v := range all {
		if v.fixed || v.e.Repo == "" || v.f.State == Verified {
			continue
		}
		repo, err := l.t.Repo(ctx)
		if err != nil {
			return err
		}
		v.foreign = repo != v.e.Repo && !l.holds(ctx, v.e.Commit)
	}
	return nil
}

// holds reports whether a commit is one of this repository, whatever the
// repository is called now.
func (l *look) holds(ctx context.Context, commit string) bool {
	if l.head == "" || !commitForm.Get().MatchString(commit) {
		return false
	}
	_, _, err := l.objects.get(ctx, commit, "commit", maxFolder)
	return err == nil
}
