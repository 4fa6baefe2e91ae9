// Package strict refuses what encoding/json takes in silence and loses: a member that
// stands twice, one in another case than the reader's, and text that is no Unicode.
package strict

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Error says which member is wrong, and how.
type Error struct {
	Member string // as it is written; a list's with its place: steps[2].when
	Why    string
}

func (e *Error) Error() string {
	if e.Member == "" {
		return e.Why
	}
	return e.Member + ": " + e.Why
}

// Check looks at one JSON text that is to be decoded into a value of a type, nil for
// any, and says what would be lost. What is no JSON at all is for encoding/json to say.
func Check(raw []byte, of reflect.Type) error {
	if !json.Valid(raw) {
		return nil
	}
	return Valid(raw, of)
}

// Valid is Check for a text that was decoded already.
func Valid(raw []byte, of reflect.Type) error {
	if !utf8.Valid(raw) {
		return &Error{Why: "the text is not UTF-8"}
	}
	s := scanner{raw: raw}
	s.value(shapeOf(of))
	if s.err != nil {
		return s.err
	}
	return nil
}

// maxDepth is what encoding/json reads.
const maxDepth = 10000

// A scanner goes through a text that is JSON once.
type scanner struct {
	raw   []byte
	i     int
	path  []step
	err   *Error
	depth int
}

// step is a member or a place on the way to a value.
type step struct {
	name string
	at   int // of a list; -1 is a member
}

func (s *scanner) fail(why string) {
	if s.err != nil {
		return
	}
	var b strings.Builder
	for _, p := range s.path {
		switch {
		case p.at >= 0:
			fmt.Fprintf(&b, "[%d]", p.at)
		case b.Len() > 0:
			b.WriteString("." + p.name)
		default:
			b.WriteString(p.name)
		}
	}
	const most = 100
	member := b.String()
	for len(member) > most {
		_, n := utf8.DecodeLastRuneInString(member)
		member = member[:len(member)-n]
	}
	s.err = &Error{Member: member, Why: why}
}

func (s *scanner) space() {
	for s.i < len(s.raw) && s.raw[s.i] <= ' ' {
		s.i++
	}
}

// value reads a value of a shape.
func (s *scanner) value(of *shape) {
	s.space()
	if s.err != nil || s.i >= len(s.raw) {
		return
	}
	switch s.raw[s.i] {
	case '{':
		s.nested(of, s.object)
	case '[':
		s.nested(of, s.list)
	case '"':
		s.skip()
	default:
		for s.i < len(s.raw) && s.raw[s.i] > ' ' && s.raw[s.i] != ',' && s.raw[s.i] != '}' && s.raw[s.i] != ']' {
			s.i++
		}
	}
}

func (s *scanner) nested(of *shape, read func(*shape)) {
	if s.depth++; s.depth > maxDepth {
		s.fail("it nests too deep")
	}
	s.i++
	read(of)
	s.depth--
}

// fewNames is how many names are compared one by one.
const fewNames = 24

func (s *scanner) object(of *shape) {
	var few [fewNames]string
	names := few[:0]
	var many map[string]bool
	s.path = append(s.path, step{at: -1})
	for s.err == nil {
		if s.space(); s.i >= len(s.raw) || s.raw[s.i] == '}' {
			s.i++
			break
		}
		if s.raw[s.i] == ',' {
			s.i++
			continue
		}
		name := s.text()
		s.path[len(s.path)-1].name = name
		twice := many[name]
		for _, n := range names {
			twice = twice || n == name
		}
		if twice {
			s.fail("appears twice")
		}
		if len(names) < fewNames {
			names = append(names, name)
		} else {
			if many == nil {
				many = make(map[string]bool)
			}
			many[name] = true
		}
		child, right := of.member(name)
		if right != "" {
			s.fail(fmt.Sprintf("unknown field; it is written %q", right))
		}
		if s.space(); s.i < len(s.raw) && s.raw[s.i] == ':' {
			s.i++
		}
		s.value(child)
	}
	s.path = s.path[:len(s.path)-1]
}

func (s *scanner) list(of *shape) {
	child := of.element()
	s.path = append(s.path, step{})
	for n := 0; s.err == nil; {
		if s.space(); s.i >= len(s.raw) || s.raw[s.i] == ']' {
			s.i++
			break
		}
		if s.raw[s.i] == ',' {
			s.i++
			n++
		}
		s.path[len(s.path)-1].at = n
		s.value(child)
	}
	s.path = s.path[:len(s.path)-1]
}

// text reads a string, and gives it.
func (s *scanner) text() string {
	start := s.i
	escaped := s.skip()
	inside := s.raw[start:min(s.i, len(s.raw))]
	if len(inside) < len(`""`) {
		return ""
	}
	if escaped {
		var out string
		if json.Unmarshal(inside, &out) == nil {
			return out
		}
	}
	return string(inside[1 : len(inside)-1])
}

// skip goes over a string, and reports whether there are escapes in it.
func (s *scanner) skip() (escaped bool) {
	for s.i++; s.i < len(s.raw) && s.raw[s.i] != '"'; s.i++ {
		if s.raw[s.i] == '\\' {
			escaped = true
			s.i = s.escape(s.i)
		}
	}
	s.i++
	return escaped
}

// escape reads one escape, or the two of a pair, and gives the place of its last byte.
// Half a pair is no character, and encoding/json would put another in its place.
func (s *scanner) escape(i int) int {
	unit, is := unitAt(s.raw, i)
	if !is {
		return i + 1
	}
	const last = 5
	switch {
	case unit >= 0xdc00 && unit < 0xe000:
		s.fail(fmt.Sprintf(`\u%04x is half a character; write both halves, or the character itself`, unit))
	case unit >= 0xd800 && unit < 0xdc00:
		if low, is := unitAt(s.raw, i+last+1); !is || low < 0xdc00 || low >= 0xe000 {
			s.fail(fmt.Sprintf(`\u%04x is half a character; write both halves, or the character itself`, unit))
			return i + last
		}
		return i + last + 1 + last
	}
	return i + last
}

// unitAt reads \uXXXX.
func unitAt(raw []byte, i int) (unit int, is bool) {
	const size = 6
	if i+size > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return 0, false
	}
	for _, c := range raw[i+2 : i+size] {
		unit <<= 4
		switch {
		case c >= '0' && c <= '9':
			unit |= int(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit |= int(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return unit, true
}

// Halves reports whether a JSON text holds half a character, in whose place
// encoding/json puts U+FFFD.
func Halves(raw []byte) bool {
	var s scanner
	s.raw = raw
	for i := 0; i < len(raw) && s.err == nil; i++ {
		if raw[i] == '\\' {
			i = s.escape(i)
		}
	}
	return s.err != nil
}
