package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// unnamed returns the lines of a file on which a struct without a name begins. An alias
// is no name: the type has none of its own.
func unnamed(s source) []int {
	named := map[*ast.StructType]bool{}
	var lines []int
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if of, is := n.Type.(*ast.StructType); is && !n.Assign.IsValid() {
				named[of] = true
			}
		case *ast.StructType:
			if !named[n] {
				lines = append(lines, s.line(n))
			}
		}
		return true
	})
	return lines
}

// Others write the parts of requests and replies in Go too: each struct in package api has
// a name to write it by.
func TestStructsOfTheAPIHaveNames(t *testing.T) {
	read := 0
	for _, s := range sources(t) {
		if s.dir() != "api" || s.isTest() {
			continue
		}
		read++
		for _, line := range unnamed(s) {
			t.Errorf("%s:%d has a struct without a name: give it one that says what it is", s.name, line)
		}
	}
	if read == 0 {
		t.Error("package api has no files")
	}
}

func TestTheRuleOfNamesBites(t *testing.T) {
	const text = `package api
type A struct { B }
type B struct {
	C []struct{ D int }
}
type E = struct{}
var f struct{}
func g() {
	type h struct{}
	_ = struct{}{}
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "api/a.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := unnamed(source{name: "api/a.go", set: set, file: file}); !slices.Equal(got, []int{4, 6, 7, 10}) {
		t.Errorf("structs without a name in lines %v, want 4, 6, 7 and 10", got)
	}
}
