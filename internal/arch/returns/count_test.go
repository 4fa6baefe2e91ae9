package main

import (
	"go/types"
	"testing"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

const module = "example.org/made"

// The entry point is in a.go, and each row adds what b.go and c.go do.
func TestFromCountsCallsThatComeBack(t *testing.T) {
	tests := []struct {
		name, a, b, c string
		want          int
	}{
		{"down only", "b(); c()", "c()", "", 0},
		{"back to the entry", "b()", "helper()", "", 1},
		{"back from two places", "b()", "helper(); helper()", "", 2},
		{"within a file", "helper(); helper()", "", "", 0},
		{"back by the second path alone", "c(); b()", "c()", "helper()", 1},
		{"back from below", "b()", "c()", "other()", 1},
		{"a value", "b()", "f := helper; f()", "", 1},
		{"a literal", "b()", "func() { helper() }()", "", 1},
		{"the store's interface", "b()", "var p port; p.get()", "", 1},
		{"another interface", "b()", "var p other2; p.put()", "", 0},
	}
	for _, tt := range tests {
		p, err := typed.Made(module, map[string]string{
			"a.go": "package a; type E struct{}; func (E) Go() { " + tt.a + " }; func helper() {}; type kept struct{};" +
				"func (*kept) get() {}; type port interface { get() }; type other2 interface { put() }",
			"b.go": "package a; func b() { " + tt.b + " }; func other() {}",
			"c.go": "package a; func c() { " + tt.c + " }",
		})
		if err != nil {
			t.Fatal(tt.name, err)
		}
		made := p.Packages[0].Types
		entry, err := method(made, "E", "Go")
		if err != nil {
			t.Fatal(err)
		}
		store := types.NewPointer(made.Scope().Lookup("kept").Type())
		if got := newGraph(p, store).from(entry); len(got.returns) != tt.want {
			t.Errorf("%s: %d calls come back, want %d", tt.name, len(got.returns), tt.want)
		}
	}
}
