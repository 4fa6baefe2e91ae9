package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"strings"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// A graph is the calls of a program.
type graph struct {
	program *typed.Program
	store   types.Type // the type that the store's interfaces resolve to; nil resolves none
	bodies  map[*types.Func]body
}

// A body is a declared function with the names that it uses.
type body struct {
	decl *ast.FuncDecl
	info *types.Info
}

// A call is one place where a function calls another one.
type call struct{ from, to *types.Func }

func newGraph(p *typed.Program, store types.Type) *graph {
	g := &graph{program: p, store: store, bodies: map[*types.Func]body{}}
	for _, pkg := range p.Packages {
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
					g.bodies[pkg.Info.Defs[f.Name].(*types.Func)] = body{f, pkg.Info}
				}
			}
		}
	}
	return g
}

func (g *graph) file(f *types.Func) string { return g.program.File(f.Pos()) }

// calls returns the calls of a function's body in the order in which they are written.
func (g *graph) calls(f *types.Func) []call {
	b := g.bodies[f]
	var all []call
	ast.Inspect(b.decl.Body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if used, ok := b.info.Uses[name].(*types.Func); ok {
			to := g.resolved(used.Origin())
			if _, declared := g.bodies[to]; declared {
				all = append(all, call{f, to})
			}
		}
		return true
	})
	return all
}

// resolved returns the method of the database's store for a method of an interface that the
// store has, and any other function as it is.
func (g *graph) resolved(f *types.Func) *types.Func {
	recv := f.Signature().Recv()
	if recv == nil || g.store == nil || !g.ours(f) {
		return f
	}
	face, ok := recv.Type().Underlying().(*types.Interface)
	if !ok || !types.Implements(g.store, face) {
		return f
	}
	found, _, _ := types.LookupFieldOrMethod(g.store, false, f.Pkg(), f.Name())
	if method, ok := found.(*types.Func); ok {
		return method.Origin()
	}
	return f
}

// ours reports whether this module declares a method.
func (g *graph) ours(f *types.Func) bool {
	return f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), g.program.Module)
}

// A tour is what one entry point reaches.
type tour struct {
	functions map[*types.Func]bool
	files     map[string]bool
	calls     []call
	returns   []call
}

// from follows all calls from one function.
func (g *graph) from(entry *types.Func) *tour {
	t := &tour{functions: map[*types.Func]bool{}, files: map[string]bool{}}
	g.collect(entry, t)
	above := g.above(t)
	for _, c := range t.calls {
		if g.file(c.from) != g.file(c.to) && above[c.from][g.file(c.to)] {
			t.returns = append(t.returns, c)
		}
	}
	return t
}

// collect goes down depth first and enters each function once.
func (g *graph) collect(f *types.Func, t *tour) {
	if t.functions[f] {
		return
	}
	t.functions[f] = true
	t.files[g.file(f)] = true
	for _, c := range g.calls(f) {
		t.calls = append(t.calls, c)
		g.collect(c.to, t)
	}
}

// above returns, for each function, the files of all functions that lead to it.
func (g *graph) above(t *tour) map[*types.Func]map[string]bool {
	above := map[*types.Func]map[string]bool{}
	for f := range t.functions {
		above[f] = map[string]bool{}
	}
	for grows := true; grows; {
		grows = false
		for _, c := range t.calls {
			had := len(above[c.to])
			maps.Copy(above[c.to], above[c.from])
			above[c.to][g.file(c.from)] = true
			grows = grows || len(above[c.to]) > had
		}
	}
	return above
}

// method finds an exported method of a type of a package, promoted ones included.
func method(pkg *types.Package, typeName, name string) (*types.Func, error) {
	if pkg != nil {
		if obj := pkg.Scope().Lookup(typeName); obj != nil {
			found, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), false, pkg, name)
			if f, ok := found.(*types.Func); ok {
				return f.Origin(), nil
			}
		}
	}
	return nil, fmt.Errorf("no method %s of a type %s", name, typeName)
}
