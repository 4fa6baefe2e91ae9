// Command returns counts how often the calls of some operations come back to a file that they
// had left:
//
//	go run ./internal/arch/returns [-v] [DIRECTORY OF A MODULE]
//
// It follows the static calls from (*Engine).Search, Context, Why, Remember and Revise depth first. A call
// from one file into another comes back when some path of calls from the entry point to it
// went through that other file before. Each place of such a call counts once, however many
// paths lead to it, so the figure does not depend on the order of the walk.
//
// A function that is handed on as a value counts as called at that place. The body of a
// function literal belongs to the function around it. A call of a method of an interface
// that this module declares goes to sqlstore, if sqlstore's store has that interface. The
// walk does not follow other interfaces, functions kept in variables, or code outside the
// module.
package main

import (
	"flag"
	"fmt"
	"go/types"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("returns: ")
	verbose := flag.Bool("v", false, "list each call that comes back")
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(dir, *verbose, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(dir string, verbose bool, out io.Writer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	p, err := typed.Load(dir)
	if err != nil {
		return err
	}
	store, err := storeOf(p)
	if err != nil {
		return err
	}
	g := newGraph(p, store)
	for _, entry := range []struct{ method, what string }{
		{"Search", "search"}, {"Context", "pack"}, {"Why", "why"}, {"Remember", "remember"}, {"Revise", "revision"},
	} {
		f, err := method(engineOf(p), "Engine", entry.method)
		if err != nil {
			return err
		}
		t := g.from(f)
		engine, sql := 0, 0
		for _, c := range t.returns {
			if in(p, c.to, "/internal/store") {
				sql++
			} else if c.to.Pkg().Path() == p.Module || in(p, c.to, "/internal/engine") {
				engine++
			}
			if verbose {
				fmt.Fprintf(out, "  %s -> %s\n", short(p, dir, c.from), short(p, dir, c.to))
			}
		}
		fmt.Fprintf(out, "%-9s %4d returns, %3d of them in the engine, %3d in its store; %d functions in %d files\n",
			entry.what, len(t.returns), engine, sql, len(t.functions), len(t.files))
	}
	return nil
}

// engineOf returns the package with the engine: it was the module's root at first.
func engineOf(p *typed.Program) *types.Package {
	for _, path := range []string{p.Module + "/internal/engine", p.Module} {
		if pkg := p.Package(path); pkg != nil && pkg.Types.Scope().Lookup("Engine") != nil {
			return pkg.Types
		}
	}
	return nil
}

// storeOf returns the type that keeps records in a database.
func storeOf(p *typed.Program) (types.Type, error) {
	port, sql := p.Package(p.Module+"/internal/store"), p.Package(p.Module+"/internal/store/sqlstore")
	if port == nil || sql == nil {
		return nil, fmt.Errorf("%s has no store", p.Module)
	}
	face := port.Types.Scope().Lookup("Store").Type().Underlying().(*types.Interface)
	for _, name := range sql.Types.Scope().Names() {
		if named, ok := sql.Types.Scope().Lookup(name).(*types.TypeName); ok {
			if t := types.NewPointer(named.Type()); types.Implements(t, face) {
				return t, nil
			}
		}
	}
	return nil, fmt.Errorf("sqlstore has no store")
}

// in reports whether a function is in a directory of the module, or below it.
func in(p *typed.Program, f *types.Func, dir string) bool {
	return strings.HasPrefix(f.Pkg().Path()+"/", p.Module+dir+"/")
}

// short is a function with its file, for people.
func short(p *typed.Program, dir string, f *types.Func) string {
	file, err := filepath.Rel(dir, p.File(f.Pos()))
	if err != nil {
		file = p.File(f.Pos())
	}
	return file + ":" + f.Name()
}
