package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/stemma-memory/stemma/internal/words"
)

// A segment holds the entries of neighbouring records, and never changes. Its
// first part is its head, the others are blocks of terms in order, each with
// the entries that have it.

// ErrDamaged says that the bytes of a segment are none.
var ErrDamaged = errors.New("the index of words is damaged")

// blockBytes is where a block ends and the next begins. The list of a common
// term can be longer and is then a block of its own.
const blockBytes = 4096

// A Head is what is known of a segment without reading its terms.
type Head struct {
	Keys     []int64
	Kinds    []uint16
	Lengths  []uint32
	Sessions []uint64 // the conversations there are
	session  []uint32 // which one an entry belongs to, counted from 1; 0 is none
	asks     []bool
	first    []string // the first term of each block
	Total    int64    // the words of all entries
}

// Entries is how many records the segment holds.
func (h *Head) Entries() int { return len(h.Keys) }

// Block returns the part in which a term would be, 0 when it is in none.
func (h *Head) Block(term string) int {
	return sort.Search(len(h.first), func(i int) bool { return h.first[i] > term })
}

// Build makes the parts of a segment, the head first. Entries come in the order
// of their keys.
func Build(entries []Entry) [][]byte {
	var b builder
	seen := make(map[uint64]uint32)
	lists := make(map[string]*list)
	pasts := &list{last: -1}
	if len(entries) > 0 {
		lists[pastMark] = pasts
	}
	for i, e := range entries {
		no := uint32(0)
		if e.Session != 0 {
			if no = seen[e.Session]; no == 0 {
				b.head.Sessions = append(b.head.Sessions, e.Session)
				no = uint32(len(b.head.Sessions))
				seen[e.Session] = no
			}
		}
		b.head.add(e.Key, uint16(e.Kind), uint32(e.Length), no, e.Asks)
		pasts.addPast(e.past)
		for _, t := range e.Terms {
			l := lists[t.Text]
			if l == nil {
				l = &list{last: -1}
				lists[t.Text] = l
			}
			l.add(i, t.Weight)
		}
	}
	return b.of(lists)
}

func (h *Head) add(key int64, kind uint16, length, session uint32, asks bool) {
	h.Keys, h.Kinds, h.Lengths = append(h.Keys, key), append(h.Kinds, kind), append(h.Lengths, length)
	h.session, h.asks = append(h.session, session), append(h.asks, asks)
	h.Total += int64(length)
}

// A list is the entries that have a term: for each the distance from the one
// before, and its weight unless that is the usual one.
type list struct {
	n, last int
	bytes   []byte
}

func (l *list) add(entry, weight int) {
	step := uint64(entry-l.last-1) << 1
	if weight == wordWeight {
		l.bytes = binary.AppendUvarint(l.bytes, step)
	} else {
		l.bytes = binary.AppendUvarint(l.bytes, step|1)
		l.bytes = binary.AppendUvarint(l.bytes, uint64(weight))
	}
	l.n, l.last = l.n+1, entry
}

// each returns the entries of a list with their weights.
func (l *list) each(give func(entry, weight int)) error {
	var p page
	for c := l.cursor(); ; {
		n, err := c.next(&p)
		for i := range n {
			give(int(p.entries[i]), int(p.weights[i]))
		}
		if n == 0 || err != nil {
			return err
		}
	}
}

// A page is some entries of a list with their weights.
type page struct{ entries, weights [256]uint32 }

// A cursor reads a list page by page.
type cursor struct {
	b    []byte
	left int
	at   uint64 // the entry after the last one read
}

func (l *list) cursor() cursor { return cursor{l.bytes, l.n, 0} }

// next fills a page and returns how many entries are on it, 0 at the end.
func (c *cursor) next(p *page) (int, error) {
	b, at, n := c.b, c.at, min(c.left, len(p.entries))
	c.left -= n
	for i := range n {
		var step uint64
		if len(b) > 0 && b[0] < 0x80 {
			step, b = uint64(b[0]), b[1:]
		} else {
			v, k := binary.Uvarint(b)
			if k <= 0 || v>>1 > maxEntries {
				return i, ErrDamaged
			}
			step, b = v, b[k:]
		}
		weight := uint64(wordWeight)
		if step&1 != 0 {
			var k int
			if weight, k = binary.Uvarint(b); k <= 0 || weight > maxEntries {
				return i, ErrDamaged
			}
			b = b[k:]
		}
		at += step >> 1
		p.entries[i], p.weights[i] = uint32(min(at, math.MaxUint32)), uint32(weight)
		at++
	}
	c.b, c.at = b, at
	return n, nil
}

// maxEntries bounds every number of a segment but keys.
const maxEntries = 1 << 31

// builder writes a segment.
type builder struct {
	head   Head
	blocks [][]byte
	block  []byte
	before string
}

// term writes one term. In a block each says how much of the one before it
// begins with.
func (b *builder) term(text string, l *list) {
	if len(b.block) > 0 && len(b.block)+len(l.bytes) > blockBytes {
		b.end()
	}
	if len(b.block) == 0 {
		b.head.first, b.before = append(b.head.first, text), ""
	}
	common := 0
	for common < len(text) && common < len(b.before) && text[common] == b.before[common] {
		common++
	}
	b.block = binary.AppendUvarint(b.block, uint64(common))
	b.block = binary.AppendUvarint(b.block, uint64(len(text)-common))
	b.block = append(b.block, text[common:]...)
	b.block = binary.AppendUvarint(b.block, uint64(l.n))
	b.block = binary.AppendUvarint(b.block, uint64(l.last))
	b.block = binary.AppendUvarint(b.block, uint64(len(l.bytes)))
	b.block = append(b.block, l.bytes...)
	b.before = text
}

func (b *builder) end() {
	if len(b.block) > 0 {
		b.blocks = append(b.blocks, slices.Clone(b.block)) // no larger than it is
		b.block = b.block[:0]
	}
}

func (b *builder) parts() [][]byte {
	b.end()
	return append([][]byte{b.head.encode()}, b.blocks...)
}

// encode writes the head: numbers of variable length, a column after the other.
func (h *Head) encode() []byte {
	out := binary.AppendUvarint(nil, uint64(len(h.Keys)))
	before := int64(0)
	for _, k := range h.Keys {
		out = binary.AppendUvarint(out, uint64(k-before))
		before = k
	}
	for _, k := range h.Kinds {
		out = binary.AppendUvarint(out, uint64(k))
	}
	for i, n := range h.Lengths {
		v := uint64(n) << 1
		if h.asks[i] {
			v |= 1
		}
		out = binary.AppendUvarint(out, v)
	}
	out = binary.AppendUvarint(out, uint64(len(h.Sessions)))
	for _, s := range h.Sessions {
		out = binary.LittleEndian.AppendUint64(out, s)
	}
	for _, n := range h.session {
		out = binary.AppendUvarint(out, uint64(n))
	}
	out = binary.AppendUvarint(out, uint64(len(h.first)))
	for _, t := range h.first {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
	}
	return out
}

// Open reads a head.
func Open(part []byte) (*Head, error) {
	d := decoder{b: part}
	h := new(Head)
	n := d.count(1)
	h.Keys, h.Kinds, h.Lengths = make([]int64, n), make([]uint16, n), make([]uint32, n)
	h.session, h.asks = make([]uint32, n), make([]bool, n)
	column(&d, h.Keys)
	before := int64(0)
	for i, step := range h.Keys {
		before += step
		h.Keys[i] = before
	}
	column(&d, h.Kinds)
	column(&d, h.Lengths)
	for i, v := range h.Lengths {
		h.Lengths[i], h.asks[i] = v>>1, v&1 != 0
		h.Total += int64(v >> 1)
	}
	const sessionBytes = 8
	h.Sessions = make([]uint64, d.count(sessionBytes))
	for i := range h.Sessions {
		if b := d.take(sessionBytes); b != nil {
			h.Sessions[i] = binary.LittleEndian.Uint64(b)
		}
	}
	column(&d, h.session)
	for _, no := range h.session {
		if int(no) > len(h.Sessions) {
			d.failed = true
		}
	}
	h.first = make([]string, d.count(1))
	for i := range h.first {
		h.first[i] = string(d.take(d.count(1)))
	}
	if d.failed || len(d.b) > 0 {
		return nil, fmt.Errorf("%w: a head of %d bytes", ErrDamaged, len(part))
	}
	return h, nil
}

// terms goes through a block until give says that it has seen enough.
func terms(block []byte, give func(term string, l *list) (more bool)) error {
	d := decoder{b: block}
	var before []byte
	for len(d.b) > 0 {
		common := d.uvarint() // as it is written: whole numbers can be negative
		rest := d.take(d.count(1))
		if common > uint64(len(before)) || d.failed {
			return ErrDamaged
		}
		before = append(before[:common], rest...)
		n, last := d.uvarint(), d.uvarint()
		l := &list{n: int(n), last: int(last), bytes: d.take(d.count(1))}
		if d.failed || n > uint64(len(l.bytes)) || last > maxEntries {
			return ErrDamaged
		}
		if !give(string(before), l) {
			return nil
		}
	}
	return nil
}

// find returns the list of a term in the block where it would be.
func find(block []byte, term string) (*list, error) {
	d := decoder{b: block}
	var room [2 * words.MaxBytes]byte
	before := room[:0]
	for len(d.b) > 0 {
		common := d.uvarint() // as it is written: whole numbers can be negative
		rest := d.take(d.count(1))
		if common > uint64(len(before)) || d.failed {
			return nil, ErrDamaged
		}
		before = append(before[:common], rest...)
		n, last := d.uvarint(), d.uvarint()
		bytes := d.take(d.count(1))
		if d.failed || n > uint64(len(bytes)) || last > maxEntries {
			return nil, ErrDamaged
		}
		switch strings.Compare(string(before), term) {
		case 0:
			return &list{n: int(n), last: int(last), bytes: bytes}, nil
		case 1:
			return nil, nil
		}
	}
	return nil, nil
}

// of writes all lists, and returns the parts.
func (b *builder) of(lists map[string]*list) [][]byte {
	all := make([]string, 0, len(lists))
	for t := range lists {
		all = append(all, t)
	}
	slices.Sort(all)
	for _, t := range all {
		b.term(t, lists[t])
		delete(lists, t)
	}
	return b.parts()
}
