package code

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestParse(t *testing.T) {
	r := plainDir(t)
	for _, name := range []string{"a.go", "src/b.go", "src/C#/c.cs", "odd:10", "with space/ü é.py", "src/a.go", "x#y"} {
		r.write(name, "x\n")
	}
	tree := r.open()
	ref := func(path, symbol string, start, end int) memory.Evidence {
		return memory.Evidence{Type: "code", Path: path, Symbol: symbol, Start: start, End: end}
	}
	tests := []struct {
		text, cwd string
		want      memory.Evidence
	}{
		{"a.go", "", ref("a.go", "", 0, 0)},
		{"a.go#Water", "", ref("a.go", "Water", 0, 0)},
		{"a.go#(*Bed).Dig", "", ref("a.go", "(*Bed).Dig", 0, 0)},
		{"a.cc#Bed::dig", "", ref("a.cc", "Bed::dig", 0, 0)},
		{"a.js#Bed#dig", "", ref("a.js", "Bed#dig", 0, 0)},
		{"a.go:10-20", "", ref("a.go", "", 10, 20)},
		{"a.go:10", "", ref("a.go", "", 10, 10)},
		{"odd:10", "", ref("odd:10", "", 0, 0)},
		{"odd:10:5", "", ref("odd:10", "", 5, 5)},
		{"src/C#/c.cs", "", ref("src/C#/c.cs", "", 0, 0)},
		{"src/C#/c.cs#Main", "", ref("src/C#/c.cs", "Main", 0, 0)},
		{"src/C#/c.cs:1", "", ref("src/C#/c.cs", "", 1, 1)},
		{"x#y", "", ref("x#y", "", 0, 0)},
		{"with space/ü é.py:1", "", ref("with space/ü é.py", "", 1, 1)},
		{"./a.go", "", ref("a.go", "", 0, 0)},
		{"-rf", "", ref("-rf", "", 0, 0)},
		{"b.go#X", "src", ref("src/b.go", "X", 0, 0)},
		{"../a.go", "src", ref("a.go", "", 0, 0)},
		{"./C#/c.cs", "src", ref("src/C#/c.cs", "", 0, 0)},
		{"a.go", "src", ref("src/a.go", "", 0, 0)},     // here before the root
		{"src/b.go", "src", ref("src/b.go", "", 0, 0)}, // from the root, as there is none here
		{"new.go", "src", ref("src/new.go", "", 0, 0)},
	}
	for _, tt := range tests {
		cwd := ""
		if tt.cwd != "" {
			cwd = r.path(tt.cwd)
		}
		got, err := tree.Parse(tt.text, cwd)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q, %q) = %+v, %v, want %+v", tt.text, tt.cwd, got, err, tt.want)
			continue
		}
		if cwd == "" && !strings.HasPrefix(tt.text, "./") {
			if got, want := Text(got), tt.text; got != want {
				t.Errorf("Text = %q, want %q", got, want)
			}
		}
	}
	if got, err := tree.Parse("a.go", os.TempDir()); err != nil || got.Path != "a.go" {
		t.Errorf("Parse from outside = %+v, %v, want a.go", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	r := plainDir(t)
	r.write("src/a.go", "x\n")
	tree := r.open()
	for _, text := range []string{
		"", "  ", "/etc/passwd", "../x", "src/../../x", "a/../..", "..", ".", "src/", `C:\x.go`, "C:/x.go", "C:x.go",
		`..\x`, `src\a.go`, `\\host\share`,
		"a\x00b", "a\nb", "a\x1b[2Jb", "a\xffb", ".git/config", "src/.GIT/config", "#Water", ":10",
		"a.go#", "a.go# x", "a.go#x\ny", "a.go#Water:10", "a.go#x\x00", "a.go:0", "a.go:20-10", "a.go:1-99999999999",
		"a.go:2147483648",
		strings.Repeat("a", 10000),
	} {
		for _, cwd := range []string{"", r.path("src")} {
			if cwd != "" && (text == "../x" || text == "src/../../x") {
				continue // stays inside
			}
			if got, err := tree.Parse(text, cwd); !errors.Is(err, ErrInvalid) {
				t.Errorf("Parse(%.40q, %q) = %+v, %v, want ErrInvalid", text, cwd, got, err)
			}
		}
	}
}

// FuzzParse: what Parse takes, a record takes too, and Text writes it again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a.go", "a#b", "a:1-2", "a:1", "../a", "a#b:1", "#", ":", "a::b", "a:b:1", "a#b#c"} {
		f.Add(seed)
	}
	r := plainDir(f)
	r.write("dir/a", "x\n")
	tree := r.open()
	f.Fuzz(func(t *testing.T, text string) {
		e, err := tree.Parse(text, r.path("dir"))
		if err != nil {
			return
		}
		if wrong := unfit(e); wrong != "" {
			t.Errorf("%q is parsed as %+v: %s", text, e, wrong)
		}
		note := memory.Raw{Text: "x"}
		if _, err := memory.New(
			memory.Header{Provenance: memory.Provenance{Evidence: []memory.Evidence{e}}}, &note,
		); err != nil && strings.Contains(err.Error(), "evidence") {
			t.Errorf("%q is parsed as %+v, which a record refuses: %v", text, e, err)
		}
		again, err := tree.Parse(Text(e), "")
		if err != nil || again != e {
			t.Errorf("%q: %+v is read again as %+v, %v", text, e, again, err)
		}
	})
}
