package outside

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// vendorDirs are directories of what others wrote, wherever they are in a repository.
var vendorDirs = []string{
	"node_modules", "bower_components", "third_party", "third-party", "thirdparty", "site-packages", "dist-packages",
	".venv", "venv", "virtualenv", "__pypackages__", ".tox", ".nox", ".eggs", ".yarn", ".pnpm-store", ".bundle",
	".gradle", ".m2", ".cargo", ".nuget", "Pods", "Carthage", "elm-stuff", "jspm_packages", ".terraform",
}

// vendorBeside are such directories at the root of a repository, or beside a file that says so: elsewhere a project may
// have its own things under these names.
var vendorBeside = map[string][]string{
	"vendor": {
		"go.mod", "composer.json", "Gemfile", "package.json", "Cargo.toml", "pyproject.toml", "requirements.txt",
	},
	"deps": {"mix.exs"},
}

// vendored reports whether a path below a root lies in a directory of others' code.
func vendored(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i, part := range parts {
		if slices.Contains(vendorDirs, part) {
			return true
		}
		above := filepath.Join(append([]string{root}, parts[:i]...)...)
		beside := slices.ContainsFunc(vendorBeside[part], func(m string) bool { return exists(filepath.Join(above, m)) })
		if beside || part == "vendor" && i == 0 {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// machine are directories in which the machine itself speaks: they hold no one's files.
var machine = []string{"/dev", "/proc", "/sys"}

// ofMachine reports whether a path is in one of them. Below /dev/shm are files in memory, like any others.
func ofMachine(path string) bool {
	return slices.ContainsFunc(machine, func(m string) bool { return under(m, path) }) && !under("/dev/shm", path)
}

func (l *look) repository(path string) *repository {
	dir := filepath.Dir(path)
	if isDir(path) {
		dir = path
	}
	if r, ok := l.repos[dir]; ok {
		return r
	}
	r := repositoryOf(dir)
	if r != nil {
		r.asked = &l.asked
	}
	if l.repos == nil {
		l.repos = map[string]*repository{}
	}
	l.repos[dir] = r
	return r
}

// standingOf returns whose a repository's files are.
func (l *look) standingOf(r *repository) standing {
	if s, ok := l.standing[r.Dir]; ok {
		return s
	}
	s, ok := l.Seen.standing(r)
	if !ok {
		if s, ok = r.standing(l.Known); ok {
			l.Seen.keep(r, s)
		}
	}
	if l.standing == nil {
		l.standing = map[string]standing{}
	}
	l.standing[r.Dir] = s
	return s
}

// full is a path in full, with its links followed as far as they exist.
func (l *look) full(dir, path string) string {
	path = strings.TrimPrefix(path, "file://")
	switch {
	case path == "~" || strings.HasPrefix(path, "~/"):
		path = filepath.Join(l.Home, strings.TrimPrefix(path, "~"))
	case !filepath.IsAbs(path):
		path = filepath.Join(dir, path)
	}
	return git.Real(path)
}

// noted is what is known to have been done to a file.
type noted struct {
	own     bool   // the agent wrote all of it in this session
	changed bool   // and here a part
	from    string // it was brought from there
	above   string // and so was a directory above it
}

// noted returns what is known to have been done to a file.
func (l *look) noted(path string) noted {
	here, above := l.Seen.of(path)
	if n, ok := l.notes[path]; ok {
		here = &n
	}
	for dir := filepath.Dir(path); above == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if n, ok := l.notes[dir]; ok && n.Did == brought {
			above = &n
		}
	}
	var out noted
	switch mine := here != nil && here.Session == l.call.Session; {
	case here != nil && here.Did == brought:
		out.from = here.From
	case mine && here.Did == wrote:
		return noted{own: true}
	case mine && here.Did == edited:
		out.changed = true
	}
	if above != nil {
		out.above = above.From
	}
	return out
}

// note writes down what is done to a file, here and for later calls.
func (l *look) note(path string, n note) {
	if l.notes == nil {
		l.notes = map[string]note{}
	}
	n.Session = l.call.Session
	if old, ok := l.notes[path]; ok && old == n {
		return
	}
	l.notes[path] = n
	l.Seen.note(path, n)
}

// files judges the words of some files: "" where they are inside, and a name of their source otherwise.
func (l *look) files(dir string, paths ...string) string {
	type asked struct{ full, rel string }
	untold := map[*repository][]asked{}
	var order []*repository
	for _, path := range paths {
		if path == "" || path == "-" || strings.Contains(path, unknown) {
			continue
		}
		full := l.full(dir, path)
		if ofMachine(full) {
			continue
		}
		was := l.noted(full)
		if was.own {
			continue
		}
		if was.from != "" {
			return was.from
		}
		r := l.repository(full)
		if r == nil {
			if was.above != "" {
				return was.above
			}
			if source := l.apart(full); source != "" && !was.changed {
				return source
			}
			continue
		}
		if root := l.vendoredIn(r, full); root != "" {
			return "file " + within(root, full)
		}
		if was.changed || under(r.GitDir, full) {
			continue
		}
		if untold[r] == nil {
			order = append(order, r)
		}
		rel, _ := filepath.Rel(r.Dir, full)
		untold[r] = append(untold[r], asked{full, filepath.ToSlash(rel)})
	}
	for _, r := range order {
		var rels []string
		for _, a := range untold[r] {
			if a.rel != "." {
				rels = append(rels, a.rel)
			}
		}
		if len(rels) > 0 {
			tracked, known := r.tracked(rels)
			for _, rel := range rels {
				if known && !tracked[rel] && !holdsTracked(tracked, rel) {
					return "file " + rel + ", not tracked"
				}
			}
		}
		if source := l.standingOf(r).source(); source != "" {
			return source
		}
	}
	return ""
}

// vendoredIn is the root below which a file lies in a directory of others' code, "" for none. That directory may hold
// a repository of its own.
func (l *look) vendoredIn(r *repository, full string) string {
	if vendored(r.Dir, full) {
		return r.Dir
	}
	here := l.repository(filepath.Join(l.full(l.project(), "."), "x"))
	if here != nil && here.Dir != r.Dir && under(here.Dir, full) && vendored(here.Dir, full) {
		return here.Dir
	}
	return ""
}

// holdsTracked reports whether a directory holds files that git tracks.
func holdsTracked(tracked map[string]bool, dir string) bool {
	for name := range tracked {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// apart judges a file that is in no repository. What lies below a project that has none is the project's.
func (l *look) apart(full string) string {
	root := l.full(l.project(), ".")
	if l.project() != "" && l.repository(filepath.Join(root, "x")) == nil && under(root, full) && !under(root, l.Home) {
		if vendored(root, full) {
			return "file " + within(root, full)
		}
		return ""
	}
	return "file " + l.shown(full)
}

// project is where the agent works, whatever directory its shell is in.
func (l *look) project() string {
	if l.Dir != "" {
		return l.Dir
	}
	return l.call.Dir
}

// under reports whether a path is a directory or lies below it.
func under(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func within(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// shown is a path as a reader knows it.
func (l *look) shown(path string) string {
	if l.Home != "" && under(l.Home, path) {
		return "~/" + within(l.Home, path)
	}
	return path
}
