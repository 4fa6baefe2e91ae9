package browse

import (
	"strings"
	"unicode/utf8"
)

// A Key is one key: the character it types, or the name of what it is.
type Key string

// The keys with a name. What was pasted comes as characters with pasted before
// them, so that no clipboard can command.
const (
	Up       Key = "up"
	Down     Key = "down"
	Left     Key = "left"
	Right    Key = "right"
	Home     Key = "home"
	End      Key = "end"
	PageUp   Key = "page-up"
	PageDown Key = "page-down"
	Enter    Key = "enter"
	Escape   Key = "escape"
	Tab      Key = "tab"
	BackTab  Key = "back-tab"
	Erase    Key = "erase"
	Stop     Key = "stop"
	Redraw   Key = "redraw"
	pasted       = "pasted:"
)

// Keys reads what a terminal sends. The zero value is at the beginning.
type Keys struct {
	rest    []byte // of a character that is not whole yet
	pasting bool
}

// controls are the bytes below the space that mean something.
var controls = map[byte]Key{
	'\r': Enter, '\n': Enter, '\t': Tab, 0x7f: Erase, 0x08: Erase, 0x03: Stop, 0x04: PageDown, 0x06: PageDown,
	0x15: PageUp, 0x02: PageUp, 0x0c: Redraw,
	0x0e: Down, 0x10: Up,
}

// sequences are what follows ESC [ or ESC O.
var sequences = map[string]Key{
	"A": Up, "B": Down, "C": Right, "D": Left, "H": Home, "F": End, "Z": BackTab, "1~": Home, "7~": Home, "4~": End,
	"8~": End, "5~": PageUp, "6~": PageDown,
}

// Read returns the keys in bytes as they came from the terminal in one go. An
// escape at their end is the key, any other begins a sequence.
func (k *Keys) Read(b []byte) []Key {
	b = append(k.rest, b...)
	k.rest = nil
	var out []Key
	for len(b) > 0 {
		if b[0] == 0x1b && len(b) > 1 && (b[1] == '[' || b[1] == 'O') {
			n := sequence(b)
			switch seq := string(b[2:n]); seq {
			case "200~":
				k.pasting = true
			case "201~":
				k.pasting = false
			default:
				if key, ok := sequences[seq]; ok && !k.pasting {
					out = append(out, key)
				}
			}
			b = b[n:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && !utf8.FullRune(b) {
			k.rest = b
			return out
		}
		if key := k.single(b[0], r); key != "" {
			out = append(out, key)
		}
		b = b[n:]
	}
	return out
}

// single returns the key of one character, "" if there is none.
func (k *Keys) single(first byte, r rune) Key {
	switch {
	case k.pasting && (r < ' ' || r == 0x7f):
		return pasted + " "
	case k.pasting:
		return Key(pasted + string(r))
	case r == 0x1b:
		return Escape
	case r < ' ' || r == 0x7f:
		return controls[first]
	case r == utf8.RuneError:
		return ""
	}
	return Key(string(r))
}

// sequence returns the length of the escape sequence that b begins with.
func sequence(b []byte) int {
	for i := 2; i < len(b); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return i + 1
		}
	}
	return len(b)
}

// typed returns the character a key puts into a line that is being typed.
func (k Key) typed() (string, bool) {
	s, wasPasted := strings.CutPrefix(string(k), pasted)
	if utf8.RuneCountInString(s) != 1 {
		return "", false
	}
	return s, wasPasted || s != ""
}
