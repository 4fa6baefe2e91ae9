package strict

import (
	"bytes"
	"iter"
)

// Span is where a value stands in a text: from the first byte to before the last.
type Span struct{ From, To int }

// Members yields the members of the object that begins at a place of a text that is JSON: their names, and where their
// values stand. What is no object has none.
func Members(raw []byte, at int) iter.Seq2[string, Span] {
	return func(yield func(string, Span) bool) {
		s := scanner{raw: raw, i: at}
		if s.space(); !s.opens('{') {
			return
		}
		for s.next('}') {
			name := s.text()
			if s.space(); s.i < len(raw) && raw[s.i] == ':' {
				s.i++
			}
			if !yield(name, s.span()) {
				return
			}
		}
	}
}

// Elements yields where the elements of a list stand in a text that is JSON. What is no list has none.
func Elements(raw []byte) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		s := scanner{raw: raw}
		if s.space(); !s.opens('[') {
			return
		}
		for s.next(']') && yield(s.span()) {
		}
	}
}

// opens reads a sign, if it is the next.
func (s *scanner) opens(sign byte) bool {
	if s.i >= len(s.raw) || s.raw[s.i] != sign {
		return false
	}
	s.i++
	return true
}

// next goes to the next part of what ends in a sign, and reports whether there is one.
func (s *scanner) next(end byte) bool {
	for s.i < len(s.raw) && (s.raw[s.i] <= ' ' || s.raw[s.i] == ',') {
		s.i++
	}
	return s.i < len(s.raw) && s.raw[s.i] != end
}

// span goes over one value, and returns where it stood.
func (s *scanner) span() Span {
	s.space()
	from := s.i
	for depth := 0; s.i < len(s.raw); {
		switch c := s.raw[s.i]; c {
		case '"':
			s.over()
		case '{', '[':
			depth++
			s.i++
		case '}', ']':
			if depth == 0 {
				return Span{from, s.i} // of what this value is in
			}
			depth--
			s.i++
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return Span{from, s.i}
			}
			s.i++
			continue
		default:
			s.i++
			continue
		}
		if depth == 0 {
			break
		}
	}
	return Span{from, s.i}
}

// over goes over a string without looking at what is in it.
func (s *scanner) over() {
	for s.i++; s.i < len(s.raw); s.i++ {
		n := bytes.IndexByte(s.raw[s.i:], '"')
		if n < 0 {
			s.i = len(s.raw)
			return
		}
		quoted := 0
		for s.i += n; s.raw[s.i-1-quoted] == '\\'; {
			quoted++
		}
		if quoted%2 == 0 {
			s.i++
			return
		}
	}
}

// End returns where the string ends that begins at a place of a text that is JSON.
func End(raw []byte, at int) int {
	s := scanner{raw: raw, i: at}
	s.over()
	return s.i
}
