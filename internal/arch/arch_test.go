package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A place says where alone some names of a package may be used.
type place struct {
	pkg   string   // import path
	names []string // what is meant; none means every name not in safe
	safe  []string // what anyone may use
	only  []string // directories, with all below them
	tests bool     // does it bind what only tests run too?
	why   string
}

var places = []place{
	{pkg: "crypto/ed25519", names: []string{"PrivateKey"}, only: []string{"internal/keys"}, tests: true,
		why: "private keys live in keys"},
	{pkg: "crypto/ed25519", names: []string{"NewKeyFromSeed", "GenerateKey"}, only: []string{"internal/keys"},
		why: "private keys live in keys"},
	{pkg: "os", names: []string{"Exit"}, only: []string{"cmd"},
		why: "only a command ends the process"},
	{pkg: "os", names: []string{"Getenv", "LookupEnv"}, only: []string{"cmd", "internal/cli"},
		why: "the environment is read at the edge and passed down"},
	{pkg: "html/template", why: "a program that has it keeps every exported method: 3 MB"},
	{pkg: "text/template", why: "a program that has it keeps every exported method: 3 MB"},
	{pkg: "time", names: []string{"Sleep"}, tests: true,
		why: "wait for what happens, or use testing/synctest"},
	{pkg: "math/rand", safe: randSafe, why: "chance comes in by configuration"},
	{pkg: "math/rand/v2", safe: randSafe, why: "chance comes in by configuration"},
}

// randSafe are the names of math/rand that do not touch its global source.
var randSafe = []string{"New", "NewSource", "NewZipf", "NewPCG", "NewChaCha8",
	"Rand", "Source", "Source64", "Zipf", "PCG", "ChaCha8"}

func (p place) forbids(name string) bool {
	if len(p.names) == 0 {
		return !slices.Contains(p.safe, name)
	}
	return slices.Contains(p.names, name)
}

func (p place) binds(s source) bool {
	return (p.tests || !s.forTests()) && !under(s.dir(), p.only...)
}

func under(dir string, roots ...string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return dir == root || strings.HasPrefix(dir, root+"/")
	})
}

// misplaced finds the names a file uses outside their place.
func misplaced(s source) []string {
	imports := s.imports()
	var found []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := selector.X.(*ast.Ident)
		if !ok {
			return true
		}
		for _, p := range places {
			if imports[from.Name] == p.pkg && p.forbids(selector.Sel.Name) && p.binds(s) {
				found = append(found, fmt.Sprintf("%s:%d: %s.%s: %s", s.name, s.line(n), p.pkg, selector.Sel.Name, p.why))
			}
		}
		return true
	})
	for _, p := range places {
		if imports["."+p.pkg] != "" && p.binds(s) {
			found = append(found, fmt.Sprintf("%s: import of %s under the name .", s.name, p.pkg))
		}
	}
	return found
}

func TestNamesStayInTheirPlace(t *testing.T) {
	for _, s := range sources(t) {
		for _, wrong := range misplaced(s) {
			t.Error(wrong)
		}
	}
}

// statement matches SQL as we write it. A SELECT counts without its FROM: the
// rest of it may stand in another literal.
var statement = regexp.MustCompile(`\bSELECT\s|\bINSERT\s+(OR\s+\w+\s+)?INTO\s|\bUPDATE\s+\S+\s+SET\s|` +
	`\bDELETE\s+FROM\s|\bCREATE\s+(\w+\s+)*TABLE\s` +
	`|(?i:^\s*(insert\s+into|update\s+\S+\s+set|delete\s+from|create\s+(virtual\s+)?table|select\s.*\sfrom)\s)`)

// sql finds the string literals of a file that hold SQL.
func sql(s source) []string {
	var found []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && statement.MatchString(text) {
			found = append(found, fmt.Sprintf("%s:%d: SQL lives in sqlstore", s.name, s.line(n)))
		}
		return true
	})
	return found
}

func TestSQLLivesInSqlstore(t *testing.T) {
	for _, s := range sources(t) {
		if s.forTests() || under(s.dir(), "internal/store/sqlstore") || s.name == "internal/bench/plain.go" {
			continue // the last is SQLite alone, which a store is measured against
		}
		for _, wrong := range sql(s) {
			t.Error(wrong)
		}
	}
}

// workshop are words about how the project was made, which a reader of the
// project has no use for. They are in two halves so as not to be found here.
var workshop = []string{"/wor" + "k/", "/studi" + "o/", "far" + "m-bench", "far" + "m-studio", "before" + "-stop",
	"as an" + " AI", "DEVELOP" + "ERS.md", ".." + "/shared"}

// spoken finds the words of the workshop in a text.
func spoken(text []byte) []string {
	lower := bytes.ToLower(text)
	var found []string
	for _, word := range workshop {
		if bytes.Contains(lower, []byte(strings.ToLower(word))) {
			found = append(found, word)
		}
	}
	return found
}

func TestTheProjectDoesNotSpeakOfItsWorkshop(t *testing.T) {
	for _, name := range files(t) {
		text, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range spoken(text) {
			t.Errorf("%s says %q", name, word)
		}
	}
}

// The rules are shown to bite: each row breaks one, or comes close and does not.
func TestTheRulesBite(t *testing.T) {
	tests := []struct {
		name, code string
		want       int
	}{
		{"internal/web/a.go", `import "os"; func f() { os.Exit(1) }`, 1},
		{"internal/web/a_test.go", `import "os"; func f() { os.Exit(1) }`, 0},
		{"internal/store/storetest/a.go", `import "os"; var v = os.Getenv("X")`, 0},
		{"internal/store/storetest/a.go", `import "time"; func f() { time.Sleep(1) }`, 1},
		{"cmd/stemma/a.go", `import "os"; func f() { os.Exit(1) }`, 0},
		{"internal/cli/a.go", `import "os"; var v = os.Getenv("X")`, 0},
		{"internal/climate/a.go", `import "os"; var v = os.Getenv("X")`, 1},
		{"a.go", `import sys "os"; func f() { sys.Exit(1) }`, 1},
		{"a.go", `import . "time"; func f() { Sleep(1) }`, 1},
		{"a_test.go", `import "time"; func f() { time.Sleep(1) }`, 1},
		{"a_test.go", `import "crypto/ed25519"; var k ed25519.PrivateKey`, 1},
		{"a.go", `import "crypto/ed25519"; var k ed25519.PublicKey`, 0},
		{"internal/keys/a.go", `import "crypto/ed25519"; var k ed25519.PrivateKey`, 0},
		{"a.go", `import "math/rand/v2"; var n = rand.IntN(3)`, 1},
		{"a.go", `import "math/rand/v2"; var r = rand.New(rand.NewPCG(1, 2))`, 0},
		{"a_test.go", `import "math/rand"; var n = rand.Intn(3)`, 0},
		{"a.go", "const q = `SELECT id FROM records`", 1},
		{"a.go", `const q = "INSERT INTO t VALUES (1)"`, 1},
		{"a.go", `const q = "UPDATE t SET a = 1"`, 1},
		{"a.go", `const q = "DELETE FROM t"`, 1},
		{"a.go", `const q = "CREATE VIRTUAL TABLE t"`, 1},
		{"a.go", `const q = "select id from records where x"`, 1},
		{"a.go", `const q = "SELECT " + "id"`, 1},
		{"a.go", `const q = "updates set what others select from a list"`, 0},
		{"a.go", "// SELECT id FROM records\nconst q = 1", 0},
	}
	for _, tt := range tests {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, tt.name, "package a; "+tt.code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s := source{tt.name, set, file}
		if got := append(misplaced(s), sql(s)...); len(got) != tt.want {
			t.Errorf("%s: %s: found %q, want %d", tt.name, tt.code, got, tt.want)
		}
	}
	for _, word := range workshop {
		if got := spoken([]byte("see " + strings.ToUpper(word) + " x")); len(got) != 1 {
			t.Errorf("spoken(%q) = %q, want that word", word, got)
		}
	}
}
