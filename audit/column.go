package audit

import (
	"encoding/binary"
	"hash/maphash"
	"sort"

	"github.com/stemma-memory/stemma/memory"
)

// column is some numbers, each in as few bytes as their differences need: from the least of them,
// or from a line that rises by one with each.
type column struct {
	least int64
	step  int64 // 0 or 1
	width int   // 0, 1, 2, 4 or 8 bytes
	raw   []byte
}

// columnOf packs numbers.
func columnOf(numbers []int64) column {
	flat, rising := spread(numbers, 0), spread(numbers, 1)
	if rising.width < flat.width {
		flat = rising
	}
	flat.raw = make([]byte, flat.width*len(numbers))
	for i, n := range numbers {
		d, at := uint64(n-flat.step*int64(i)-flat.least), flat.raw[i*flat.width:]
		switch flat.width {
		case 1:
			at[0] = byte(d)
		case 2:
			binary.LittleEndian.PutUint16(at, uint16(d))
		case 4:
			binary.LittleEndian.PutUint32(at, uint32(d))
		case 8:
			binary.LittleEndian.PutUint64(at, d)
		}
	}
	return flat
}

// spread returns what a column of a step needs.
func spread(numbers []int64, step int64) column {
	c := column{least: numbers[0], step: step}
	most := c.least
	for i, n := range numbers {
		n -= step * int64(i)
		c.least, most = min(c.least, n), max(most, n)
	}
	switch d := uint64(most - c.least); {
	case d == 0:
	case d < 1<<8:
		c.width = 1
	case d < 1<<16:
		c.width = 2
	case d < 1<<32:
		c.width = 4
	default:
		c.width = 8
	}
	return c
}

// get returns a number.
func (c *column) get(i int) int64 {
	var d uint64
	switch at := c.raw[i*c.width:]; c.width {
	case 1:
		d = uint64(at[0])
	case 2:
		d = uint64(binary.LittleEndian.Uint16(at))
	case 4:
		d = uint64(binary.LittleEndian.Uint32(at))
	case 8:
		d = binary.LittleEndian.Uint64(at)
	}
	return c.least + c.step*int64(i) + int64(d)
}

// ids are the ids of facts, by their numbers, and a table by which any id is found: open addressing
// over numbers alone, so that an id is kept once.
type ids struct {
	chunks [][]memory.ID // each of chunkFacts, so that none is moved as they grow
	n      int
	slots  []int32 // a number and one more; 0 is a free slot
	used   int
	seed   maphash.Seed // random for each run, so that ids that collide cannot be prepared
}

func newIDs() ids { return ids{slots: make([]int32, 1024), seed: maphash.MakeSeed()} }

func (s *ids) at(i int) *memory.ID { return &s.chunks[i/chunkFacts][i%chunkFacts] }

// slot returns the slot of an id, or the free one where it belongs.
func (s *ids) slot(id *memory.ID, of func(int32) *memory.ID) int {
	last := len(s.slots) - 1
	at := int(maphash.Bytes(s.seed, id[:8])) & last
	for ; s.slots[at] != 0 && *of(number(s.slots[at])) != *id; at = (at + 1) & last {
	}
	return at
}

// number undoes what makes 0 stand for a free slot: a number of an other is negative anyway.
func number(slot int32) int32 {
	if slot > 0 {
		return slot - 1
	}
	return slot
}

func (s *ids) find(id memory.ID, of func(int32) *memory.ID) (int32, bool) {
	slot := s.slots[s.slot(&id, of)]
	return number(slot), slot != 0
}

// put says which number an id has.
func (s *ids) put(id memory.ID, no int32, of func(int32) *memory.ID) {
	if s.used >= len(s.slots)/4*3 {
		old := s.slots
		s.slots = make([]int32, 2*len(old))
		for _, slot := range old {
			if slot != 0 {
				s.slots[s.slot(of(number(slot)), of)] = slot
			}
		}
	}
	at := s.slot(&id, of)
	if s.slots[at] == 0 {
		s.used++
	}
	if s.slots[at] = no; no >= 0 {
		s.slots[at]++
	}
}

// add gives an id the next number of a fact.
func (s *ids) add(id memory.ID, of func(int32) *memory.ID) {
	if s.n%chunkFacts == 0 {
		s.chunks = append(s.chunks, make([]memory.ID, 0, chunkFacts))
	}
	last := &s.chunks[len(s.chunks)-1]
	*last = append(*last, id)
	s.n++
	s.put(id, int32(s.n-1), of)
}

// places are the numbers of the entries of a log, in its order. Most follow the one before.
type places struct {
	runs []run
	n    int64
}

// run is some places, of numbers that follow each other.
type run struct {
	from  int64 // the place of the first
	first int32
	last  int32
}

func (p *places) add(no int32) {
	if k := len(p.runs); k > 0 && p.runs[k-1].last == no-1 {
		p.runs[k-1].last = no
	} else {
		p.runs = append(p.runs, run{p.n, no, no})
	}
	p.n++
}

func (p *places) at(i int64) int32 {
	k := sort.Search(len(p.runs), func(k int) bool { return p.runs[k].from > i }) - 1
	return p.runs[k].first + int32(i-p.runs[k].from)
}
