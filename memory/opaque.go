package memory

import "encoding/json"

// Opaque is the body of a kind or version this binary does not know: kept,
// verified, stored and synced as it came.
type Opaque struct {
	of Kind
	json.RawMessage
}

// kind returns the kind as the header names it.
func (o *Opaque) kind() Kind { return o.of }

// headline says that the kind is unknown here.
func (o *Opaque) headline() string { return "(" + string(o.of) + " of a newer version)" }

// words is empty: an unknown body is not searched.
func (o *Opaque) words() string { return "" }

// check accepts whatever came: its maker knows better.
func (o *Opaque) check() error { return nil }

func (o *Opaque) write(w *writer) { w.no = true } // its bytes are kept as they came

func (*Opaque) sealed() {}
