package stemma_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shows stands before each block of Go on a page, with the example it is from.
const shows = "<!-- example: "

// The Go on the pages of docs is a part of examples that run.
func TestDocsShowExamples(t *testing.T) {
	bodies := exampleBodies(t)
	pages, err := filepath.Glob("docs/reference/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "```go\n")
		for i, part := range parts[1:] {
			blocks++
			block, _, _ := strings.Cut(part, "```")
			_, after, ok := strings.Cut(lastLine(parts[i]), shows)
			name, _, closed := strings.Cut(after, " -->")
			switch {
			case !ok || !closed:
				t.Errorf("%s: a block of Go with no example named before it:\n%s", page, block)
			case bodies[name] == "":
				t.Errorf("%s: there is no example %s", page, name)
			case !strings.Contains(bodies[name], block):
				t.Errorf("%s: this is no part of %s:\n%s", page, name, block)
			}
		}
	}
	if blocks < 6 {
		t.Errorf("%d blocks of Go in docs, want at least 6", blocks)
	}
}

func lastLine(s string) string {
	s = strings.TrimRight(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// exampleBodies returns the bodies of all examples here and one level down (dir.Example), without the tab before
// each line.
func exampleBodies(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	others, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, others...)
	bodies := make(map[string]string)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			in := strings.TrimPrefix(filepath.Dir(name)+".", "..")
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
				body := src[set.Position(f.Body.Lbrace).Offset+2 : set.Position(f.Body.Rbrace).Offset]
				bodies[in+f.Name.Name] = strings.ReplaceAll("\n"+string(body), "\n\t", "\n")[1:]
			}
		}
	}
	return bodies
}
