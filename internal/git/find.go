package git

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Repository is one on this machine, as its files describe it. No program is run to find it.
type Repository struct {
	Dir    string // of its files; a bare one has none, and this is the repository itself
	GitDir string // of this checkout
	Common string // of what its worktrees share
}

// Bare reports whether a repository has no files of its own checked out.
func (r Repository) Bare() bool { return r.Dir == r.Common }

// Find returns the repository that a path lies in. It reads files only, and no variable of the environment.
// A .git that is no repository is passed over.
func Find(path string) (Repository, bool) {
	for dir := Real(path); ; dir = filepath.Dir(dir) {
		if r, ok := at(dir); ok {
			return r, true
		}
		if dir == filepath.Dir(dir) {
			return Repository{}, false
		}
	}
}

// at returns the repository of one directory.
func at(dir string) (Repository, bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	switch {
	case err != nil:
		// inside a .git, the directory above it has the answer
		return Repository{Dir: dir, GitDir: dir, Common: dir}, filepath.Base(dir) != ".git" && holds(dir)
	case info.IsDir():
		if link, err := os.Lstat(dot); err == nil && !link.IsDir() {
			dot = Real(dot)
		}
		r := Repository{Dir: dir, GitDir: dot, Common: dot}
		if shared := line(filepath.Join(dot, "commondir")); shared != "" {
			r.Common = in(dot, shared)
		}
		return r, holds(r.Common)
	}
	named, ok := strings.CutPrefix(line(dot), "gitdir:")
	if !ok {
		return Repository{}, false
	}
	r := Repository{Dir: dir, GitDir: in(dir, strings.TrimSpace(named))}
	r.Common = r.GitDir
	if shared := line(filepath.Join(r.GitDir, "commondir")); shared != "" {
		r.Common = in(r.GitDir, shared)
	} else if above := filepath.Dir(r.GitDir); filepath.Base(above) == "worktrees" && !exists(r.GitDir) {
		r.Common = filepath.Dir(above) // git forgot this worktree, but its repository is there
	}
	return r, holds(r.Common)
}

// holds reports whether a directory is a repository's own, with what its worktrees share.
func holds(dir string) bool {
	return isDir(filepath.Join(dir, "objects")) && isDir(filepath.Join(dir, "refs")) &&
		line(filepath.Join(dir, "HEAD")) != ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// in is a path as a file in a directory names it, with its links followed.
func in(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return Real(path)
}

// longest is more than systems take for a path, in bytes: a stranger's file may name any.
const longest = 8 << 10

// Real is a path in full, with its links followed as far as it exists.
func Real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil || len(path) > longest {
		return path
	}
	for here, rest := path, ""; ; here, rest = filepath.Dir(here), filepath.Join(filepath.Base(here), rest) {
		if real, err := filepath.EvalSymlinks(here); err == nil {
			return filepath.Join(real, rest)
		}
		if here == filepath.Dir(here) {
			return path
		}
	}
}

// small is how much of a file is read at most, in bytes.
const small = 256 << 10

// Beginning is the first part of a small file, "" where there is none.
func Beginning(file string) string {
	// a pipe would hold the reader up
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, small))
	return string(text)
}

// line is the text of a file of one line.
func line(file string) string { return strings.TrimSpace(Beginning(file)) }
