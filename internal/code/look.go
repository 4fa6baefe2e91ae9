package code

import (
	"context"
	"fmt"
	"os"

	"github.com/stemma-memory/stemma/memory"
)

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

// settle ends a ref that cannot be told anything about.
func (v *verdict) settle(format string, args ...any) {
	v.f = Finding{State: Unknown, Path: v.e.Path, Reason: fmt.Sprintf(format, args...)}
	v.fixed = true
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
