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

// historyOf asks git for the root commits. The main checkout is asked, so that all worktrees get one answer. The
// first is where the line of HEAD begins: a history that was merged in makes no other project of it.
func historyOf(ctx context.Context, r git.Repository) (h history) {
	cut := boundary(r)
	var line []string
	for _, of := range []string{"HEAD", "--branches", "--remotes=origin"} {
		var ok bool
		if line, ok = rootsOf(ctx, r, "--first-parent", of); !ok {
			return history{cut: len(cut) > 0}
		}
		if len(line) > 0 {
			break
		}
	}
	h.answered = true
	if len(line) == 0 {
		return h
	}
	if slices.ContainsFunc(line, func(root string) bool { return cut[root] }) {
		h.cut = true
		return h
	}
	h.first = line[len(line)-1] // the newest come first
	h.roots = []string{h.first}
	all, _ := rootsOf(ctx, r, "HEAD", "--branches", "--remotes=origin") // of a long history git may not say it in time
	for _, root := range all[max(0, len(all)-mostRoots):] {
		if !cut[root] && root != h.first {
			h.roots = append(h.roots, root)
		}
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
	cmd, _ := git.Command(ctx, r.Main(), args...)
	cmd.WaitDelay = goodbye
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	return strings.Fields(string(out)), true
}
