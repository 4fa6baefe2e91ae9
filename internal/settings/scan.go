package settings

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// A statement is one key with its value, or one header of a table, and where in
// the text it stands.
type statement struct {
	header bool
	path   []string // from the root
	line   span     // from the first line's start to behind the last one's end
	name   int      // where the key begins
	value  span     // empty for a header
}

type span struct{ from, to int }

// scan finds the statements of a text that is TOML. The parser has no places for
// what it has read, so this looks for them. It need not be right about what is
// not TOML or is hard: who changes a text by it reads the result again.
func scan(text string) []statement {
	c := &cursor{text: text}
	for _, mark := range []string{"\ufeff", "\xff\xfe", "\xfe\xff"} { // as the parser does
		if strings.HasPrefix(text, mark) {
			c.at = len(mark)
			break
		}
	}
	var all []statement
	var in []string
	for c.at < len(text) {
		s := statement{line: span{from: c.at}}
		c.skip(" \t\r")
		s.name = c.at
		switch c.peek() {
		case '\n', '#', 0:
			c.endLine()
			continue
		case '[':
			c.skip("[")
			s.header, s.path = true, c.key()
			in = s.path
			c.skip(" \t]")
		default:
			s.path = append(in[:len(in):len(in)], c.key()...)
			c.skip(" \t=")
			s.value.from = c.at
			c.value()
			s.value.to = c.at
		}
		c.endLine()
		s.line.to = c.at
		all = append(all, s)
	}
	return all
}

// A cursor goes through a text, and never beyond its end.
type cursor struct {
	text string
	at   int
}

// peek returns the byte at the cursor, 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

// skip goes over all bytes of a set.
func (c *cursor) skip(set string) {
	for c.at < len(c.text) && strings.IndexByte(set, c.text[c.at]) >= 0 {
		c.at++
	}
}

// until goes to the next byte of a set.
func (c *cursor) until(set string) {
	if i := strings.IndexAny(c.text[c.at:], set); i >= 0 {
		c.at += i
	} else {
		c.at = len(c.text)
	}
}

func (c *cursor) endLine() {
	c.until("\n")
	c.at = min(c.at+1, len(c.text))
}

// key reads a key of one or more parts.
func (c *cursor) key() []string {
	var parts []string
	for {
		c.skip(" \t")
		from := c.at
		if c.peek() == '"' || c.peek() == '\'' {
			c.quoted()
		} else {
			c.until(" \t.=]\r\n")
		}
		parts = append(parts, plainKey(c.text[from:c.at]))
		c.skip(" \t")
		if c.peek() != '.' {
			return parts
		}
		c.at++
	}
}

// plainKey takes a key out of its quotes, by the parser's rules.
func plainKey(part string) string {
	var only map[string]any
	if _, err := toml.Decode(part+" = 0", &only); err == nil && len(only) == 1 {
		for key := range only {
			return key
		}
	}
	return part
}

// quoted goes over a text in any of the four kinds of quotes.
func (c *cursor) quoted() {
	quote := c.text[c.at : c.at+1]
	end := quote
	if long := strings.Repeat(quote, 3); strings.HasPrefix(c.text[c.at:], long) {
		end = long
	}
	for c.at += len(end); c.at < len(c.text); c.at++ {
		switch {
		case c.text[c.at] == '\\' && quote == `"`:
			c.at++
		case strings.HasPrefix(c.text[c.at:], end):
			c.at += len(end)
			for extra := 0; len(end) == 3 && extra < 2 && strings.HasPrefix(c.text[c.at:], quote); extra++ {
				c.at++ // up to two quotes may stand before the last three
			}
			return
		}
	}
	c.at = len(c.text)
}

// value goes over a value: text, a list or table with all in it, or a word.
func (c *cursor) value() {
	for depth := 0; ; {
		switch c.peek() {
		case 0:
			return
		case '"', '\'':
			c.quoted()
		case '[', '{':
			depth++
			c.at++
		case ']', '}':
			depth--
			c.at++
		case '#':
			c.until("\n")
		case ' ', '\t', '\r', '\n', ',':
			c.at++
		default:
			from := c.at
			c.until("\"'[]{}#,\r\n")
			c.at = from + len(strings.TrimRight(c.text[from:c.at], " \t"))
		}
		if depth <= 0 {
			return
		}
	}
}
