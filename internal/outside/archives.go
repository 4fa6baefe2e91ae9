package outside

import (
	"path/filepath"
	"slices"
	"strings"
)

// builds notes the programs that a compiler makes of the project's sources: they are the project's.
func (l *look) builds(c *command) {
	if !l.Files || !slices.Contains([]string{"go", "gcc", "cc", "clang", "g++", "clang++", "rustc", "tsc", "ld", "zig"},
		c.program()) {
		return
	}
	if to := valueOf(c.args, "-o"); to != "" && !strings.Contains(to, unknown) {
		l.note(l.full(c.dir, to), note{Did: wrote})
	}
}

// unpacks notes what comes out of an archive that came from elsewhere, and judges what is printed of it.
func (l *look) unpacks(c *command) string {
	from := l.fedFrom(c)
	for _, a := range positional(c.args[1:], "-C -d --directory") {
		if from == "" && l.Files && !strings.Contains(a, unknown) && archive(a) && exists(l.full(c.dir, a)) {
			from = l.files(c.dir, a)
		}
	}
	if from == "" {
		return ""
	}
	into := valueOf(c.args, "-C", "-d", "--directory")
	if into == "" {
		into = "."
	}
	if prints := slices.ContainsFunc(c.args[1:], func(a string) bool {
		return a == "-p" || a == "-c" || a == "--to-stdout" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") &&
			strings.Contains(a, "O")
	}); prints {
		return from
	}
	if l.Files && !strings.Contains(into, unknown) {
		l.note(l.full(c.dir, into), note{Did: brought, From: from})
	}
	return ""
}

var archiveEnds = []string{
	".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z", ".jar", ".whl", ".deb",
}

// archive reports whether a name is one of an archive.
func archive(name string) bool {
	return slices.ContainsFunc(archiveEnds, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// copies notes that a file which came from elsewhere lies in a second place.
func (l *look) copies(c *command) {
	args := positional(c.args[1:], "-t -m -o -g")
	if !l.Files || len(args) < 2 {
		return
	}
	to := args[len(args)-1]
	for _, a := range args[:len(args)-1] {
		if strings.Contains(a+to, unknown) {
			continue
		}
		was := l.noted(l.full(c.dir, a))
		target := l.full(c.dir, to)
		if isDir(target) {
			target = filepath.Join(target, filepath.Base(a))
		}
		switch {
		case was.own:
			l.note(target, note{Did: wrote})
		case was.from != "":
			l.note(target, note{Did: brought, From: was.from})
		}
	}
}
