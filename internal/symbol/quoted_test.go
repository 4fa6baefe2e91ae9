package symbol

import "testing"

// What lies under a key that is no name ("a.b") is found by its own
// name, and given by no name that would not find it.
func TestUnderAQuotedKey(t *testing.T) {
	src := []byte("const x = {\"A.\": {A() { return 1 }}, B() { return 2 }}\n")
	f := Parse("a.ts", src)
	symbols, ok := f.Names()
	if !ok {
		t.Fatal("not read")
	}
	for _, s := range symbols {
		if span, status, why := f.Find(s.Name); status != Found || span != s.Span {
			t.Errorf("Find(%q) = %v %v %q, want %v", s.Name, span, status, why, s.Span)
		}
	}
	for name, want := range map[string]Status{
		"x.B": Found, "B": Found, "A": Found, "x.A": Unknown, "x.A..A": Unknown, "C": Absent,
	} {
		if _, status, why := f.Find(name); status != want {
			t.Errorf("Find(%q) = %v %q, want %v", name, status, why, want)
		}
	}
}
