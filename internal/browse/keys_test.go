package browse

import (
	"slices"
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	tests := []struct {
		name string
		in   []string // as it comes, one after the other
		want []Key
	}{
		{"letters", []string{"jk/"}, []Key{"j", "k", "/"}},
		{"arrows of both modes", []string{"\x1b[A\x1bOB\x1b[C\x1bOD"}, []Key{Up, Down, Right, Left}},
		{"far ones", []string{"\x1b[5~\x1b[6~\x1b[H\x1bOF\x1b[Z"}, []Key{PageUp, PageDown, Home, End, BackTab}},
		{"escape alone", []string{"\x1b", "q"}, []Key{Escape, "q"}},
		{"controls", []string{"\r\n\t\x7f\x08\x03\x0c"}, []Key{Enter, Enter, Tab, Erase, Erase, Stop, Redraw}},
		{"a character in two parts", []string{"\xc3", "\xa9x"}, []Key{"é", "x"}},
		{"unknown sequences", []string{"\x1b[1;5Cx\x1b[200", "~y"}, []Key{"x", "~", "y"}},
		{
			"pasted commands are text", []string{"\x1b[200~ay\r\x1b[Aq\x1b[201~q"},
			[]Key{"pasted:a", "pasted:y", "pasted: ", "pasted:q", "q"},
		},
		{"no character", []string{"\xff\x00\x01"}, nil},
	}
	for _, tt := range tests {
		var k Keys
		var got []Key
		for _, in := range tt.in {
			got = append(got, k.Read([]byte(in))...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Whatever comes, no key holds a control, and pasted text never commands.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x1b[200~q\x1b[201~"), []byte("\xe6\xbc"))
	f.Add([]byte("\x1b[A\x1b"), []byte("[B"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var k Keys
		for _, key := range append(k.Read(a), k.Read(b)...) {
			if strings.ContainsFunc(string(key), func(r rune) bool { return r < ' ' || r == 0x7f }) || key == "" {
				t.Errorf("key %q", key)
			}
		}
		if len(k.rest) > 3 {
			t.Errorf("%d bytes are kept for a character", len(k.rest))
		}
	})
}
