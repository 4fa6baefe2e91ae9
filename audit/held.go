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
	known      bool // it was verified before, and only its place is kept
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
// share with others who wrote them and where, their times and places are near each other's, and few
// cite more than one.
type held struct {
	ids    ids
	others []other // of what is no sound statement
	chunks []chunk
	open   []packed // the facts after the last chunk
	cites  []cited  // of those
	shared []shared
	known  map[shared]int32
	kinds  []memory.Kind // that are cited
	kindNo map[memory.Kind]int32
	placed map[int]int64 // what place was told
}

// other is what stands under the id of no sound statement.
type other struct {
	id memory.ID
	seen
}

const chunkFacts = 4096

// packed is a fact without what it shares with others. Times are in milliseconds since 1970.
type packed struct {
	seq, at, arrived int64
	line, shared     int64
	cites            int64 // where its citations end, among those of the chunk
}

// noTime means the zero time.
const noTime = -1 << 62

func packTime(t time.Time) int64 {
	if t.IsZero() {
		return noTime
	}
	return t.UnixMilli()
}

func unpackTime(ms int64) time.Time {
	if ms == noTime {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// cited is a citation.
type cited struct {
	kind int32
	id   memory.ID
}

// shared is what many facts have in common.
type shared struct {
	kind                 memory.Kind
	space, author, agent string
	delegation           memory.ID
	origin               memory.Origin
	known                bool
}

// chunk is chunkFacts facts, each number in as few bytes as the greatest of them needs.
type chunk struct {
	seq, at, arrived, line, shared, ends column
	cites                                []cited
}

func newHeld() held {
	return held{
		ids: newIDs(), known: make(map[shared]int32), kindNo: make(map[memory.Kind]int32), placed: make(map[int]int64),
	}
}

// number returns the number of what stands under an id: that of a fact, or the bitwise complement
// of a place among the others.
func (h *held) number(id memory.ID) (int32, bool) { return h.ids.find(id, h.id) }

// id returns the id with a number.
func (h *held) id(no int32) *memory.ID {
	if no < 0 {
		return &h.others[^no].id
	}
	return h.ids.at(int(no))
}

// find returns what stands under an id.
func (h *held) find(id memory.ID) (seen, bool) {
	no, is := h.number(id)
	switch {
	case !is:
		return seen{}, false
	case no < 0:
		return h.others[^no].seen, true
	}
	p := h.packed(int(no))
	return seen{kind: h.shared[p.shared].kind, line: int(p.line), fact: int(no)}, true
}

// put says what stands under an id. A fact is added next.
func (h *held) put(id memory.ID, s seen) {
	if s.fact != noFact {
		return
	}
	h.others = append(h.others, other{id, s})
	h.ids.put(id, ^int32(len(h.others)-1), h.id)
}

// facts returns how many facts there are.
func (h *held) facts() int { return h.ids.n }

func (h *held) packed(i int) packed {
	c, i := i/chunkFacts, i%chunkFacts
	if c == len(h.chunks) {
		return h.open[i]
	}
	k := &h.chunks[c]
	return packed{
		seq: k.seq.get(i), at: k.at.get(i), arrived: k.arrived.get(i), line: k.line.get(i), shared: k.shared.get(i),
		cites: k.ends.get(i),
	}
}

// add adds a fact.
func (h *held) add(f *fact) {
	s := shared{
		kind: f.ref.Kind, space: f.space, author: f.author, agent: f.agent, delegation: f.delegation, origin: f.origin,
		known: f.known,
	}
	no, is := h.known[s]
	if !is {
		no = int32(len(h.shared))
		h.known[s] = no
		h.shared = append(h.shared, s)
	}
	for _, ref := range f.cites {
		h.cites = append(h.cites, cited{h.kind(ref.Kind), ref.ID})
	}
	h.ids.add(f.ref.ID, h.id)
	h.open = append(h.open, packed{
		seq: f.seq, at: packTime(f.at), arrived: packTime(f.arrived), line: int64(f.line), shared: int64(no),
		cites: int64(len(h.cites)),
	})
	if len(h.open) == chunkFacts {
		h.chunks = append(h.chunks, chunkOf(h.open, h.cites))
		h.open, h.cites = h.open[:0], h.cites[:0]
	}
}

// kind returns the number of a kind that is cited.
func (h *held) kind(k memory.Kind) int32 {
	no, is := h.kindNo[k]
	if !is {
		no = int32(len(h.kinds))
		h.kinds, h.kindNo[k] = append(h.kinds, k), no
	}
	return no
}

func chunkOf(facts []packed, cites []cited) chunk {
	c := chunk{cites: append([]cited(nil), cites...)}
	numbers := make([]int64, len(facts))
	for _, one := range []struct {
		to *column
		of func(*packed) int64
	}{
		{&c.seq, func(p *packed) int64 { return p.seq }}, {&c.at, func(p *packed) int64 { return p.at }},
		{&c.arrived, func(p *packed) int64 { return p.arrived }}, {&c.line, func(p *packed) int64 { return p.line }},
		{&c.shared, func(p *packed) int64 { return p.shared }}, {&c.ends, func(p *packed) int64 { return p.cites }},
	} {
		for i := range facts {
			numbers[i] = one.of(&facts[i])
		}
		*one.to = columnOf(numbers)
	}
	return c
}

// fact returns a fact.
func (h *held) fact(i int) *fact {
	f := new(fact)
	h.load(i, f)
	return f
}

// load makes f a fact.
func (h *held) load(i int, f *fact) {
	p := h.packed(i)
	s := &h.shared[p.shared]
	*f = fact{
		line: int(p.line), ref: memory.Ref{Kind: s.kind, ID: *h.ids.at(i)}, space: s.space, seq: p.seq, author: s.author,
		agent: s.agent, delegation: s.delegation, origin: s.origin, at: unpackTime(p.at), arrived: unpackTime(p.arrived),
		cites: h.citesOf(i, p.cites), known: s.known,
	}
	if seq, is := h.placed[i]; is {
		f.seq = seq
	}
}

// citesOf returns what a fact cites, whose citations end at a place.
func (h *held) citesOf(i int, end int64) []memory.Ref {
	all, from := h.cites, int64(0)
	if c := i / chunkFacts; c < len(h.chunks) {
		all = h.chunks[c].cites
	}
	if i%chunkFacts > 0 {
		from = h.packed(i - 1).cites
	}
	if from == end {
		return nil
	}
	out := make([]memory.Ref, 0, end-from)
	for _, c := range all[from:end] {
		out = append(out, memory.Ref{Kind: h.kinds[c.kind], ID: c.id})
	}
	return out
}

// place says where in its log a statement stands.
func (h *held) place(i int, seq int64) { h.placed[i] = seq }
