package tokens

import (
	_ "embed"
	"hash/maphash"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/internal/tokens/table"
)

// What the tests of vocabularies write. The vocabularies are OpenAI's, under the MIT licence.
var (
	//go:embed o200k.bin
	o200kData string
	//go:embed cl100k.bin
	cl100kData string
)

// A vocabulary counts by one of them.
type vocabulary struct {
	words table.Table
	split func(v reading, i int) int
	known *remembering
}

func o200k() vocabulary {
	return vocabulary{table.Table{Data: o200kData, Bits: 18}, splitO200k, &byO200k}
}

func cl100k() vocabulary {
	return vocabulary{table.Table{Data: cl100kData, Bits: 17}, splitCl100k, &byCl100k}
}

const (
	longest = table.Longest // no token has more bytes
	all     = math.MaxInt
)

// count returns the number of tokens of a text, or, if that is more than most, any number above most.
func (o vocabulary) count(v reading, most int) int {
	sum := 0
	for i := 0; i < len(v.text) && sum <= most; {
		end := o.split(v, i)
		if (end-i)/longest > most-sum {
			return all
		}
		cost := o.piece(v.text[i:end])
		if last := v.text[end-1]; last == '\n' || last == '\r' {
			cost = max(cost, o.lines(v, i, end))
		}
		sum += cost
		i = end
	}
	return sum
}

// lines returns the number of tokens of blanks, from i to the line end before end, if each line is a piece of
// its own. tiktoken takes them as one piece, tiktoken-go 0.10 one by one. Where it is no such piece or it has one line,
// lines returns 0.
func (o vocabulary) lines(v reading, i, end int) int {
	sum, begin, ended := 0, i, false
	for at := i; at < end; {
		c, n := v.at(at)
		if !c.blank() {
			return 0
		}
		if ended && c != lineEnd {
			sum += o.piece(v.text[begin:at])
			begin = at
		}
		ended = c == lineEnd
		at += n
	}
	if begin == i {
		return 0
	}
	return sum + o.piece(v.text[begin:end])
}

// piece returns the number of tokens of a piece of text.
func (o vocabulary) piece(s string) int {
	switch {
	case len(s) == 1:
		return 1
	case len(s) <= short:
		return o.known.count(o, s)
	}
	return o.join(s)
}

// join returns the number of tokens of a piece of two bytes or more.
func (o vocabulary) join(s string) int {
	switch {
	case o.words.Order(s) != table.None:
		return 1
	case len(s) <= short:
		return o.mergeShort(s)
	}
	return o.mergeLong(s)
}

// short is the number of bytes up to which looking at all pairs is faster than keeping them in order.
const short = 48

// mergeShort joins those neighbours that come first in the vocabulary, the leftmost first, as long as there
// are any, and returns the number of parts that are left.
func (o vocabulary) mergeShort(s string) int {
	var begins [short + 1]uint8  // of the parts
	var orders [short + 1]uint32 // of each part joined with the next
	n := len(s)
	for i := range n {
		begins[i] = uint8(i)
		orders[i] = table.None
		if i+2 <= n {
			orders[i] = o.words.Order(s[i : i+2])
		}
	}
	begins[n] = uint8(n)
	for {
		least, at := uint32(table.None), 0
		for i, order := range orders[:n] {
			if order < least {
				least, at = order, i
			}
		}
		if least == table.None {
			return n
		}
		copy(begins[at+1:n], begins[at+2:n+1])
		copy(orders[at+1:n-1], orders[at+2:n])
		n--
		orders[at] = table.None
		if at+2 <= n {
			orders[at] = o.words.Order(s[begins[at]:begins[at+2]])
		}
		if at > 0 {
			orders[at-1] = o.words.Order(s[begins[at-1]:begins[at+1]])
		}
	}
}

// A merge is what mergeLong works in.
type merge struct {
	parts []part
	heap  []uint64 // orders with the parts they are of
}

// A part is known by where it begins.
type part struct {
	before, next uint32
	order        uint32 // joined with the next
}

var merges = sync.Pool{New: func() any { return new(merge) }}

// keep is how many parts are kept for the next long piece.
const keep = 1 << 16

// mergeLong does what mergeShort does in a time of n log n.
func (o vocabulary) mergeLong(s string) int {
	m := merges.Get().(*merge)
	n := len(s)
	if cap(m.parts) < n+1 {
		m.parts = make([]part, n+1)
	}
	parts := m.parts[:n+1] // the last is the end
	m.heap = m.heap[:0]
	for i := range n {
		parts[i] = part{before: uint32(i) - 1, next: uint32(i) + 1, order: table.None}
		if i+2 <= n {
			m.offer(o, s, uint32(i), uint32(i)+2)
		}
	}
	parts[n] = part{before: uint32(n) - 1, next: uint32(n), order: table.None}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	left := n
	for len(m.heap) > 0 {
		top := m.pop()
		at, order := uint32(top), uint32(top>>32)
		if parts[at].order != order {
			continue // it has been joined since
		}
		gone := parts[at].next
		parts[gone].order = table.None
		next := parts[gone].next
		parts[at].next, parts[next].before = next, at
		left--
		parts[at].order = table.None
		if next < uint32(n) && m.offer(o, s, at, parts[next].next) {
			m.up(len(m.heap) - 1)
		}
		if at > 0 {
			if before := parts[at].before; m.offer(o, s, before, next) {
				m.up(len(m.heap) - 1)
			}
		}
	}
	if cap(m.parts) <= keep {
		merges.Put(m)
	}
	return left
}

// offer looks up the part at i joined with the next, which ends at end, and reports whether it put it last.
func (m *merge) offer(o vocabulary, s string, i, end uint32) bool {
	order := o.words.Order(s[i:end])
	m.parts[i].order = order
	if order == table.None {
		return false
	}
	m.heap = append(m.heap, uint64(order)<<32|uint64(i))
	return true
}

func (m *merge) up(i int) {
	h := m.heap
	for i > 0 && h[i] < h[(i-1)/2] {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

func (m *merge) down(i int) {
	h := m.heap
	for {
		least := i
		if l := 2*i + 1; l < len(h) && h[l] < h[least] {
			least = l
		}
		if r := 2*i + 2; r < len(h) && h[r] < h[least] {
			least = r
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

func (m *merge) pop() uint64 {
	top, last := m.heap[0], len(m.heap)-1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
	m.down(0)
	return top
}

// A remembered piece is one that was looked up, with the number of its tokens: the words of one text stand in the next
// one too, and what is remembered lies closer together than the vocabulary.
type remembered struct {
	text  string
	count int
}

const places = 1 << 12

// A remembering has the piece that was looked up last at each of its places.
type remembering [places]atomic.Pointer[remembered]

var (
	seed              = maphash.MakeSeed()
	byO200k, byCl100k remembering
)

// count returns the number of tokens of a short piece, looked up in a vocabulary if it is not remembered.
func (r *remembering) count(o vocabulary, s string) int {
	at := &r[maphash.String(seed, s)%places]
	if known := at.Load(); known != nil && known.text == s {
		return known.count
	}
	n := o.join(s)
	at.Store(&remembered{strings.Clone(s), n})
	return n
}
