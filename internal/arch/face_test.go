package arch

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// public are the packages that other programs may import.
var public = []string{".", "api", "audit", "audit/report", "client", "embed/minilm", "llm", "llm/llmtest", "memory"}

// mostPublicNames is how many names they have today. It may only fall, unless replies say more or there is an operation
// more: that which assigns memories to a project came last. The 37 structs in replies that had no name have one since,
// and the Go client has a method for each of the 118 operations: an operation more is two names now.
// The model in the box is five, the list of decisions with its three types is five, and an audit that gives the words
// of a bundle has two types for them. The groups of Config are four, and an
// answer without a source has five types and three words for what differs. What supports a memory is one.
// The data of one person are nine types of requests and replies, and a certificate has five and its check six names.
// A pack with its proofs is seven: what proves an entry, the audit of one, and what that says of the pack, of each
// entry, sentence and quotation.
// Blame with its seven types is nine. An attestation of a change is 24: two of requests and replies, its check, twelve
// types of what it says, six of the auditor, the operation of library and client, and what a receipt withheld.
const mostPublicNames = 906

// A name is one exported name of a public package, or one exported method of such a type.
type name struct {
	text string // "llm.Question", "llm.Question.Render"
	obj  types.Object
}

// names returns the exported names of packages: what is at their top, and the exported
// methods of each type there, those of embedded fields included. An alias and the type
// that it stands for are one name.
func names(packages []*types.Package) []name {
	seen := map[types.Object]bool{}
	var all []name
	add := func(text string, obj types.Object) {
		if !seen[obj] {
			seen[obj] = true
			all = append(all, name{text: text, obj: obj})
		}
	}
	for _, pkg := range packages {
		for _, top := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(top)
			if !obj.Exported() {
				continue
			}
			text := pkg.Name() + "." + top
			typ, isType := obj.(*types.TypeName)
			if !isType {
				add(text, obj)
				continue
			}
			meant := meantBy(typ)
			if seen[meant] {
				continue
			}
			add(text, meant)
			for method := range methods(typ.Type()) {
				all = append(all, name{text + "." + method.Name(), method})
			}
		}
	}
	return all
}

// meantBy returns the type that a name stands for in the end.
func meantBy(name *types.TypeName) types.Object {
	if named, ok := types.Unalias(name.Type()).(*types.Named); ok {
		return named.Obj()
	}
	return name
}

// methods yields the exported methods that a value of a type has, or a pointer to it.
func methods(t types.Type) func(yield func(*types.Func) bool) {
	if !types.IsInterface(t) {
		t = types.NewPointer(types.Unalias(t))
	}
	set := types.NewMethodSet(t)
	return func(yield func(*types.Func) bool) {
		for method := range set.Methods() {
			if f := method.Obj().(*types.Func); f.Exported() && !yield(f) {
				return
			}
		}
	}
}

// A seeker looks for internal types in what others see of a type.
type seeker struct {
	seen  map[types.Type]bool
	found map[string]bool // by their directory and name
}

// internalIn returns the internal types that the signature of a name has in it.
func internalIn(obj types.Object) []string {
	s := seeker{map[types.Type]bool{}, map[string]bool{}}
	typ, isType := obj.(*types.TypeName)
	switch {
	case isType && !s.isInternal(typ):
		s.inside(typ.Type().Underlying())
	case !isType:
		s.inside(obj.Type())
	}
	return slices.Sorted(maps.Keys(s.found))
}

// isInternal notes a type that others cannot name.
func (s *seeker) isInternal(of *types.TypeName) bool {
	if of.Pkg() == nil {
		return false
	}
	dir, own := ours(of.Pkg().Path())
	if !own || !under(dir, "internal") {
		return false
	}
	s.found[dir+"."+of.Name()] = true
	return true
}

// inside looks through a type down to the names in it. Types with names are not opened:
// they are looked at where they are declared.
func (s *seeker) inside(t types.Type) {
	if t == nil || s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		s.inside(types.Unalias(t))
	case *types.Named:
		s.isInternal(t.Obj())
		for arg := range t.TypeArgs().Types() {
			s.inside(arg)
		}
	case *types.Signature:
		s.tuple(t.Params())
		s.tuple(t.Results())
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				s.inside(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if method.Exported() {
				s.inside(method.Type())
			}
		}
	case *types.Map:
		s.inside(t.Key())
		s.inside(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		s.inside(t.Elem())
	}
}

func (s *seeker) tuple(t *types.Tuple) {
	for v := range t.Variables() {
		s.inside(v.Type())
	}
}

// leaks says which names have an internal type in them.
func leaks(all []name) []string {
	var wrong []string
	for _, n := range all {
		for _, of := range internalIn(n.obj) {
			wrong = append(wrong, fmt.Sprintf("%s: other programs cannot name %s", n.text, of))
		}
	}
	return wrong
}

// publicPackages returns the types of the public packages. The root comes last, so that a
// type has the name of the package that declares it.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	var packages []*types.Package
	p := program(t)
	for _, dir := range slices.SortedFunc(slices.Values(public), func(a, b string) int { return cmp.Compare(b, a) }) {
		pkg := p.Package(strings.TrimSuffix(module+"/"+dir, "/."))
		if pkg == nil {
			t.Fatalf("%s is no package", dir)
		}
		packages = append(packages, pkg.Types)
	}
	return packages
}

func TestSignaturesNameNoInternalType(t *testing.T) {
	for _, wrong := range leaks(names(publicPackages(t))) {
		t.Error(wrong)
	}
}

func TestThePublicFaceDoesNotGrow(t *testing.T) {
	all := names(publicPackages(t))
	if len(all) == 0 || len(all) > mostPublicNames {
		t.Errorf("the public packages have %d names, at most %d", len(all), mostPublicNames)
	}
	by := map[string]int{}
	for _, n := range all {
		pkg, _, _ := strings.Cut(n.text, ".")
		by[pkg]++
	}
	t.Logf("%d public names: %v", len(all), by)
}

// made is one made-up package with others' types in it.
func made(t *testing.T, path, text string) *types.Package {
	t.Helper()
	p, err := typed.Made(path, map[string]string{"a.go": text})
	if err != nil {
		t.Fatal(err)
	}
	return p.Packages[0].Types
}

func TestNamesCountAnAliasOnce(t *testing.T) {
	for text, want := range map[string]int{
		"type T struct{}":                                        1,
		"type T struct{}; type U = T":                            1,
		"type t struct{}; type U = t":                            1,
		"type T struct{}; func (T) M() {}; func (*T) N() {}":     3,
		"type T struct{}; func (T) m() {}; var v, W int":         2,
		"type T interface { M(); n() }":                          2,
		"type e struct{}; func (e) M() {}; type T struct { *e }": 2,
		"const A, b = 1, 2; func F() {}; func f() {}":            2,
	} {
		if got := len(names([]*types.Package{made(t, module, "package a; "+text)})); got != want {
			t.Errorf("%s: %d names, want %d", text, got, want)
		}
	}
}

// The made-up package is an internal one, so other programs cannot name its type in.
func TestTheRuleOfSignaturesBites(t *testing.T) {
	for text, want := range map[string]int{
		"func F(in) {}":                       1,
		"func F() *in { return nil }":         1,
		"func F(a, b in) in { return a }":     1,
		"func F(func(in)) {}":                 1,
		"var V map[string][]in":               1,
		"var V map[in]int":                    1,
		"var V chan in":                       1,
		"var V struct { F in }":               1,
		"var V struct { f in }":               0,
		"var V interface { M(in) }":           1,
		"type g[T any] int; func F(g[in]) {}": 2,
		"var V int":                           0,
		"func f(in) {}":                       0,
		"func F() { var v in; _ = v }":        0,
	} {
		pkg := made(t, module+"/internal/made", "package a; type in struct{}; "+text)
		if got := leaks(names([]*types.Package{pkg})); len(got) != want {
			t.Errorf("%s: found %q, want %d", text, got, want)
		}
	}
}
