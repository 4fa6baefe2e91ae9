package hosts

import (
	"bytes"
	"encoding/json"
)

// longestEscape is how much of the end of a string may be the half of an escape: a pair of
// \uXXXX.
const longestEscape = 12

// mended reads a JSON object whose end is missing, as far as it goes: what is open is closed, and
// a member that has no value yet is left out. It returns nil for what is no such object.
func mended(text []byte) fields {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	open, inString, comma := unclosed(text)
	if open == nil {
		return nil // it is whole, and wrong elsewhere
	}
	closed := func(text []byte, open []byte, ends string) fields {
		whole := append(bytes.Clone(text), ends...)
		for i := len(open) - 1; i >= 0; i-- {
			whole = append(whole, open[i])
		}
		var out fields
		if json.Unmarshal(whole, &out) != nil {
			return nil
		}
		return out
	}
	if inString {
		for cut := range min(longestEscape, len(text)-1) {
			if out := closed(text[:len(text)-cut], open, `"`); out != nil {
				return out
			}
		}
	} else if out := closed(text, open, ""); out != nil {
		return out
	}
	if comma.at == 0 {
		return nil
	}
	return closed(text[:comma.at], comma.open, "")
}

// A place in a text, and the brackets that close what is open there.
type brackets struct {
	at   int
	open []byte
}

// unclosed returns what would close a text, whether its end lies in a string, and its last comma
// outside of one. Open is nil where everything is closed.
func unclosed(text []byte) (open []byte, inString bool, comma brackets) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c || len(open) == 1 {
				return nil, false, comma
			}
			open = open[:len(open)-1]
		case c == ',':
			if len(open) > deepestJSON {
				return nil, false, comma
			}
			comma = brackets{i, append(comma.open[:0], open...)}
		}
	}
	return open, inString, comma
}
