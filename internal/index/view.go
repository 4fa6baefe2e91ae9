package index

import "slices"

// A View is a segment with the terms that are asked for.
type View struct {
	log   int
	head  *Head
	lists map[string]*list
	Aged  bool // its segment is of an older version, which did not make all marks
}

// NewView returns a view of a segment, without terms yet. Records propagate only to
// others of the same log.
func NewView(log int, h *Head) *View {
	return &View{log: log, head: h, lists: make(map[string]*list)}
}

// Put takes a term from the block where it would be.
func (v *View) Put(term string, block []byte) error {
	p, err := Find(block, term)
	v.Set(term, p)
	return err
}

// Set takes a term from what Find returned.
func (v *View) Set(term string, p Postings) {
	if p.list != nil {
		v.lists[term] = p.list
	}
}

// Postings are the entries of a segment that have a term. The zero value is none.
type Postings struct{ list *list }

// Find returns the postings of a term in the block where it would be, of which they keep the bytes.
func Find(block []byte, term string) (Postings, error) {
	l, err := find(block, term)
	return Postings{l}, err
}

// Clone returns postings that keep bytes of their own.
func (p Postings) Clone() Postings {
	if p.list == nil {
		return p
	}
	return Postings{&list{p.list.n, p.list.last, slices.Clone(p.list.bytes)}}
}

// Size is how many bytes they have.
func (p Postings) Size() int {
	if p.list == nil {
		return 0
	}
	return len(p.list.bytes)
}

// Having returns the entries that have at least one term of each group, in the order of their keys.
func (v *View) Having(groups [][]string) ([]int64, error) {
	met, err := v.met(groups)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	var keys []int64
	for entry, k := range met {
		if int(k) == len(groups) {
			keys = append(keys, v.head.Keys[entry])
		}
	}
	return keys, nil
}

// met says of each entry how many of the groups it has, up to the first that it has not; nil is none of all.
func (v *View) met(groups [][]string) ([]uint8, error) {
	if len(groups) > mostGroups {
		return nil, nil
	}
	n := v.head.Entries()
	met := make([]uint8, n)
	for i, group := range groups {
		for _, term := range group {
			l := v.lists[term]
			if l == nil {
				continue
			}
			if l.last >= n {
				return nil, ErrDamaged
			}
			if err := l.each(func(entry, _ int) {
				if entry < n && met[entry] == uint8(i) {
					met[entry]++
				}
			}); err != nil {
				return nil, err
			}
		}
	}
	return met, nil
}

// mostGroups is how many groups of terms can be asked for at once.
const mostGroups = 255

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
// words of a record, and among its subjects; the mark that it prefers, if any; what it asks a record to have; and what
// says of the records found how they came.
func Wanted(terms []string, prefer string, has ...[]string) []string {
	out := slices.Concat(append([][]string{terms}, has...)...)
	for _, t := range terms {
		out = append(out, subjectMark+t)
	}
	out = append(out, pastMark)
	if prefer != "" {
		out = append(out, prefer)
	}
	return out
}

// A Query is a question to some views.
type Query struct {
	Terms      []string                           // each once
	Prefer     string                             // a mark: records that have it are worth more; "" is none
	Has        [][]string                         // hits have one at least of each group; none is any
	Only       []int64                            // keys in their order: hits are among them; nil is any
	Kind       func(kind int) bool                // whether a kind is looked for
	Propagates func(kind int) bool                // whether a kind propagates to its neighbours
	Shown      func(keys []int64) ([]bool, error) // which records may be shown and propagate; nil is all
	Passed     bool                               // hits that are not shown are given too, where they rank among the shown
	Limit      int                                // 0 is all; those passed do not count
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
	Held       float64 // the share of what is asked for that it has itself, by how rare the words are
	Terms      uint32  // which of the first 29 terms it has
	Past       Past
	Hidden     bool // it may not be shown
}

// Has returns those of a question's terms that the record has itself. Only the
// first 29 are told apart.
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
const distinguished = 29
