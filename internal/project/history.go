package project

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
)

const (
	mostRoots = 64                     // root commits that are kept of one repository
	goodbye   = 100 * time.Millisecond // how long git may take to end once it is to
)

// A history is what is known of a repository's root commits.
type history struct {
	first    string
	roots    []string
	cut      bool // a shallow clone: its root is not here
	answered bool
}

// historyOf asks git for the root commits. The main checkout is asked, so that all worktrees get one answer.
func historyOf(ctx context.Context, r git.Repository) history {
	const all = "--branches --remotes=origin HEAD"
	roots, ok := rootsOf(ctx, r, strings.Fields(all)...)
	if !ok {
		return history{cut: len(boundary(r)) > 0}
	}
	h := history{answered: true}
	line := roots
	for _, of := range []string{"HEAD", "--branches"} {
		if len(roots) < 2 {
			break
		}
		if line, ok = rootsOf(ctx, r, of); !ok {
			return history{}
		}
		if len(line) > 0 {
			break
		}
		line = roots
	}
	cut := boundary(r)
	if slices.ContainsFunc(line, func(root string) bool { return cut[root] }) {
		h.cut = true
		return h
	}
	for _, root := range roots {
		if !cut[root] {
			h.roots = append(h.roots, root)
		}
	}
	h.roots = h.roots[max(0, len(h.roots)-mostRoots):]
	if len(line) > 0 {
		h.first = line[len(line)-1] // the newest come first
	}
	return h
}

// rootsOf returns the commits without parents of some branches, the oldest last. Branches that are not there have none.
func rootsOf(ctx context.Context, r git.Repository, of ...string) ([]string, bool) {
	args := append([]string{"rev-list", "--max-parents=0", "--ignore-missing"}, of...)
	return ask(ctx, r, append(args, "--")...)
}

// boundary is where a history was cut off, by a shallow clone or by hand: no commit there is a root.
func boundary(r git.Repository) map[string]bool {
	cut := map[string]bool{}
	for _, name := range []string{"shallow", "info/grafts"} {
		for line := range strings.Lines(git.Beginning(filepath.Join(r.Common, filepath.FromSlash(name)))) {
			if fields := strings.Fields(line); len(fields) == 1 {
				cut[fields[0]] = true
			}
		}
	}
	return cut
}

// expanded is a remote as git reads its address, which settings may abbreviate.
func expanded(ctx context.Context, r git.Repository, remote string) string {
	lines, ok := ask(ctx, r, "remote", "get-url", "origin")
	if !ok || len(lines) == 0 {
		return remote
	}
	if full, _ := parse(lines[0], r.Main()); full != "" {
		return full
	}
	return remote
}

// ask runs git in the main checkout; ok is false where it did not answer.
func ask(ctx context.Context, r git.Repository, args ...string) (lines []string, ok bool) {
	dir := r.Main()
	if !exists(filepath.Join(dir, ".git")) {
		dir = r.Common
	}
	cmd, _ := git.Command(ctx, dir, args...)
	cmd.WaitDelay = goodbye
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	return strings.Fields(string(out)), true
}
