package memory

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A scan reads the canonical bytes of a record from the front. It knows only
// what records are made of and says no to all else, which is then read by
// encoding/json: reading our own rows is most of the work of a trace, and most
// of that is the header. Whatever it reads, Decode compares with the bytes.
type scan struct {
	b  []byte
	no bool // something unforeseen
}

// take takes c from the front.
func (s *scan) take(c byte) bool {
	if s.no || len(s.b) == 0 || s.b[0] != c {
		return false
	}
	s.b = s.b[1:]
	return true
}

// object reads an object and calls member after each name, as it is written: no
// name that is known has an escape. Of a name that is not known member takes no
// value, which ends the reading.
func (s *scan) object(member func(name []byte)) {
	if !s.take('{') {
		s.no = true
		return
	}
	for first := true; !s.take('}'); first = false {
		if !first && !s.take(',') {
			s.no = true
		}
		name := s.quoted()
		if s.no || !s.take(':') {
			s.no = true
			return
		}
		if member(name[1 : len(name)-1]); s.no {
			return
		}
	}
}

// array reads an array and calls element before each value.
func (s *scan) array(element func()) {
	if !s.take('[') {
		s.no = true
		return
	}
	for first := true; !s.take(']'); first = false {
		if !first && !s.take(',') {
			s.no = true
		}
		if element(); s.no {
			return
		}
	}
}

func (s *scan) texts() (list []string) {
	s.array(func() { list = append(list, s.text()) })
	return list
}

// text reads a string.
func (s *scan) text() string {
	raw := s.quoted()
	if s.no {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	s.no = json.Unmarshal(raw, &text) != nil
	return text
}

// quoted takes a string as it is written, its quotation marks included.
func (s *scan) quoted() []byte {
	if s.no || len(s.b) == 0 || s.b[0] != '"' {
		s.no = true
		return nil
	}
	for i := 1; i < len(s.b); i++ {
		switch s.b[i] {
		case '\\':
			i++
		case '"':
			raw := s.b[:i+1]
			s.b = s.b[i+1:]
			return raw
		}
	}
	s.no = true
	return nil
}

// value takes any value as it is written.
func (s *scan) value() []byte {
	all, depth := s.b, 0
	for len(s.b) > 0 && !s.no {
		switch s.b[0] {
		case '"':
			s.quoted()
		case '{', '[':
			depth++
			s.b = s.b[1:]
		case '}', ']':
			if depth == 0 {
				return all[:len(all)-len(s.b)]
			}
			depth--
			s.b = s.b[1:]
		case ',':
			if depth == 0 {
				return all[:len(all)-len(s.b)]
			}
			s.b = s.b[1:]
		default:
			s.b = s.b[1:]
		}
	}
	s.no = true // an object's last value is followed by its end
	return nil
}

// number reads a whole number from 0 to most.
func (s *scan) number(most int) int {
	i := 0
	for i < len(s.b) && s.b[i] >= '0' && s.b[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(string(s.b[:i]))
	if err != nil || n > most {
		s.no = true
		return 0
	}
	s.b = s.b[i:]
	return n
}

func (s *scan) id() (id ID) {
	raw := s.quoted()
	s.no = s.no || id.UnmarshalText(raw[1:len(raw)-1]) != nil
	return id
}

func (s *scan) ref() (r Ref) {
	raw := s.quoted()
	s.no = s.no || r.UnmarshalText(raw[1:len(raw)-1]) != nil
	return r
}

func (s *scan) time() (t Time) {
	raw := s.quoted()
	s.no = s.no || t.UnmarshalText(raw[1:len(raw)-1]) != nil
	return t
}
