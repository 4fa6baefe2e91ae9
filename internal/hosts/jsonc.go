package hosts

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// A node is a value in JSON with comments and trailing commas, and where it stands in
// the text: what is edited is the text.
type node struct {
	kind       byte // '{', '[', '"' or 'v' for numbers and words
	start, end int
	comma      int      // where the comma after it stands; 0 is none
	members    []member // of an object
	items      []*node  // of a list
}

type member struct {
	name  string
	start int // of the name
	value *node
}

// A syntaxError is where a text is not what it should be.
type syntaxError struct {
	line, column int
	what         string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.line, e.column, e.what)
}

// at makes an error of a place in a text. Columns are counted in characters.
func at(text string, i int, what string) error {
	before := text[:min(i, len(text))]
	begin := strings.LastIndexByte(before, '\n') + 1
	return &syntaxError{
		1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(strings.TrimPrefix(before[begin:], bom)),
		what,
	}
}

const (
	bom         = "\ufeff"
	deepestJSON = 200
	mostConfig  = 16 << 20 // bytes of a configuration file
	mostSaid    = 200      // bytes of what is wrong with one
)

// parseJSONC reads a text as editors write it: with comments, commas after the last, and a
// byte order mark. One that is blank but for comments gives nil.
func parseJSONC(text string) (*node, error) {
	if len(text) > mostConfig {
		return nil, fmt.Errorf("it is longer than %d MiB", mostConfig>>20)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	if i := tooDeep(text); i >= 0 {
		return nil, at(text, i, "it is too deep")
	}
	read := strings.TrimPrefix(text, bom)
	skipped := len(text) - len(read)
	v, err := hujson.Parse([]byte(read))
	if err == nil {
		return newNode(&v, skipped), nil
	}
	// A text may have no value at all, and a comment in the last line no line end.
	if v, err := hujson.Parse([]byte(read + "\n0")); err == nil && v.StartOffset > len(read) {
		return nil, nil
	}
	if v, err := hujson.Parse([]byte(read + "\n")); err == nil {
		return newNode(&v, skipped), nil
	}
	says, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), "\n")
	return nil, errors.New(says[:min(len(says), mostSaid)])
}

// newNode returns a value that was read, skipped bytes after the beginning of the text.
func newNode(v *hujson.Value, skipped int) *node {
	n := &node{kind: 'v', start: v.StartOffset + skipped, end: v.EndOffset + skipped}
	follows := func(v *hujson.Value, last bool) *node {
		n := newNode(v, skipped)
		if !last || v.AfterExtra != nil {
			n.comma = n.end + len(v.AfterExtra)
		}
		return n
	}
	switch of := v.Value.(type) {
	case *hujson.Object:
		n.kind = '{'
		for i := range of.Members {
			m := &of.Members[i]
			name, _ := m.Name.Value.(hujson.Literal)
			n.members = append(n.members, member{
				name.String(), m.Name.StartOffset + skipped, follows(&m.Value, i == len(of.Members)-1),
			})
		}
	case *hujson.Array:
		n.kind = '['
		for i := range of.Elements {
			n.items = append(n.items, follows(&of.Elements[i], i == len(of.Elements)-1))
		}
	case hujson.Literal:
		if of.Kind() == '"' {
			n.kind = '"'
		}
	}
	return n
}

// tooDeep returns where a text nests deeper than a parser that recurses may follow, -1
// where it does not.
func tooDeep(text string) int {
	deep := 0
	for i := 0; i < len(text); i++ {
		rest, end := text[i:], ""
		switch {
		case rest[0] == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(rest, "//"):
			end = "\n"
		case strings.HasPrefix(rest, "/*"):
			end = "*/"
		case rest[0] == '{' || rest[0] == '[':
			if deep++; deep > deepestJSON {
				return i
			}
		case rest[0] == '}' || rest[0] == ']':
			deep--
		}
		if end != "" {
			n := strings.Index(rest[2:], end)
			if n < 0 {
				break
			}
			i += 1 + n + len(end)
		}
	}
	return -1
}

// get returns a member's value, the last of one name as readers take it; nil is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// plainJSON returns a value as JSON without comments and trailing commas.
func plainJSON(text string, n *node) []byte {
	plain, err := hujson.Minimize([]byte(text[n.start:n.end]))
	if err != nil {
		return nil // it was read before
	}
	return plain
}
