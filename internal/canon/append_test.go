package canon

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A text is appended as Marshal writes it, whatever it holds and wherever in it
// that stands.
func TestAppendText(t *testing.T) {
	parts := []string{
		"", "a", `"`, `\`, "/", "\b\f\n\r\t", "\x00\x1f\x7f", "<&>", "\u2028\u2029", "é", "🙂", "\ufffd", "\xff",
		"\xed\xa0\x80", "\xf0\x9f",
	}
	for _, one := range parts {
		for _, two := range parts {
			for _, fill := range []int{0, 1, 7, 8, 9} {
				sameText(t, strings.Repeat("x", fill)+one+strings.Repeat("y", fill)+two)
			}
		}
	}
}

func FuzzAppendText(f *testing.F) {
	f.Add("plain")
	f.Add("line\nand \"quote\" and \\ and \xff and 🙂")
	f.Fuzz(func(t *testing.T, s string) { sameText(t, s) })
}

func sameText(t *testing.T, s string) {
	t.Helper()
	want, err := Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	before := []byte("before")
	got := AppendText(before, s)
	if !bytes.Equal(got, fmt.Appendf(nil, "before%s", want)) {
		t.Errorf("AppendText(%q) = %s, want before%s", s, got, want)
	}
}
