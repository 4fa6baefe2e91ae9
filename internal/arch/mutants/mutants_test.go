package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// found lists the changes of the body of a function as the lines that they make.
func found(t *testing.T, body string) []string {
	t.Helper()
	text := "package a\n\ntype list []int\n\nfunc f(a, b int, c, d bool) int {\n" + body + "\n\treturn 0x7\n}\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	_, _ = (&types.Config{Error: func(error) {}}).Check("a", set, []*ast.File{file}, info) // not all of it compiles
	var lines []string
	for _, m := range mutantsOf(set, file, info, text) {
		if _, after := m.lines(); !strings.Contains(m.text[m.from:m.to], "0x7") {
			lines = append(lines, flat(after))
		}
	}
	return lines
}

func TestWhatIsChanged(t *testing.T) {
	for body, want := range map[string][]string{
		"c = a == b":         {"", "c = a != b"},
		"c = a <= b":         {"", "c = a < b", "c = a > b"},
		"c = a > b":          {"", "c = a >= b", "c = a <= b"},
		"c = c && d":         {"", "c = c || d"},
		"c = !d":             {"", "c = d"},
		"a += b":             {"", "a -= b"},
		"a++":                {"", "a--"},
		"a := b - 1":         {"a := b + 1", "a := b - 2", "a := b - 0"},
		"a := b &^ 0":        {"a := b &^ 1"},
		"x := 0.5":           {"x := 0.55"},
		"if c { f() }":       {"if !(c) { f() }", "if c { }"},
		"if !c { a-- }":      {"if c { a-- }", "if !c { }", "if !c { a++ }"},
		"for a < b { }":      {"for a <= b { }", "for a >= b { }"},
		"for { break }":      {"for { }"},
		"defer f()":          {""},
		"for c || d { }":     {"for !(c || d) { }", "for c && d { }"},
		"x := [3]int{}":      {"x := [4]int{}", "x := [2]int{}"},
		"x := \"a\" + \"b\"": {"x := \"a\" - \"b\""}, // which does not compile
		// room is not seen, a length is
		"x := make([]int, 0, 8)":    nil,
		"x := make(map[int]int, 8)": nil,
		"x := make(list, 8)":        {"x := make(list, 9)", "x := make(list, 7)"},
		"x := make([]int, 2, 8)": {"x := make([]int, 3, 8)", "x := make([]int, 1, 8)", "x := make([]int, 2, 9)",
			"x := make([]int, 2, 7)"},
		"b.Grow(64)":                          nil,
		"a = -1":                              {"", "a = 0"},
		"var s struct { A int `json:\"a\"` }": nil,
	} {
		got := found(t, body)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", body, got, want)
		}
	}
}

func TestADiffShowsTheWholeLines(t *testing.T) {
	m := mutant{text: "a\n\tif b {\n\t}\nc\n", from: 6, to: 7, by: "!(b)"}
	if got, want := m.diff(), "-\tif b {\n+\tif !(b) {\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m = mutant{text: "a\nb\nc", from: 2, to: 5, by: ""}
	if got, want := m.diff(), "-b\n-c\n+\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A room has one file with a test for each of three ends: a change that the test sees, one that it does not, and one
// that never ends. What does not compile, or not with the tests, does not count.
func TestAChangeIsKilledOrAlive(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module made\n\ngo 1.26\n",
		"room/room.go": `package room

const None = 0

func Last(n int) (last int) {
	for i := 0; i < n; i++ {
		last = i
	}
	if n < 0 {
		panic("less than none")
	}
	return last
}
`,
		"room/room_test.go": `package room

import "testing"

var known = map[int]bool{None: true, 1: true}

func TestLast(t *testing.T) {
	if got := Last(3); got != 2 {
		t.Error(got)
	}
}
`,
		"internal/arch/mutants/equivalent.txt": `# none is also what no loop leaves
room/room.go
-	if n < 0 {
+	if n <= 0 {
: nothing asks for none
`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	alive, err := run(t.Context(), dir, draw{rooms: []string{"room"}, seed: 1}, 2*time.Second, &out)
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{
		"room/room.go:6 is alive: one more\n-\tfor i := 0; i < n; i++ {\n+\tfor i := 1; i < n; i++ {\n",
		"room/room.go:9 is alive: one more\n-\tif n < 0 {\n+\tif n < 1 {\n",
		"room/room.go:10 is alive: the statement goes\n-\t\tpanic(\"less than none\")\n+\t\t\n",
	}
	for _, want := range wants {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q", want)
		}
	}
	const sum = "seed 1, 9 changes of room: 5 killed, 1 of them by time; 1 equivalent, 3 alive\n"
	if alive != len(wants) || !strings.HasSuffix(out.String(), sum) {
		t.Errorf("%d alive, want %d and %q:\n%s", alive, len(wants), sum, out.String())
	}
	if _, err := run(t.Context(), dir, draw{rooms: []string{"hall"}}, time.Second, &out); err == nil {
		t.Error("a room that there is not is tried")
	}
}

// The same seed draws the same changes, another seed others, and a place only those that stand there.
func TestADrawIsTheSameAgain(t *testing.T) {
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	p, err := typed.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(d draw) (places []string) {
		t.Helper()
		d.rooms = []string{"internal/shorten", "internal/rank"}
		all, err := d.of(p, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			places = append(places, m.place()+" "+m.what)
		}
		return places
	}
	one := drawn(draw{seed: 1})
	if !slices.Equal(one, drawn(draw{seed: 1})) {
		t.Error("seed 1 draws others the second time")
	}
	if slices.Equal(one, drawn(draw{seed: 2})) {
		t.Error("seed 2 draws what seed 1 draws")
	}
	var rank int
	for _, change := range drawn(draw{seed: 1, even: true})[:20] {
		if strings.HasPrefix(change, "internal/rank/") {
			rank++
		}
	}
	if rank != 10 {
		t.Errorf("an even draw of 20 has %d of one of two packages", rank)
	}
	at := one[0][:strings.IndexByte(one[0], ' ')]
	for _, place := range drawn(draw{at: at}) {
		if !strings.HasPrefix(place, at+" ") {
			t.Errorf("at %s is %s", at, place)
		}
	}
}

// A line that is there several times is known by those above it.
func TestALineIsToldByThoseAbove(t *testing.T) {
	const text = "if a {\n\treturn\n}\nif b {\n\treturn\n}\n"
	list := filepath.Join(t.TempDir(), "equivalent.txt")
	if err := os.WriteFile(list, []byte("a.go\n-\tif b {\n-\t\treturn\n+\tif b {\n+\n: why\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := equivalents(list)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	for what, want := range map[string]bool{"first": false, "last": true} {
		at := strings.Index(text, "return")
		if want {
			at = strings.LastIndex(text, "return")
		}
		if got := (mutant{name: "a.go", text: text, from: at, to: at + len("return")}).is(all[0]); got != want {
			t.Errorf("the %s return is the one that is listed: %v", what, got)
		}
	}
}

// A change that is listed as equivalent is one that can still be made, and the list says why nothing sees it.
func TestEquivalentsAreOfTheTree(t *testing.T) {
	all, err := equivalents("equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		text, err := os.ReadFile(filepath.Join("../../..", filepath.FromSlash(s.name)))
		switch {
		case err != nil:
			t.Error(err)
		case !strings.Contains(flat(string(text)), s.before):
			t.Errorf("%s has no %q", s.name, s.before)
		case s.why == "" || s.before == s.after:
			t.Errorf("%s: %q: it says no reason, or changes nothing", s.name, s.before)
		}
	}
	if _, err := equivalents("main.go"); err == nil {
		t.Error("any text is a list of equivalents")
	}
}
