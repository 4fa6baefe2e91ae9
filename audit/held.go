package audit

import (
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// fact is what is kept of a sound statement until all statements are known.
type fact struct {
	line       int
	ref        memory.Ref
	space      string
	seq        int64 // in the log of its space
	arrived    time.Time
	author     string
	agent      string
	delegation memory.ID
	origin     memory.Origin
	at         time.Time
	cites      []memory.Ref
}

// seen says what stands under an id.
type seen struct {
	kind   memory.Kind
	line   int
	fact   int // its index among the facts; -1 where there is none
	purged bool
}

const noFact = -1

// held keeps the facts of all statements, of which there may be millions, in little room: most
// share with others who wrote them and where, and few cite more than one.
type held struct {
	at     map[memory.ID]int32 // a fact's number, or a bitwise complement of a place in others
	others []seen              // of what is no sound statement
	chunks [][]packed          // each of chunkFacts, so that none is moved as they grow
	n      int
	shared []shared
	known  map[shared]int32
}

const chunkFacts = 4096

// packed is a fact without what it shares with others. Times are in milliseconds since 1970.
type packed struct {
	id              memory.ID
	seq             int64
	at, arrived     int64
	line            int32
	shared          int32
	cites           []memory.Ref
	noAt, noArrived bool // the time is the zero time
}

// shared is what many facts have in common.
type shared struct {
	kind                 memory.Kind
	space, author, agent string
	delegation           memory.ID
	origin               memory.Origin
}

func newHeld() held { return held{at: make(map[memory.ID]int32), known: make(map[shared]int32)} }

// find returns what stands under an id.
func (h *held) find(id memory.ID) (seen, bool) {
	at, is := h.at[id]
	switch {
	case !is:
		return seen{}, false
	case at < 0:
		return h.others[^at], true
	}
	p := h.packed(int(at))
	return seen{kind: h.shared[p.shared].kind, line: int(p.line), fact: int(at)}, true
}

// put says what stands under an id. A fact is added next.
func (h *held) put(id memory.ID, s seen) {
	if s.fact != noFact {
		h.at[id] = int32(s.fact)
		return
	}
	h.at[id] = ^int32(len(h.others))
	h.others = append(h.others, s)
}

// facts returns how many facts there are.
func (h *held) facts() int { return h.n }

func (h *held) packed(i int) *packed { return &h.chunks[i/chunkFacts][i%chunkFacts] }

// add adds a fact.
func (h *held) add(f *fact) {
	s := shared{
		kind: f.ref.Kind, space: f.space, author: f.author, agent: f.agent, delegation: f.delegation, origin: f.origin,
	}
	no, is := h.known[s]
	if !is {
		no = int32(len(h.shared))
		h.known[s] = no
		h.shared = append(h.shared, s)
	}
	if h.n%chunkFacts == 0 {
		h.chunks = append(h.chunks, make([]packed, 0, chunkFacts))
	}
	last := len(h.chunks) - 1
	h.chunks[last] = append(h.chunks[last], packed{
		id: f.ref.ID, seq: f.seq, at: f.at.UnixMilli(), arrived: f.arrived.UnixMilli(), line: int32(f.line), shared: no,
		cites: f.cites, noAt: f.at.IsZero(), noArrived: f.arrived.IsZero(),
	})
	h.n++
}

// fact returns a fact.
func (h *held) fact(i int) *fact {
	p := h.packed(i)
	s := &h.shared[p.shared]
	f := &fact{
		line: int(p.line), ref: memory.Ref{Kind: s.kind, ID: p.id}, space: s.space, seq: p.seq, author: s.author,
		agent: s.agent, delegation: s.delegation, origin: s.origin, cites: p.cites,
	}
	if !p.noAt {
		f.at = time.UnixMilli(p.at).UTC()
	}
	if !p.noArrived {
		f.arrived = time.UnixMilli(p.arrived).UTC()
	}
	return f
}

// place says where in its log a statement stands.
func (h *held) place(i int, seq int64) { h.packed(i).seq = seq }
