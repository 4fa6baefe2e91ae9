package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/stemma-memory/stemma"

// suites are packages without _test in their files' names that only tests call.
var suites = []string{
	"internal/store/storetest", "internal/toolset/toolsettest", "internal/engine/enginetest", "internal/datasets",
}

// A source is one Go file of the project, parsed.
type source struct {
	name string // from the module's root, with slashes
	set  *token.FileSet
	file *ast.File
}

// dir is the package's directory from the root; the root itself is ".".
func (s source) dir() string { return path.Dir(s.name) }

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// forTests tells code that only tests run: test files and suites for them.
func (s source) forTests() bool { return s.isTest() || under(s.dir(), suites...) }

func (s source) line(n ast.Node) int { return s.set.Position(n.Pos()).Line }

// imports returns the paths the file imports, by the names it uses them under.
func (s source) imports() map[string]string {
	named := map[string]string{}
	for _, spec := range s.file.Imports {
		from, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(from)
		if name == "v2" {
			name = path.Base(path.Dir(from))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "_" || name == "." {
			name += from // several may share it
		}
		named[name] = from
	}
	return named
}

// root is the module's directory.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatalf("the module's root is not where it was: %v", err)
	}
	return dir
}

// files lists the project's files from its root: what git has or would take, or
// outside git all that is not hidden.
func files(t *testing.T) []string {
	t.Helper()
	dir := root(t)
	list, ok := gitFiles(dir)
	if !ok {
		list = walkFiles(t, dir)
	}
	list = slices.DeleteFunc(list, func(name string) bool {
		info, err := os.Lstat(filepath.Join(dir, name))
		return err != nil || !info.Mode().IsRegular()
	})
	if len(list) == 0 {
		t.Fatal("no files found: these tests would prove nothing")
	}
	// A result kept by go test is good until a file or a directory that the
	// test has read changes; git is another process, so look where it looked.
	for d := range directories(list) {
		if _, err := os.ReadDir(filepath.Join(dir, d)); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func gitFiles(dir string) ([]string, bool) {
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = dir
	out, err := git.Output()
	if err != nil {
		return nil, false
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), true
}

func walkFiles(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != dir && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		if !entry.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// directories returns every directory on the way to the files, the root included.
func directories(list []string) map[string]bool {
	dirs := map[string]bool{".": true}
	for _, name := range list {
		for d := path.Dir(name); !dirs[d]; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	return dirs
}

// sources parses the project's Go files, those in testdata excepted.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		all = append(all, source{name, set, file})
	}
	return all
}
