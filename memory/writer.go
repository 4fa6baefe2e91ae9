package memory

import (
	"encoding/hex"
	"strconv"

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

func (w *writer) open() { w.b = append(w.b, '{') }

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

// time writes a time that is absent where it is none.
func (w *writer) time(name string, t Time) {
	if t.IsZero() {
		return
	}
	utc := t.Time().UTC()
	if y := utc.Year(); y < 1 || y > 9999 {
		w.no = true
		return
	}
	w.name(name)
	w.b = append(w.b, '"')
	w.b = utc.AppendFormat(w.b, timeLayout)
	w.b = append(w.b, '"')
}

// id writes an id; the zero one has no spelling.
func (w *writer) id(id ID) {
	w.no = w.no || id.IsZero()
	w.b = append(w.b, '"')
	w.b = hex.AppendEncode(w.b, id[:])
	w.b = append(w.b, '"')
}

// ref writes a ref that is absent where it is nil.
func (w *writer) ref(name string, r *Ref) {
	if r != nil {
		w.name(name)
		w.oneRef(r)
	}
}

func (w *writer) refs(name string, list []Ref) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for i := range list {
		w.comma('[')
		w.oneRef(&list[i])
	}
	w.b = append(w.b, ']')
}

func (w *writer) oneRef(r *Ref) {
	w.no = w.no || r.ID.IsZero() || !wellFormedKind(string(r.Kind))
	w.b = append(w.b, '"')
	w.b = append(w.b, r.Kind...)
	w.b = append(w.b, ':')
	w.b = hex.AppendEncode(w.b, r.ID[:])
	w.b = append(w.b, '"')
}
