package outside

import (
	"path/filepath"
	"slices"
	"strings"
)

// revisions judges what git prints of revisions: of a clone, of the branch that is checked out, or of those named.
func (l *look) revisions(c *command, r *row, rest []string) string {
	if !l.Files {
		return ""
	}
	dir := c.dir
	if in := valueOf(c.args[:len(c.args)-len(rest)], "-C"); in != "" && !strings.Contains(in, unknown) {
		dir = l.full(dir, in)
	}
	repo := l.repository(filepath.Join(l.full(dir, "."), "x"))
	if slices.Contains(rest, "--no-index") {
		return l.files(dir, positional(rest, "")...)
	}
	if repo == nil {
		return ""
	}
	s := l.standingOf(repo)
	if s.Clone != "" {
		return s.source()
	}
	var named []string
	for _, a := range rest {
		if a == "--" {
			break
		}
		if a == "--all" || a == "--remotes" || a == "--branches" {
			named = append(named, a)
		}
		if strings.HasPrefix(a, "-") || strings.Contains(a, unknown) || strings.ContainsAny(a, " *") {
			continue
		}
		for _, one := range strings.Split(strings.ReplaceAll(a, "...", ".."), "..") {
			one, _, _ = strings.Cut(strings.TrimLeft(one, "^"), ":")
			if base := strings.TrimRight(strings.SplitN(one, "~", 2)[0], "^"); base == "" || base == "HEAD" || base == "@" {
				continue
			}
			if !exists(filepath.Join(dir, one)) || refExists(repo, one) {
				named = append(named, one)
			}
		}
	}
	if len(named) == 0 {
		if s.Of != "" {
			return s.source()
		}
		return ""
	}
	mine, ok := repo.addresses(l.Known)
	if !ok || len(mine) == 0 {
		return ""
	}
	for _, one := range named[:min(len(named), 3)] {
		if repo.ofOthers(mine, one) {
			if strings.HasPrefix(one, "-") {
				return "branches of others"
			}
			return "branch " + one + " of others"
		}
	}
	return ""
}

func refExists(r *repository, name string) bool {
	for _, under := range []string{"refs/heads", "refs/remotes", "refs/tags", "."} {
		if exists(filepath.Join(r.Common, filepath.FromSlash(under), filepath.FromSlash(name))) {
			return true
		}
	}
	return false
}
