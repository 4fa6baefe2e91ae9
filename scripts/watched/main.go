// The program watched lists the tests that do several things at once: those the race detector can find something in.
//
//	go run ./scripts/watched
//
// A line is a directory of tests and the names of its tests that start a goroutine, in themselves or through what they
// name of their own package's tests or of a package that only tests use. So do tests with a lock of their own, in
// themselves or in what they name: what they test starts something. Names are followed as they are written: of two
// methods of one name both count. A test that only says t.Parallel is none of these.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	all, err := read(".")
	if err != nil {
		log.Fatal(err)
	}
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		if names := all.watched(dir); len(names) > 0 {
			fmt.Println("./"+dir, strings.Join(names, " "))
		}
	}
}

// A does is what a function or a type does: whether it starts or locks something, and what it names.
type does struct {
	starts bool
	locks  bool
	names  map[string]bool // of its own package, or with a package before them
}

type (
	pkg  map[string]*does // the functions and variables of tests, by name
	tree map[string]pkg   // by directory
)

// read reads the tests below a directory, and the packages that only tests use: their names end in test.
func read(root string) (tree, error) {
	all := make(tree)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && err == nil {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		dir := filepath.Dir(path)
		if !strings.HasSuffix(name, ".go") || !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(dir, "test") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.HasPrefix(string(text), "//go:build !race\n") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		imports := make(map[string]bool)
		for _, i := range file.Imports {
			imports[strings.Trim(i.Path.Value[strings.LastIndex(i.Path.Value, "/")+1:], `"`)] = true
		}
		if all[dir] == nil {
			all[dir] = make(pkg)
		}
		for _, decl := range file.Decls {
			for _, name := range named(decl) {
				all[dir].add(name, reads(decl, imports))
			}
		}
		return nil
	})
	return all, err
}

// named are the names of a function, of variables, which may hold functions, and of types.
func named(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}

func (p pkg) add(name string, found *does) {
	if was := p[name]; was != nil {
		found.starts, found.locks = found.starts || was.starts, found.locks || was.locks
		maps.Copy(found.names, was.names)
	}
	p[name] = found
}

// reads says what a declaration does. A WaitGroup and an errgroup have a method Go.
func reads(decl ast.Decl, imports map[string]bool) *does {
	out := &does{names: make(map[string]bool)}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			out.starts = true
		case *ast.CallExpr:
			if f, is := n.Fun.(*ast.SelectorExpr); is && f.Sel.Name == "Go" {
				out.starts = true
			}
		case *ast.SelectorExpr:
			if x, is := n.X.(*ast.Ident); is && imports[x.Name] {
				out.locks = out.locks || x.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "Once")
				out.names[x.Name+"."+n.Sel.Name] = true
				return false
			}
		case *ast.Ident:
			out.names[n.Name] = true
		}
		return true
	})
	return out
}

// watched returns the tests of a directory that start something.
func (t tree) watched(dir string) []string {
	var names []string
	for name := range t[dir] {
		if strings.HasPrefix(name, "Test") && name != "TestMain" &&
			(t[dir].locks(name) || t.starts(dir, name, make(map[string]bool))) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// locks reports whether a test has a lock, itself or in what it names.
func (p pkg) locks(name string) bool {
	if p[name].locks {
		return true
	}
	for used := range p[name].names {
		if f := p[used]; f != nil && f.locks {
			return true
		}
	}
	return false
}

// starts reports whether a function starts something, itself or through what it names.
func (t tree) starts(dir, name string, seen map[string]bool) bool {
	f := t[dir][name]
	if f == nil || seen[dir+" "+name] {
		return false
	}
	seen[dir+" "+name] = true
	if f.starts {
		return true
	}
	for used := range f.names {
		pkg, of, other := strings.Cut(used, ".")
		if !other {
			if used != name && t.starts(dir, used, seen) {
				return true
			}
			continue
		}
		for d := range t {
			if d != dir && filepath.Base(d) == pkg && t.starts(d, of, seen) {
				return true
			}
		}
	}
	return false
}
