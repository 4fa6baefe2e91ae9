package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A node is a value in JSON with comments and trailing commas, and where it stands in
// the text: what is edited is the text.
type node struct {
	kind       byte // '{', '[', '"' or 'v' for numbers and words
	start, end int
	members    []member // of an object
	items      []*node  // of a list
}

type member struct {
	name  string
	start int // of the name
	value *node
}

// A syntaxError is where a text is not JSON.
type syntaxError struct {
	line, column int
	what         string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.line, e.column, e.what)
}

// at makes an error of a place in a text. Columns are counted in characters.
func at(text string, i int, what string) error {
	i = min(i, len(text))
	before := text[:i]
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
)

// parser reads JSON as editors write it: with comments, commas after the last, and a
// byte order mark.
type parser struct {
	text string
	i    int
}

// parseJSONC reads a text. One that is blank but for comments gives nil.
func parseJSONC(text string) (*node, error) {
	if len(text) > mostConfig {
		return nil, fmt.Errorf("it is longer than %d MiB", mostConfig>>20)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	p := &parser{text: text}
	p.i = len(text) - len(strings.TrimPrefix(text, bom))
	if err := p.blank(); err != nil {
		return nil, err
	}
	if p.i == len(text) {
		return nil, nil
	}
	n, err := p.value(0)
	if err == nil {
		err = p.blank()
	}
	if err == nil && p.i < len(text) {
		err = at(text, p.i, "there is more after the end")
	}
	return n, err
}

// blank passes over blanks and comments.
func (p *parser) blank() error {
	for p.i < len(p.text) {
		rest := p.text[p.i:]
		switch {
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			p.i++
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				p.i += n
			} else {
				p.i = len(p.text)
			}
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return at(p.text, p.i, "a comment has no end")
			}
			p.i += n + 4
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) peek() byte {
	if p.i < len(p.text) {
		return p.text[p.i]
	}
	return 0
}

func (p *parser) value(deep int) (*node, error) {
	if deep > deepestJSON {
		return nil, at(p.text, p.i, "it is too deep")
	}
	n := &node{start: p.i}
	var err error
	switch c := p.peek(); {
	case c == '{':
		n.kind, err = '{', p.object(n, deep)
	case c == '[':
		n.kind, err = '[', p.list(n, deep)
	case c == '"':
		n.kind = '"'
		_, err = p.str()
	case p.i == len(p.text):
		err = at(p.text, p.i, "it ends too early")
	default:
		n.kind, err = 'v', p.word()
	}
	n.end = p.i
	return n, err
}

func (p *parser) object(n *node, deep int) error {
	p.i++
	for {
		if err := p.blank(); err != nil {
			return err
		}
		if p.peek() == '}' {
			p.i++
			return nil
		}
		m := member{start: p.i}
		if p.peek() != '"' {
			return at(p.text, p.i, "want a name in double quotes or }")
		}
		var err error
		if m.name, err = p.str(); err != nil {
			return err
		}
		if err = p.blank(); err != nil {
			return err
		}
		if p.peek() != ':' {
			return at(p.text, p.i, "want : after a name")
		}
		p.i++
		if err = p.blank(); err != nil {
			return err
		}
		if m.value, err = p.value(deep + 1); err != nil {
			return err
		}
		n.members = append(n.members, m)
		if err = p.comma('}'); err != nil {
			return err
		}
	}
}

func (p *parser) list(n *node, deep int) error {
	p.i++
	for {
		if err := p.blank(); err != nil {
			return err
		}
		if p.peek() == ']' {
			p.i++
			return nil
		}
		item, err := p.value(deep + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
		if err = p.comma(']'); err != nil {
			return err
		}
	}
}

// comma passes over the comma between two, or stands before the end.
func (p *parser) comma(end byte) error {
	if err := p.blank(); err != nil {
		return err
	}
	switch p.peek() {
	case ',':
		p.i++
		return nil
	case end:
		return nil
	}
	return at(p.text, p.i, fmt.Sprintf("want , or %c", end))
}

func (p *parser) str() (string, error) {
	start := p.i
	for p.i++; p.i < len(p.text); p.i++ {
		switch c := p.text[p.i]; {
		case c == '\\':
			p.i++
		case c == '"':
			p.i++
			var s string
			if json.Unmarshal([]byte(p.text[start:p.i]), &s) != nil {
				return "", at(p.text, start, "this is no string of JSON")
			}
			return s, nil
		case c < ' ':
			return "", at(p.text, p.i, "a string has no end on its line")
		}
	}
	p.i = len(p.text)
	return "", at(p.text, start, "a string has no end")
}

func (p *parser) word() error {
	start := p.i
	for p.i < len(p.text) && !strings.ContainsRune(" \t\r\n,:{}[]\"/", rune(p.text[p.i])) {
		p.i++
	}
	if !json.Valid([]byte(p.text[start:p.i])) {
		return at(p.text, start, "this is no value of JSON")
	}
	return nil
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
	var b strings.Builder
	writePlain(&b, text, n)
	return []byte(b.String())
}

func writePlain(b *strings.Builder, text string, n *node) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(m.name)
			b.Write(name)
			b.WriteByte(':')
			writePlain(b, text, m.value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			writePlain(b, text, item)
		}
		b.WriteByte(']')
	default:
		b.WriteString(text[n.start:n.end])
	}
}
