package memory

import (
	"bytes"
	"sync"

	"github.com/stemma-memory/stemma/internal/canon"
)

// maxRoom bounds the rooms that are kept to write in: most records need far less.
const maxRoom = 64 << 10

var rooms = sync.Pool{New: func() any { return new([]byte) }}

// writes reports whether a record of this header and body is written as raw. It
// may say no where the answer is yes, and then costs more than it saved.
func writes(raw []byte, h *Header, b Body) bool {
	room := rooms.Get().(*[]byte)
	w := writer{b: (*room)[:0]}
	w.record(h, b)
	if cap(w.b) <= maxRoom {
		*room = w.b
	}
	same := !w.no && bytes.Equal(w.b, raw)
	rooms.Put(room)
	return same
}

func (w *writer) record(h *Header, b Body) {
	w.open()
	w.texts("about", h.About)
	w.text("agent", h.Agent)
	w.texts("alias", h.Alias)
	w.no = w.no || h.At.IsZero()
	w.time("at", h.At)
	w.say("author", h.Author)
	w.name("body")
	w.body(b)
	w.number("confidence", int64(h.Confidence))
	if !h.Delegation.IsZero() {
		w.name("delegation")
		w.id(h.Delegation)
	}
	if len(h.Ext) > 0 {
		w.no = w.no || canon.Check(h.Ext) != nil
		w.name("ext")
		w.b = append(w.b, h.Ext...)
	}
	w.say("kind", string(h.Kind))
	w.say("nonce", h.Nonce)
	w.say("origin", string(h.Origin))
	w.text("platform", h.Platform)
	w.name("provenance")
	w.provenance(&h.Provenance)
	if len(h.Recalled) > 0 {
		w.name("recalled")
		w.b = append(w.b, '[')
		for _, id := range h.Recalled {
			w.comma('[')
			w.id(id)
		}
		w.b = append(w.b, ']')
	}
	w.text("session", h.Session)
	w.say("space", h.Space)
	w.texts("tags", h.Tags)
	w.text("trigger", h.Trigger)
	w.number("v", int64(h.V))
	w.time("valid_from", h.ValidFrom)
	w.time("valid_until", h.ValidUntil)
	w.close()
}

func (w *writer) provenance(p *Provenance) {
	w.open()
	w.text("batch", p.Batch)
	w.text("context", p.Context)
	w.evidence(p.Evidence)
	w.refs("from", p.From)
	w.text("run", p.Run)
	w.refs("supersedes", p.Supersedes)
	w.say("via", string(p.Via))
	w.close()
}

// body writes the body of a kind that is known.
func (w *writer) body(b Body) {
	w.open()
	b.write(w)
	w.close()
}
