// Package typed reads the module's Go code with its types, for the rules of its structure.
package typed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is one package of the module without its tests.
type Package struct {
	Path  string // import path
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
}

// A Program is every package of a module.
type Program struct {
	Module   string // the module's path
	Set      *token.FileSet
	Packages []*Package // imported ones come before their importers
}

// Package returns the package with an import path, or nil.
func (p *Program) Package(path string) *Package {
	at := slices.IndexFunc(p.Packages, func(of *Package) bool { return of.Path == path })
	if at < 0 {
		return nil
	}
	return p.Packages[at]
}

// File returns the name of the file that holds a position.
func (p *Program) File(at token.Pos) string { return p.Set.Position(at).Filename }

// listed is what the go command says about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
	Module                  *struct {
		Path string
		Main bool
	}
}

func (l *listed) ours() bool { return l.Module != nil && l.Module.Main }

// Load checks the types of all packages of the module in dir. Packages from elsewhere
// come from export data, so their sources are not read.
func Load(dir string) (*Program, error) {
	all, err := list(dir, "-deps", "./...")
	if err != nil {
		return nil, err
	}
	imports, err := outside(dir, all)
	if err != nil {
		return nil, err
	}
	p := &Program{Set: token.NewFileSet()}
	from := chain{
		ours:   map[string]*types.Package{},
		others: importer.ForCompiler(p.Set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(imports[path]) }),
	}
	for _, l := range all {
		if !l.ours() {
			continue
		}
		p.Module = l.Module.Path
		pkg, err := p.check(l, from)
		if err != nil {
			return nil, err
		}
		from.ours[pkg.Path] = pkg.Types
		p.Packages = append(p.Packages, pkg)
	}
	return p, nil
}

// chain imports the module's packages as they were checked, so that one name is one
// object in the whole program.
type chain struct {
	ours   map[string]*types.Package
	others types.Importer
}

func (c chain) Import(path string) (*types.Package, error) {
	if pkg := c.ours[path]; pkg != nil {
		return pkg, nil
	}
	return c.others.Import(path)
}

func (p *Program) check(l *listed, from types.Importer) (*Package, error) {
	var files []*ast.File
	for _, name := range l.GoFiles {
		file, err := parser.ParseFile(p.Set, filepath.Join(l.Dir, name), nil, mode)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return Check(p.Set, l.ImportPath, files, from)
}

// mode keeps comments, which say of a file that it is generated.
const mode = parser.SkipObjectResolution | parser.ParseComments

// Made returns a program of one made-up package, from the texts of its files by name. It
// imports nothing. Tests prove rules on it.
func Made(module string, texts map[string]string) (*Program, error) {
	p := &Program{Module: module, Set: token.NewFileSet()}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(p.Set, name, texts[name], mode)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	pkg, err := Check(p.Set, module, files, nil)
	if err != nil {
		return nil, err
	}
	p.Packages = append(p.Packages, pkg)
	return p, nil
}

// Check finds the types of a package's files.
func Check(set *token.FileSet, path string, files []*ast.File, from types.Importer) (*Package, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: from}).Check(path, set, files, info)
	return &Package{Path: path, Files: files, Types: pkg, Info: info}, err
}

// outside returns the files of export data of what the module needs from elsewhere.
func outside(dir string, all []*listed) (map[string]string, error) {
	ours := map[string]bool{"unsafe": true}
	for _, l := range all {
		ours[l.ImportPath] = ours[l.ImportPath] || l.ours()
	}
	args := []string{"-export", "-deps"}
	for _, l := range all {
		if !l.ours() {
			continue
		}
		for _, path := range l.Imports {
			if !ours[path] && !slices.Contains(args, path) {
				args = append(args, path)
			}
		}
	}
	files := map[string]string{}
	if len(args) == 2 { // without a package, go list would take the one in dir
		return files, nil
	}
	found, err := list(dir, args...)
	for _, l := range found {
		files[l.ImportPath] = l.Export
	}
	return files, err
}

// list runs go list in a directory.
func list(dir string, args ...string) ([]*listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles,Imports,Module"}, args...)...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w: %s", dir, err, strings.TrimSpace(said.String()))
	}
	var all []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := d.Decode(l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}
