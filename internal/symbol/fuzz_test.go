package symbol

import (
	"strings"
	"testing"
)

func FuzzGo(f *testing.F)         { fuzz(f, "nasty.go") }
func FuzzPython(f *testing.F)     { fuzz(f, "nasty.py") }
func FuzzTypeScript(f *testing.F) { fuzz(f, "nasty.tsx") }
func FuzzRust(f *testing.F)       { fuzz(f, "nasty.rs") }
func FuzzJava(f *testing.F)       { fuzz(f, "Nasty.java") }
func FuzzC(f *testing.F)          { fuzz(f, "nasty.c") }
func FuzzCPP(f *testing.F)        { fuzz(f, "nasty.cpp") }

// fuzz reads arbitrary bytes and asks for arbitrary names: nothing may panic,
// every answer keeps the rules of answers, and every name given is found.
func fuzz(f *testing.F, file string) {
	src := load(f, file)
	f.Add(src, "Widget.run")
	for _, part := range strings.SplitAfter(string(src), "\n\n") {
		f.Add([]byte(part), "(*T).x::y#z")
	}
	f.Fuzz(func(t *testing.T, src []byte, name string) {
		parsed := Parse(file, src)
		lines := strings.Count(string(src), "\n") + 1
		check := func(name string) (Span, Status) {
			span, status, reason := parsed.Find(name)
			if (status == Found) != (reason == "") || (status == Found) == (span == Span{}) {
				t.Errorf("Find(%q) = %v %v %q", name, span, status, reason)
			}
			if status == Found && (span.Start < 1 || span.End < span.Start || span.End > lines) {
				t.Errorf("Find(%q) = %v in %d lines", name, span, lines)
			}
			return span, status
		}
		check(name)
		symbols, ok := parsed.Names()
		if _, status := check("x"); !ok && status != Unknown {
			t.Errorf("Find in what cannot be read is %v", status)
		}
		for _, s := range symbols {
			if span, status := check(s.Name); status != Found || span != s.Span {
				t.Errorf("Find(%q) = %v %v, want %v", s.Name, span, status, s.Span)
			}
		}
	})
}
