package index

import "slices"

// A View is a segment with the terms that are asked for.
type View struct {
	log   int
	head  *Head
	lists map[string]*list
}

// NewView returns a view of a segment, without terms yet. Records propagate only to
// others of the same log.
func NewView(log int, h *Head) *View {
	return &View{log: log, head: h, lists: make(map[string]*list)}
}

// Put takes a term from the block where it would be.
func (v *View) Put(term string, block []byte) error {
	l, err := find(block, term)
	if l != nil {
		v.lists[term] = l
	}
	return err
}

// Keys returns the entries that have a term, in the order of their keys.
func (v *View) Keys(term string) ([]int64, error) {
	l := v.lists[term]
	if l == nil {
		return nil, nil
	}
	if l.last >= v.head.Entries() {
		return nil, ErrDamaged
	}
	keys := make([]int64, 0, l.n)
	err := l.each(func(entry, _ int) {
		if entry < v.head.Entries() {
			keys = append(keys, v.head.Keys[entry])
		}
	})
	return keys, err
}

// Of returns a view of entries that are in no segment yet.
func Of(log int, entries []Entry, terms []string) (*View, error) {
	parts := Build(entries)
	h, err := Open(parts[0])
	if err != nil {
		return nil, err
	}
	v := NewView(log, h)
	for _, t := range terms {
		if n := h.Block(t); n > 0 {
			if err := v.Put(t, parts[n]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// Wanted returns the terms that a question's terms are looked for by: in the
// words of a record, and among its subjects.
func Wanted(terms []string) []string {
	out := slices.Clone(terms)
	for _, t := range terms {
		out = append(out, subjectMark+t)
	}
	return out
}

// A Query is a question to some views.
type Query struct {
	Terms      []string                           // each once
	Kind       func(kind int) bool                // whether a kind is looked for
	Propagates func(kind int) bool                // whether a kind propagates to its neighbours
	Shown      func(keys []int64) ([]bool, error) // which records may be shown and propagate; nil is all
	Limit      int                                // 0 is all
}

// A Hit is a record found. Score is the sum of the three after it. All are in
// parts of what the terms of the question are worth together.
type Hit struct {
	Key        int64
	Kind       int
	Score      float64
	Own        float64 // for its own words
	Propagated float64 // by its neighbours
	Session    float64 // by the best of its session
	Terms      uint32  // which of the first 30 terms it has
}

// Has returns those of a question's terms that the record has itself. Only the
// first 30 are told apart.
func (h Hit) Has(terms []string) []string {
	var out []string
	for i, t := range terms[:min(len(terms), distinguished)] {
		if h.Terms&(1<<i) != 0 {
			out = append(out, t)
		}
	}
	return out
}

// distinguished is how many terms of a question are told apart in a hit.
const distinguished = 30
