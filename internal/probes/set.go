package probes

import (
	"encoding/binary"
	"slices"
)

// A Set is what is to be found. Its JSON holds no words.
type Set struct {
	Salt  []byte   `json:"salt"` // 8 random bytes
	Spans []uint64 `json:"spans"`
	Words []uint64 `json:"words"`
}

// Which single words say so much that they are looked for alone: those of letters and digits, such as an address or a
// number of a customer, and long ones.
const (
	mixedLetters = 6
	justDigits   = 7
	justLetters  = 14
)

func says(letters, digits int) bool {
	switch {
	case digits == 0:
		return letters >= justLetters
	case letters == 0:
		return digits >= justDigits
	}
	return letters+digits >= mixedLetters
}

// A Maker collects probes from texts. It keeps those with the smallest hashes, so that a sample is the same whatever
// the order of the texts.
type Maker struct {
	salt  []byte
	most  int
	spans map[uint64]bool
	words map[uint64]bool
}

// NewMaker returns one that keeps about most candidates of each kind; salt is 8 random bytes.
func NewMaker(salt []byte, most int) *Maker {
	return &Maker{salt: salt, most: most, spans: make(map[uint64]bool), words: make(map[uint64]bool)}
}

// Add takes a text as people read it.
func (m *Maker) Add(text string) {
	r := runner{span: func(h uint64) { m.keep(m.spans, h) }, word: func(h uint64) { m.keep(m.words, h) }}
	r.over(m.salt, false, text)
}

func (m *Maker) keep(in map[uint64]bool, h uint64) {
	in[h] = true
	const slack = 4
	if len(in) > slack*m.most {
		least := sorted(in)
		for _, h := range least[m.most:] {
			delete(in, h)
		}
	}
}

func sorted(in map[uint64]bool) []uint64 {
	out := make([]uint64, 0, len(in))
	for h := range in {
		out = append(out, h)
	}
	slices.Sort(out)
	return out
}

// But takes away what a text that stays has too; the bytes are a record's.
func (m *Maker) But(record []byte) {
	r := runner{span: func(h uint64) { delete(m.spans, h) }, word: func(h uint64) { delete(m.words, h) }}
	r.over(m.salt, true, string(record))
}

// Set returns at most so many probes, a fifth of them words where there are so many.
func (m *Maker) Set(most int) Set {
	spans, words := sorted(m.spans), sorted(m.words)
	const fifth = 5
	words = words[:min(len(words), max(most/fifth, most-len(spans)))]
	spans = spans[:min(len(spans), most-len(words))]
	return Set{m.salt, spans, words}
}

// Len is how many probes there are.
func (s *Set) Len() int { return len(s.Spans) + len(s.Words) }

// runner makes spans of words.
type runner struct {
	last [Span]uint64
	n    int
	span func(uint64)
	word func(uint64)
}

func (r *runner) token(h uint64, letters, digits int) {
	if r.word != nil && says(letters, digits) {
		r.word(h)
	}
	copy(r.last[:], r.last[1:])
	r.last[Span-1] = h
	if r.n++; r.n < Span {
		return
	}
	var all uint64
	for _, one := range r.last {
		all = mix(all*fnvPrime + one)
	}
	r.span(all)
}

func saltOf(salt []byte) uint64 {
	var b [8]byte
	copy(b[:], salt)
	return binary.LittleEndian.Uint64(b[:])
}

func (r *runner) over(salt []byte, json bool, text string) {
	t := tokens{salt: saltOf(salt), json: json, word: r.token}
	t.write([]byte(text))
	t.over()
}

// A Search looks for a set in what is written to it. It must be used by one goroutine.
type Search struct {
	spans, words map[uint64]bool
	found        map[uint64]bool
	run          runner
	t            tokens
}

// NewSearch returns one over bytes that may be JSON.
func NewSearch(s Set) *Search {
	f := &Search{spans: setOf(s.Spans), words: setOf(s.Words), found: make(map[uint64]bool)}
	f.run.span = func(h uint64) {
		if f.spans[h] {
			f.found[h] = true
		}
	}
	f.run.word = func(h uint64) {
		if f.words[h] {
			f.found[h] = true
		}
	}
	f.t = tokens{salt: saltOf(s.Salt), json: true, word: f.run.token}
	return f
}

func setOf(hs []uint64) map[uint64]bool {
	out := make(map[uint64]bool, len(hs))
	for _, h := range hs {
		out[h] = true
	}
	return out
}

// Write reads on in a text.
func (f *Search) Write(p []byte) (int, error) {
	f.t.write(p)
	return len(p), nil
}

// Over ends a text: no span goes on in the next one.
func (f *Search) Over() {
	f.t.over()
	f.run.n = 0
}

// Found is how many probes were found.
func (f *Search) Found() int { return len(f.found) }

// Holds reports whether a text has a probe, and counts it not.
func (f *Search) Holds(text string) bool {
	was := f.found
	f.found = make(map[uint64]bool)
	f.Over()
	_, _ = f.Write([]byte(text))
	f.Over()
	holds := len(f.found) > 0
	f.found = was
	return holds
}

// Whole returns what two texts of the same words have in common, and how many words they are.
func Whole(text string) (hash uint64, n int) {
	t := tokens{word: func(h uint64, _, _ int) {
		hash = mix(hash*fnvPrime + h)
		n++
	}}
	t.write([]byte(text))
	t.over()
	return hash, n
}
