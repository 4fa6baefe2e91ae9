package code

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// bigRepo has 2,000 commits and 1,000 files of 100 to 200 lines, each of them
// changed by two commits; refs to files, symbols and lines are pinned to each.
func bigRepo(b testing.TB, commits, files int) (*repo, []memory.Evidence) {
	b.Helper()
	r := newRepo(b)
	var in strings.Builder
	body := func(file, version int) string {
		var s strings.Builder
		fmt.Fprintf(&s, "package p%d\n", file)
		for f := range 10 + file%10 {
			fmt.Fprintf(&s, "\n// Do%d does.\nfunc Do%d(n int) int {\n", f, f)
			for line := range 6 {
				fmt.Fprintf(&s, "\tn += %d * (n + %d) // %d\n", file, line, f)
			}
			s.WriteString("\treturn n\n}\n")
		}
		fmt.Fprintf(&s, "\nconst version = %d\n", version)
		return s.String()
	}
	for c := range commits {
		text := body(c%files, c/files)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <a@example.org> %d +0000\ndata 7\nchange\n\nM 644 "+
			"inline %s\ndata %d\n%s\n",
			1700000000+c, bigPath(c%files), len(text), text)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, testEnvironment(), strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	r.git("reset", "-q", "--hard")
	head := r.git("rev-parse", "HEAD")
	var refs []memory.Evidence
	for i := range files {
		e := memory.Evidence{Type: "code", Path: bigPath(i), Commit: head}
		f := newFile(e.Path, []byte(body(i, commits/files-1)))
		switch i % 3 {
		case 0:
			e.SHA256 = sum(f.text)
		case 1:
			e.Symbol = "Do3"
			at, _, _ := f.symbol(e.Symbol)
			span, _ := f.span(at.Start, at.End)
			e.SHA256 = sum(span)
		case 2:
			e.Start, e.End = 20, 30
			span, _ := f.span(20, 30)
			e.SHA256 = sum(span)
		}
		refs = append(refs, e)
	}
	return r, refs
}

func bigPath(i int) string { return fmt.Sprintf("src/part%d/unit%d/file%d.go", i%20, i%7, i) }

// BenchmarkCheck is what a session pays for 1,000 refs: first, when nothing
// changed, and after a commit.
func BenchmarkCheck(b *testing.B) {
	r, refs := bigRepo(b, 2000, 1000)
	run := func(b *testing.B, tree *Tree, o Options, verified int) {
		b.Helper()
		findings, err := tree.Check(b.Context(), refs, o)
		if err != nil {
			b.Fatal(err)
		}
		got := 0
		for _, f := range findings {
			if f.State == Verified {
				got++
			}
		}
		if got != verified {
			b.Fatalf("%d verified, want %d", got, verified)
		}
	}
	dir := b.TempDir()
	n := 0
	fresh := func() *Cache {
		n++
		return NewCache(filepath.Join(dir, fmt.Sprint(n)))
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			run(b, r.open(), Options{Cache: fresh()}, 1000)
		}
	})
	b.Run("second", func(b *testing.B) {
		c := fresh()
		run(b, r.open(), Options{Cache: c}, 1000)
		for b.Loop() {
			run(b, r.open(), Options{Cache: NewCache(c.path)}, 1000)
		}
	})
	b.Run("second, long-lived", func(b *testing.B) {
		c, tree := fresh(), r.open()
		for b.Loop() {
			run(b, tree, Options{Cache: c}, 1000)
		}
	})
	b.Run("uncommitted", func(b *testing.B) {
		c := fresh()
		for b.Loop() {
			run(b, r.open(), Options{Cache: c, Uncommitted: true}, 1000)
		}
	})
	b.Run("after a commit", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			c := fresh()
			run(b, r.open(), Options{Cache: c}, 1000)
			r.write(bigPath(0), "package p\n")
			r.git("mv", bigPath(3), "moved.go")
			r.git("rm", "-q", bigPath(6))
			r.commit("change")
			b.StartTimer()
			run(b, r.open(), Options{Cache: NewCache(c.path)}, 998)
			b.StopTimer()
			r.git("reset", "-q", "--hard", "HEAD~1")
			b.StartTimer()
		}
	})
	b.Run("all changed", func(b *testing.B) {
		for i := range 1000 {
			r.write(bigPath(i), "package p\n")
		}
		r.commit("change")
		for b.Loop() {
			run(b, r.open(), Options{Cache: fresh()}, 0)
		}
		r.git("reset", "-q", "--hard", "HEAD~1")
	})
	b.Run("all moved", func(b *testing.B) {
		r.git("mv", "src", "source")
		r.commit("change")
		for b.Loop() {
			run(b, r.open(), Options{Cache: fresh()}, 1000)
		}
		r.git("reset", "-q", "--hard", "HEAD~1")
	})
}

// BenchmarkChangers is what the first look pays for 120 symbols that all changed, in
// 3,000 commits of which most changed something else in their files.
func BenchmarkChangers(b *testing.B) {
	const commits, files = 3000, 40
	r := newRepo(b)
	var in strings.Builder
	var plots []*plot
	var refs []memory.Evidence
	for f := range files {
		p := &plot{path: bigPath(f), body: make(map[string]int)}
		for s := range 20 {
			p.names = append(p.names, fmt.Sprintf("F%dS%d", f, s))
		}
		plots = append(plots, p)
	}
	for c := range commits {
		p := plots[c%files]
		if p.below = c; c/files > 0 {
			p.body[p.names[(c/files)%20]] = c
		}
		text := p.text()
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <a@example.org> %d +0000\ndata 7\nchange\n\nM 644 "+
			"inline %s\ndata %d\n%s\n",
			1700000000+c, p.path, len(text), text)
	}
	r.stream("fast-import", in.String())
	r.git("reset", "-q", "--hard")
	for _, p := range plots {
		for _, s := range []int{1, 9, 14} {
			refs = append(refs, memory.Evidence{Type: "code", Path: p.path, Symbol: p.names[s], SHA256: sum(nil)})
		}
	}
	dir, n := b.TempDir(), 0
	for _, many := range []int{1, 10, len(refs)} {
		b.Run(fmt.Sprintf("first of %d", many), func(b *testing.B) {
			for b.Loop() {
				n++
				findings, err := r.open().Check(
					b.Context(), refs[:many], Options{Cache: NewCache(filepath.Join(dir, fmt.Sprint(n)))},
				)
				if err != nil {
					b.Fatal(err)
				}
				for _, f := range findings {
					if f.Commit == "" {
						b.Fatalf("%+v, want a commit", f)
					}
				}
			}
		})
	}
}
