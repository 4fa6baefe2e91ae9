package importers

import (
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// A taker takes members of a row into fields, and keeps the first error.
type taker struct {
	m   members
	err error
}

func (t *taker) text(names ...string) string {
	s, err := t.m.text(names...)
	t.keep(err)
	return strings.TrimSpace(s)
}

func (t *taker) need(names ...string) string {
	s, err := t.m.need(names...)
	t.keep(err)
	return s
}

func (t *taker) texts(names ...string) []string {
	list, err := t.m.texts(names...)
	t.keep(err)
	return list[:min(len(list), memory.MaxItems)]
}

func (t *taker) number(least, most float64, names ...string) *float64 {
	f, err := t.m.number(least, most, names...)
	t.keep(err)
	return f
}

func (t *taker) keep(err error) {
	if t.err == nil {
		t.err = err
	}
}
