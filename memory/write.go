package memory

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/stemma-memory/stemma/internal/canon"
)

// A writer writes the canonical bytes of a record from its header and its body,
// one member after the other in their order, where canon.Marshal has to find out
// what each of them is and sort them. It writes what canon.Marshal would write,
// or returns up: what cannot be written, and what it has not heard of, is for
// canon.Marshal.
type writer struct {
	b  []byte
	no bool // it gave up
}

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

func (w *writer) evidence(list []Evidence) {
	if len(list) == 0 {
		return
	}
	w.name("evidence")
	w.b = append(w.b, '[')
	for i := range list {
		e := &list[i]
		w.comma('[')
		w.open()
		w.text("commit", e.Commit)
		if e.Dirty {
			w.name("dirty")
			w.b = append(w.b, "true"...)
		}
		w.count("end", int64(e.End))
		w.text("note", e.Note)
		w.text("path", e.Path)
		w.text("reference", e.Reference)
		w.text("repo", e.Repo)
		w.text("sha256", e.SHA256)
		w.count("start", int64(e.Start))
		w.text("symbol", e.Symbol)
		w.say("type", e.Type)
		w.close()
	}
	w.b = append(w.b, ']')
}

func (w *writer) open()  { w.b = append(w.b, '{') }
func (w *writer) close() { w.b = append(w.b, '}') }

// comma goes before all but what comes first: no value ends with what opens one.
func (w *writer) comma(open byte) {
	if w.b[len(w.b)-1] != open {
		w.b = append(w.b, ',')
	}
}

// name begins a member.
func (w *writer) name(name string) {
	w.comma('{')
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

// say writes a text, be it empty.
func (w *writer) say(name, s string) {
	w.name(name)
	w.b = canon.AppendText(w.b, s)
}

// text writes a text that is absent where it is empty.
func (w *writer) text(name, s string) {
	if s != "" {
		w.say(name, s)
	}
}

func (w *writer) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for _, s := range list {
		w.comma('[')
		w.b = canon.AppendText(w.b, s)
	}
	w.b = append(w.b, ']')
}

// number writes a number, be it zero.
func (w *writer) number(name string, n int64) {
	w.no = w.no || n < -maxInteger || n > maxInteger
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

// count writes a number that is absent where it is zero.
func (w *writer) count(name string, n int64) {
	if n != 0 {
		w.number(name, n)
	}
}
