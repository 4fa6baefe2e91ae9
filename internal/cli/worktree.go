package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// mainCheckout returns the main checkout of the repository that dir is a linked worktree of. Both
// sides must name each other: a .git file alone, which an archive can contain, proves nothing.
func mainCheckout(dir string) (string, bool) {
	file := filepath.Join(dir, ".git")
	at, ok := strings.CutPrefix(plainLine(file), "gitdir:")
	if !ok {
		return "", false
	}
	own := pathFrom(dir, strings.TrimSpace(at))
	back := plainLine(filepath.Join(own, "gitdir"))
	common := plainLine(filepath.Join(own, "commondir"))
	if back == "" || common == "" || !sameFile(pathFrom(own, back), file) {
		return "", false
	}
	git := pathFrom(own, common)
	if filepath.Base(git) != ".git" || !sameFile(filepath.Dir(filepath.Dir(own)), git) {
		return "", false // a bare repository has no checkout
	}
	return filepath.Dir(git), true
}

// pathFrom is a path as it is seen from a directory.
func pathFrom(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// mostOfPath is the length of a file that names a path, in bytes.
const mostOfPath = 8 << 10

// plainLine returns what a small plain file says, "" for any other.
func plainLine(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostOfPath))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// worktreeLine says where the memory of a linked worktree is, "" anywhere else.
func (a *app) worktreeLine() string {
	dir, ok := a.nearestProject()
	if !ok || a.worktree == "" || a.flags.user || a.storeNamed() {
		return ""
	}
	return "this git worktree uses the memory of its main checkout, " + clean(filepath.Dir(dir))
}
