package memory

import (
	"bytes"
	"encoding/json"
)

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
		}
	})
}

// readable are the bodies of the kinds that there are most of. They read themselves, as
// readHeader reads a header.
type readable interface{ read(s *scan) }

// readBody reads a body; false when it does not read itself, or something is not as this
// version writes it, and then b may be half filled.
func readBody(raw []byte, b Body) bool {
	body, ok := b.(readable)
	if !ok {
		return false
	}
	s := &scan{b: raw}
	body.read(s)
	return !s.no && len(s.b) == 0
}
