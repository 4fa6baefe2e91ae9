package code

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// A plot is a file of a history that a test makes: its symbols have names that no other
// file has, so that they are known wherever the file goes.
type plot struct {
	path  string
	names []string
	body  map[string]int // by name, which version
	above int            // comments at the top
	below int            // which version of the end
}

func (p *plot) text() string {
	var b strings.Builder
	b.WriteString("package garden\n")
	for i := range p.above {
		fmt.Fprintf(&b, "\n// Remark %d.\n", i)
	}
	for _, name := range p.names {
		fmt.Fprintf(
			&b, "\n// %s does.\nfunc %s(n int) int {\n\tn += 7 // of %s\n\tn *= %d\n\treturn n // %s\n}\n", name,
			name, name, p.body[name], name,
		)
	}
	fmt.Fprintf(&b, "\nconst last%s = %d\n", p.names[0][:2], p.below)
	return b.String()
}

// lines returns where the body of a symbol is.
func (p *plot) lines(name string) (int, int) {
	for i, l := range strings.Split(p.text(), "\n") {
		if strings.HasPrefix(l, "func "+name+"(") {
			return i + 2, i + 4
		}
	}
	return 0, 0
}

// A pinning is a ref and what a test knows of it.
type pinning struct {
	e    memory.Evidence
	what string // a symbol, or a file by the beginning of its symbols
	at   int    // number of the commit
}

// TestTheCommitNamedChangedTheSymbol: in a history in which symbols and other parts of
// their files change by turns, files are renamed, and modes and line endings change, the
// commit that is named is the newest that changed just what was pinned; of lines the one
// with which they ceased to be there.
func TestTheCommitNamedChangedTheSymbol(t *testing.T) {
	r := newRepo(t)
	dice := rand.New(rand.NewPCG(3, 5))
	var plots []*plot
	for f := range 4 {
		p := &plot{path: fmt.Sprintf("part%d.go", f), body: make(map[string]int)}
		for s := range 5 {
			p.names = append(p.names, fmt.Sprintf("F%dS%d", f, s))
		}
		plots = append(plots, p)
		r.write(p.path, p.text())
	}
	ids := []string{r.commit("begin")}
	changed := make(map[string][]int) // by symbol or file, numbers of commits
	var pinned []pinning
	pin := func(n int) {
		for _, p := range plots {
			name := p.names[dice.IntN(len(p.names))]
			from, to := p.lines(name)
			for text, what := range map[string]string{
				p.path + "#" + name: name, fmt.Sprintf("%s:%d-%d", p.path, from, to): "lines " + name, p.path: p.names[0][:2],
			} {
				pinned = append(pinned, pinning{r.pin(text)[0], what, n})
			}
		}
	}
	const commits = 120
	for n := 1; n <= commits; n++ {
		p := plots[dice.IntN(len(plots))]
		touched := func(names ...string) {
			for _, name := range names {
				changed[name] = append(changed[name], n)
			}
		}
		file := p.names[0][:2]
		switch dice.IntN(10) {
		case 0, 1, 2:
			name := p.names[dice.IntN(len(p.names))]
			p.body[name]++
			touched(name, "lines "+name, file)
		case 3, 4:
			p.above++
			touched(file)
		case 5, 6:
			p.below++
			touched(file)
		case 7:
			to := fmt.Sprintf("dir%d/%d.go", n%3, n)
			if err := os.MkdirAll(r.path(fmt.Sprintf("dir%d", n%3)), 0o755); err != nil {
				t.Fatal(err)
			}
			r.git("mv", p.path, to)
			p.path = to
			if dice.IntN(2) == 0 {
				p.body[p.names[1]]++
				touched(p.names[1], "lines "+p.names[1], file)
			}
		case 8:
			info, err := os.Stat(r.path(p.path))
			if err == nil {
				err = os.Chmod(r.path(p.path), info.Mode()^0o111)
			}
			if err != nil {
				t.Fatal(err)
			}
		case 9:
			if len(p.names) > 2 {
				name := p.names[len(p.names)-1]
				p.names = p.names[:len(p.names)-1]
				touched(name, "lines "+name, file)
			}
		}
		mode := os.FileMode(0o644)
		if info, err := os.Stat(r.path(p.path)); err == nil {
			mode = info.Mode()
		}
		text := p.text()
		if n%7 == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if err := os.WriteFile(r.path(p.path), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.commit(fmt.Sprintf("commit %d", n)))
		if n%12 == 0 && n < commits {
			pin(n)
		}
	}
	refs := make([]memory.Evidence, len(pinned))
	for i, p := range pinned {
		refs[i] = p.e
	}
	named, wrong := 0, 0
	for i, f := range r.check(Options{}, refs...) {
		p := pinned[i]
		var after []int
		for _, n := range changed[p.what] {
			if n > p.at {
				after = append(after, n)
			}
		}
		if len(after) == 0 {
			if f.State != Verified {
				t.Errorf("%s is %s (%s), and nothing changed it", Text(p.e), f.State, f.Reason)
			}
			continue
		}
		want := after[len(after)-1]
		if strings.HasPrefix(p.what, "lines ") {
			want = after[0]
		}
		if named++; f.Commit != ids[want] || !strings.Contains(
			f.Reason, fmt.Sprintf("%s \"commit %d\"", ids[want][:7], want),
		) {
			wrong++
			t.Errorf("%s, pinned at %d, is %s: %s; changed by %v, want commit %d (this is %d)", Text(p.e), p.at, f.State,
				f.Reason,
				after, want, slices.Index(ids, f.Commit))
		}
	}
	t.Logf("%d named, %d wrong", named, wrong)
	if named < 50 {
		t.Errorf("only %d commits were named: this proves little", named)
	}
}

// TestBranches: a merge is not named for what came from one of its sides, nor a branch
// for work that was not taken.
func TestBranches(t *testing.T) {
	r := newRepo(t)
	p := &plot{path: "a.go", names: []string{"F0S0", "F0S1", "F0S2"}, body: make(map[string]int)}
	r.write(p.path, p.text())
	r.commit("begin")
	refs := r.pin("a.go#F0S0", "a.go#F0S1", "a.go#F0S2")
	r.git("checkout", "-q", "-b", "side")
	p.body["F0S0"] = 1
	p.body["F0S2"] = 1
	r.write(p.path, p.text())
	side := r.commit("side")
	r.git("checkout", "-q", "main")
	p.body = map[string]int{"F0S1": 2}
	r.write(p.path, p.text())
	main := r.commit("main")
	r.git("merge", "-q", "--no-commit", "-X", "ours", "side")
	p.body = map[string]int{"F0S0": 1, "F0S1": 2, "F0S2": 9} // the last as nobody had it
	r.write(p.path, p.text())
	merge := r.commit("merge")
	r.expect(refs[0], Options{}, NeedsReview, side[:7])
	r.expect(refs[1], Options{}, NeedsReview, main[:7])
	r.expect(refs[2], Options{}, NeedsReview, merge[:7])

	again := r.pin("a.go#F0S0")[0]
	r.git("checkout", "-q", "-b", "lost")
	p.body["F0S0"] = 5
	r.write(p.path, p.text())
	r.commit("lost")
	r.git("checkout", "-q", "main")
	p.body["F0S0"] = 6
	p.below++
	r.write(p.path, p.text())
	kept := r.commit("kept")
	r.git("merge", "-q", "-s", "ours", "-m", "not taken", "lost")
	r.expect(again, Options{}, NeedsReview, kept[:7])
}

// TestTooLongAHistory: where the commit is not found within bounds, the newest that
// touched the file is named as that.
func TestTooLongAHistory(t *testing.T) {
	r := newRepo(t)
	var in strings.Builder
	write := func(n int, text string) {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <a@example.org> %d +0000\ndata 7\nchange\n\nM 644 "+
			"inline a.go\ndata %d\n%s\n",
			1700000000+n, len(text), text)
	}
	p := &plot{path: "a.go", names: []string{"F0S0", "F0S1"}, body: make(map[string]int)}
	write(0, p.text())
	first := p.text()
	p.body["F0S0"] = 1
	for n := range maxVersions + 1 {
		p.below = n
		if n == maxVersions-1 {
			p.body["F0S1"] = 1
		}
		write(n+1, p.text())
	}
	r.stream("fast-import", in.String())
	r.git("reset", "-q", "--hard")
	root := r.git("rev-list", "--max-parents=0", "HEAD")
	ref := func(name string) memory.Evidence {
		f := newFile("a.go", []byte(first))
		at, _, _ := f.symbol(name)
		span, _ := f.span(at.Start, at.End)
		return memory.Evidence{Type: "code", Path: "a.go", Symbol: name, SHA256: sum(span), Commit: root}
	}
	head := r.git("rev-parse", "HEAD")
	if f := r.expect(
		ref("F0S0"), Options{}, NeedsReview, "a.go#F0S0 changed; the file changed in "+head[:7],
	); f.Commit != "" || f.By != "" {
		t.Errorf("%+v, want no commit", f)
	}
	r.expect(ref("F0S1"), Options{}, NeedsReview, "a.go#F0S1 changed, see "+r.git("rev-parse", "HEAD~1")[:7])
}

// TestUncommittedWorkThatWasKeptAndTakenBack: a commit that changed it since is named.
func TestUncommittedWorkThatWasKeptAndTakenBack(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	r.write("a.go", strings.Replace(garden, "return 2", "return 3", 1))
	e := r.pin("a.go#Water")[0]
	r.commit("keep it")
	r.write("a.go", garden)
	c := r.commit("take it back")
	r.expect(e, Options{}, NeedsReview, "a.go#Water changed, see "+c[:7])
}
