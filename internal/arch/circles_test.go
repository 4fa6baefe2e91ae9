package arch

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// mostInACircle is how many files of a package may need each other.
const mostInACircle = 8

var load = sync.OnceValues(func() (*typed.Program, error) { return typed.Load(filepath.Join("..", "..")) })

// program is the module with its types.
func program(t *testing.T) *typed.Program {
	t.Helper()
	files(t) // the result of a test holds only as long as these stay the same
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Packages) == 0 {
		t.Fatal("no packages found: this test would prove nothing")
	}
	return p
}

// uses says, for each file of a package, which other files declare what it uses:
// identifiers of the package and methods. Fields do not count.
func uses(p *typed.Program, pkg *typed.Package) map[string]map[string]bool {
	links := map[string]map[string]bool{}
	for _, file := range pkg.Files {
		from := p.File(file.Package)
		links[from] = map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && declares(pkg.Types, pkg.Info.Uses[name]) {
				if to := p.File(pkg.Info.Uses[name].Pos()); to != from {
					links[from][to] = true
				}
			}
			return true
		})
	}
	return links
}

// declares reports whether an object is a package's own identifier or a method of its types.
func declares(pkg *types.Package, obj types.Object) bool {
	if obj == nil || obj.Pkg() != pkg {
		return false
	}
	f, isFunc := obj.(*types.Func)
	return obj.Parent() == pkg.Scope() || isFunc && f.Signature().Recv() != nil
}

// reached returns everything that can be reached from a file.
func reached(links map[string]map[string]bool, from string) map[string]bool {
	seen := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		next := links[todo[0]]
		todo = todo[1:]
		for to := range next {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// largestCircle returns the largest set of files that all reach each other.
func largestCircle(links map[string]map[string]bool) []string {
	down := map[string]map[string]bool{}
	for from := range links {
		down[from] = reached(links, from)
	}
	var largest []string
	for _, from := range slices.Sorted(maps.Keys(links)) {
		var circle []string
		for to := range down[from] {
			if down[to][from] {
				circle = append(circle, filepath.Base(to))
			}
		}
		if len(circle) > len(largest) {
			slices.Sort(circle)
			largest = circle
		}
	}
	return largest
}

// tooLarge says what is wrong with the circles of a package, or "".
func tooLarge(p *typed.Program, pkg *typed.Package) string {
	circle := largestCircle(uses(p, pkg))
	if len(circle) <= mostInACircle {
		return ""
	}
	return fmt.Sprintf("%s: %d files need each other, at most %d may: %s",
		pkg.Path, len(circle), mostInACircle, strings.Join(circle, ", "))
}

func TestNoCircleOfFilesIsLarge(t *testing.T) {
	p := program(t)
	for _, pkg := range p.Packages {
		if wrong := tooLarge(p, pkg); wrong != "" {
			t.Error(wrong)
		}
	}
}

// ring is a made-up package of n files, each of which uses the next.
func ring(n int, declare, use string) map[string]string {
	texts := map[string]string{}
	for i := range n {
		put := strings.NewReplacer("NEXT", fmt.Sprint((i+1)%n), "THIS", fmt.Sprint(i))
		texts[fmt.Sprintf("f%d.go", i)] = put.Replace("package a\n" + declare + "\nfunc useTHIS() { " + use + " }\n")
	}
	return texts
}

func TestTheRuleOfCirclesBites(t *testing.T) {
	tests := []struct {
		name         string
		files        int
		declare, use string
		bites        bool
	}{
		{"nine files", 9, "", "useNEXT()", true},
		{"eight files", 8, "", "useNEXT()", false},
		{"methods", 9, "func (all) mTHIS() {}", "all{}.mNEXT()", true},
		{"methods of an interface", 9, "type iTHIS interface { mTHIS() }", "var x any; x.(iNEXT).mNEXT()", true},
		{"types", 9, "type tTHIS struct{}", "_ = tNEXT{}", true},
		{"constants", 9, "const cTHIS = 1", "_ = cNEXT", true},
		{"nothing in common", 9, "", "x := 1; _ = x", false},
		{"fields", 9, "", "_ = all{}.THIS", false},
	}
	for _, tt := range tests {
		texts := ring(tt.files, tt.declare, strings.ReplaceAll(tt.use, "all{}.THIS", "one.field"))
		texts["z.go"] = "package a\ntype all struct{ field int }\nvar one all\n"
		p, err := typed.Made("example.org/made", texts)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		wrong := tooLarge(p, p.Packages[0])
		if (wrong != "") != tt.bites {
			t.Errorf("%s: the rule says %q", tt.name, wrong)
		}
		if tt.bites && !strings.Contains(wrong, "9 files need each other, at most 8 may: f0.go, f1.go") {
			t.Errorf("%s: the rule says %q, want the largest circle", tt.name, wrong)
		}
	}
}
