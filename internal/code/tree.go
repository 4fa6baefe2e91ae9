package code

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// Tree is a directory of code: a git work tree, or any directory. It may be used
// by several goroutines at once.
type Tree struct {
	root  string
	plain string // why git is not used, "" if it is

	mu     sync.Mutex
	origin *string // which repository, once known
}

// Open finds the root of the repository that dir is in. Without git, or outside
// a repository, the root is the directory named otherwise, or dir if that is "",
// and refs are judged by the files alone.
func Open(ctx context.Context, dir, otherwise string) (*Tree, error) {
	dir, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	top, err := ask(ctx, dir, "", "rev-parse", "--show-toplevel")
	var refused *gitError
	switch {
	case err == nil:
		top = filepath.FromSlash(strings.TrimSuffix(top, "\n"))
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil && inside(top, dir) {
			return &Tree{root: top}, nil
		}
		// Its settings may call any directory the work tree, "/" too.
		err = fmt.Errorf("the repository's work tree is reported as %s", shown(top, maxWord))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		err = errors.New("git is not installed")
	case !errors.As(err, &refused):
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	t := &Tree{plain: err.Error()}
	if refused == nil || !strings.HasPrefix(refused.words, "not a git repository") {
		t.root = repositoryAbove(dir) // there may be one that git is missing for, or will not read
	}
	switch {
	case t.root != "":
	case otherwise != "":
		if t.root, err = realDir(otherwise); err != nil {
			return nil, err
		}
	default:
		t.root = dir
	}
	return t, nil
}

// Root is the directory to which the paths of refs are relative.
func (t *Tree) Root() string { return t.root }

// Plain says why refs are judged by the files alone, and is "" where git is used.
func (t *Tree) Plain() string { return t.plain }

func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("open %s: %w", dir, err)
	}
	return abs, nil
}

func repositoryAbove(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// head is the commit that HEAD stands at, "" if there is no git or no commit.
func (t *Tree) head(ctx context.Context) (string, error) {
	if t.plain != "" {
		return "", nil
	}
	out, err := ask(ctx, t.root, "", "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
	var none *gitError
	if errors.As(err, &none) && none.code == 1 {
		return "", nil // no commit yet
	}
	return strings.TrimSpace(out), err
}

// Repo names the repository by its remote called origin, without what differs
// between those who use it: "github.com/a/b". It is "" without such a remote, and
// for one that is a path on this machine.
func (t *Tree) Repo(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.plain != "" {
		return "", nil
	}
	if t.origin == nil {
		out, err := ask(ctx, t.root, "", "config", "--get", "remote.origin.url")
		var none *gitError
		if err != nil && (!errors.As(err, &none) || none.code != 1) {
			return "", err
		}
		name := repoName(strings.TrimSpace(out))
		t.origin = &name
	}
	return *t.origin, nil
}

// scpForm is user@host:path, which git takes for ssh.
var scpForm = lazy.Regexp(`^(?:[^@/:]+@)?([A-Za-z0-9][A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([^:]+)$`)

func repoName(remote string) string {
	var host, path string
	if u, err := url.Parse(remote); err == nil && u.Host != "" && u.Scheme != "file" {
		host, path = u.Hostname(), u.Path
	} else if m := scpForm.Get().FindStringSubmatch(remote); m != nil && !strings.Contains(remote, "://") {
		host, path = strings.Trim(m[1], "[]"), m[2]
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" || shown(path, len(path)) != path {
		return ""
	}
	return strings.ToLower(host) + "/" + path
}
