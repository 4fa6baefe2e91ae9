package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Repositories that are rare, and still one project or two.
func TestRareRepositories(t *testing.T) {
	for name, do := range map[string]func(d *desk){
		"a history merged in, then a clone": func(d *desk) {
			d.repository("x")
			d.git("a", "fetch", "-q", "../x", "main:x")
			d.git("a", "merge", "-q", "--allow-unrelated-histories", "-m", "join", "x")
			d.same("a", "a")
			d.git("", "clone", "-q", "--bare", "a", "h.git")
			d.git("", "clone", "-q", "file://"+d.at("h.git"), "c")
			d.same("a", "c")
			d.differ("x", "c")
		},
		"a worktree of a submodule": func(d *desk) {
			d.repository("lib")
			d.git("a", "submodule", "add", "-q", "../lib", "l")
			d.git("a/l", "worktree", "add", "-q", "--detach", "../../w")
			d.same("w", "a/l")
			d.differ("w", "a")
		},
		"a file": func(d *desk) { d.write("a/f", "x"); d.same("a", "a/f") },
		"a clone whose source was renamed": func(d *desk) {
			d.git("", "clone", "-q", d.at("a"), "b")
			was := d.space("b")
			d.rename("a", "c")
			d.git("b", "config", "x.y", "1")
			d.stays(was, "b")
			d.stays(was, "c")
		},
		"a shallow clone whose source is gone": func(d *desk) {
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
			was := d.space("b")
			d.remove("a")
			d.git("b", "config", "x.y", "1")
			d.stays(was, "b")
			d.rename("b", "c")
			d.stays(was, "c")
		},
		"a remote with a password": func(d *desk) {
			d.remote("a", "https://u:p@forge.example/ada/my repo.git")
			d.space("a")
			text, err := os.ReadFile(filepath.Join(d.data, File))
			if got := string(text); err != nil || !strings.Contains(got, "/my repo") || strings.Contains(got, "u:p") {
				d.Errorf("the book has %s, %v", got, err)
			}
		},
		"a path with odd letters": func(d *desk) {
			const n = "q\"<&>\n\\x"
			d.repository(n)
			was := d.space(n)
			d.stays(was, n)
			d.differ(n, "a")
		},
		"paths that are no text": func(d *desk) {
			d.repository("x\xff")
			d.repository("x\xfe")
			d.differ("x\xff", "x\xfe")
		},
		"paths that are no text, empty": func(d *desk) {
			d.git("", "init", "-q", "x\xff")
			d.git("", "init", "-q", "x\xfe")
			d.differ("x\xff", "x\xfe")
		},
		"five worktrees": func(d *desk) {
			d.space("a")
			for i := range 5 {
				n := string(rune('p' + i))
				d.git("a", "worktree", "add", "-q", "--detach", "../"+n)
				d.same("a", n)
			}
		},
		"a worktree whose repository was renamed": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			was := d.space("w")
			d.rename("a", "b") // w's .git now names nothing
			d.stays(was, "w")
			d.stays(was, "b")
			d.git("b", "worktree", "repair", "../w")
			d.stays(was, "w")
		},
		"others in the place of a worktree": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			d.same("w", "a")
			d.git("a", "worktree", "remove", "../w")
			d.mkdir("w")
			if got := d.space("w"); got != "" {
				d.Errorf("a plain directory is %q", got)
			}
			d.repository("w/in")
			d.differ("w/in", "a")
			d.git("w", "init", "-q")
			d.differ("w", "a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.repository("a")
			do(d)
		})
	}
}
