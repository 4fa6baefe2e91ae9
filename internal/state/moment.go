package state

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// An Arrival is a place in a reader's log.
type Arrival struct {
	Space string
	Seq   int64
	At    time.Time // when it came, by the reader's clock; zero is long ago
}

// compare orders places: by the clock, which within a space never goes back, then
// by space, so that one order holds for all.
func (a Arrival) compare(b Arrival) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Space, b.Space), cmp.Compare(a.Seq, b.Seq))
}

// A moment is when a record arrived. Records that are not held come after all others.
type moment struct {
	k     *Keyring
	id    memory.ID
	asked bool // place and held are known
	held  bool
	place Arrival
}

// moment returns the moment of a record. The log is asked once it matters.
func (k *Keyring) moment(id memory.ID) *moment { return &moment{k: k, id: id} }

func (m *moment) ask() {
	if !m.asked && m.k.Arrived != nil {
		m.place, m.held = m.k.Arrived(m.id)
	}
	m.asked = true
}

// compare orders all moments; the smaller ID breaks a tie.
func (m *moment) compare(o *moment) int {
	m.ask()
	o.ask()
	switch {
	case m.held != o.held:
		if m.held {
			return -1
		}
		return 1
	case !m.held:
		return m.id.Compare(o.id)
	}
	return cmp.Or(m.place.compare(o.place), m.id.Compare(o.id))
}

func (m *moment) before(o *moment) bool { return m.compare(o) < 0 }

// first reports whether a came before b.
func (k *Keyring) first(a, b *memory.Record) bool { return k.moment(a.ID).before(k.moment(b.ID)) }

// surely reports whether a is in the log and came before b. Where there is no log,
// nothing came before anything.
func (k *Keyring) surely(a, b *memory.Record) bool {
	at := k.moment(a.ID)
	at.ask()
	return at.held && at.before(k.moment(b.ID))
}

// maxFrom bounds how many lines of a stranger's from are read: each may ask for the
// root of a whole log.
const maxFrom = 64

// A fromLine is one line of a revocation's from.
type fromLine struct {
	space string
	size  int64
	root  string
}

func fromLines(text string) []fromLine {
	var out []fromLine
	for line := range strings.Lines(text) {
		if len(out) == maxFrom {
			break
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		if size, err := strconv.ParseInt(fields[1], 10, 64); err == nil && size >= 0 {
			out = append(out, fromLine{fields[0], size, fields[2]})
		}
	}
	return out
}

// FromLine returns one line of a revocation's from: how long the log of a space
// was, and with what root, when the key was last believed.
func FromLine(space string, size int64, root string) string {
	return space + " " + strconv.FormatInt(size, 10) + " " + root
}
