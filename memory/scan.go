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

// readHeader reads the members of a record but its body, which it gives as it
// is; false when something is not as this version writes it.
func readHeader(raw []byte) (h Header, body []byte, ok bool) {
	s := &scan{b: raw}
	s.object(func(name []byte) {
		switch string(name) {
		case "about":
			h.About = s.texts()
		case "agent":
			h.Agent = s.text()
		case "alias":
			h.Alias = s.texts()
		case "at":
			h.At = s.time()
		case "author":
			h.Author = s.text()
		case "body":
			body = s.value()
		case "confidence":
			h.Confidence = Confidence(s.number(int(Certain)))
		case "delegation":
			h.Delegation = s.id()
		case "ext":
			h.Ext = bytes.Clone(s.value())
		case "kind":
			h.Kind = Kind(s.text())
		case "nonce":
			h.Nonce = s.text()
		case "origin":
			h.Origin = Origin(s.text())
		case "platform":
			h.Platform = s.text()
		case "provenance":
			s.provenance(&h.Provenance)
		case "recalled":
			s.array(func() { h.Recalled = append(h.Recalled, s.id()) })
		case "session":
			h.Session = s.text()
		case "space":
			h.Space = s.text()
		case "tags":
			h.Tags = s.texts()
		case "trigger":
			h.Trigger = s.text()
		case "v":
			h.V = s.number(Version)
		case "valid_from":
			h.ValidFrom = s.time()
		case "valid_until":
			h.ValidUntil = s.time()
		default:
			s.no = true
		}
	})
	return h, body, !s.no && len(s.b) == 0 && body != nil
}

func (s *scan) provenance(p *Provenance) {
	s.object(func(name []byte) {
		switch string(name) {
		case "batch":
			p.Batch = s.text()
		case "context":
			p.Context = s.text()
		case "evidence":
			s.no = s.no || json.Unmarshal(s.value(), &p.Evidence) != nil
		case "from":
			s.array(func() { p.From = append(p.From, s.ref()) })
		case "run":
			p.Run = s.text()
		case "supersedes":
			s.array(func() { p.Supersedes = append(p.Supersedes, s.ref()) })
		case "via":
			p.Via = Via(s.text())
		default:
			s.no = true
		}
	})
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
// name that is known has an escape.
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
		if s.no {
			return
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
