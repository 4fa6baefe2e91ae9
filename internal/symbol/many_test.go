//go:build !race

package symbol

import (
	"strings"
	"testing"
)

// Source made to be slow is given up, and questions cost nothing of what a file
// may cost.
func TestTangled(t *testing.T) {
	tests := []struct{ path, one string }{
		{"a.rs", "async "}, {"a.rs", "#[a] "}, {"a.rs", "fn a "}, {"a.rs", "impl a<"}, {"a.rs", "const a: "},
		{"a.ts", "export\n"}, {"a.ts", "@a\n"}, {"a.ts", "class a extends "}, {"a.ts", "const a = "}, {
			"a.ts", "type a = b extends c ? d : ",
		},
		{"a.ts", "a<"}, {"a.ts", "(a): "}, {"a.ts", "a = "}, {"a.ts", "function a"}, {"a.js", "<a>"}, {"a.js", "=/["},
		{"a.js", "a<b "},
		{"a.ts", "x = y => "}, {"a.ts", "declare "}, {"a.ts", "f(() => "}, {"a.js", "`${"}, {"a.ts", "static "},
		{"A.java", "class a "}, {"A.java", "@a "}, {"A.java", "a(b) "}, {"A.java", "enum a<"}, {"A.java", "static a = "},
		{"a.cc", "struct "}, {"a.cc", "template<"}, {"a.cc", "A(b) "}, {"a.cc", "a::b<"}, {"a.cc", "typedef "},
		{"a.cc", "requires a<"},
		{"a.cc", "operator "}, {"a.cc", "namespace "}, {"a.c", "f(a) int b; "}, {"a.c", "#if a\n"},
		{"a.c", "struct a {"}, {"a.c", "void f() { struct "},
		{"a.py", "\\\n"}, {"a.py", "a, "}, {"a.py", "f'{"}, {"a.py", "class a:\n "}, {"a.py", "@a\n"},
		{"a.go", "func a() {"}, {"a.go", "[]"},
	}
	for _, tt := range tests {
		f := Parse(tt.path, []byte(strings.Repeat(tt.one, 1<<16/len(tt.one))))
		f.Find("a") // whatever it says, it comes to an end
		f.Names()
	}
	if got := Parse("a.rs", []byte(strings.Repeat("async ", 1<<14))).why; !strings.Contains(got, "too tangled") {
		t.Errorf("a.rs is read, and says %q", got)
	}
	f := Parse("a.ts", []byte("class a {}\n{ b(c) }\n"))
	for range 100 * stepsEach {
		if _, status, reason := f.Find("b"); status != Absent {
			t.Fatalf("Find(b) = %v %s", status, reason)
		}
	}
}
