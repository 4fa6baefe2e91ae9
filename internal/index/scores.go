package index

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// How records are scored. A record's own score is BM25 over its terms; what it
// propagates to its neighbours in the session is what makes the answer to a question
// found by the question's words.
const (
	bm25K = 0.9 // how soon repetition stops counting
	bm25B = 0.3 // how much a long text is held against a record
	pivot = 64  // words; further ones count in full

	// A record with few of the words is worth less than their sum: the share of
	// what was asked for, to this power, is a factor.
	coverage = 0.3

	// A record about somebody who is named in the question, or said by him, is
	// worth more; a question is worth less than what answers it, unless it is long.
	// What has the kind of word that is asked for, of time or number, is worth more.
	subjectFactor  = 1.25
	questionFactor = 0.85
	shortQuestion  = 32 // words; of twice as many a question says as much as any other text
	preferFactor   = 1.25

	answerPart  = 0.3 // of a question's score goes to what follows, beside its share as a neighbour
	sessionPart = 0.4 // of the best score of a session goes to all of it

	besidePart = 0.5 // of what the words of the records beside it would add to its share of what was asked for

	propagating = 256 // so many of the best propagate
	farthest    = 64  // entries of other sessions that may lie between neighbours
	shortText   = 64  // words; of a longer record its neighbours say less
)

// neighbourParts is what a record propagates to the next, the second and the third
// on either side.
var neighbourParts = [...]float32{0.5, 0.2, 0.1}

// A search is the scores of all entries, counted through all views.
type search struct {
	q     Query
	views []*View
	start []int // the number of the first entry of each view
	n     int

	*scores
	full   float64     // what all terms are worth together, also those that no record has
	unit   float32     // 1 in parts of that
	rarity []float32   // of the first terms
	total  float64     // what the terms that anybody has are worth together
	bestOf [][]float32 // of each view, the best score of each session
}

// scores are large and used again.
type scores struct {
	own     []float32
	held    []float32 // the worth of the terms it has
	mask    []uint32
	touched [][]uint32 // of each view, its entries that have a term
	near    []neighbours
	place   []uint32 // there, of an entry with propagatedBit
}

// neighbours are what an entry has of those near it.
type neighbours struct {
	entry  int
	score  float32 // what they propagate
	beside uint32  // the terms of those right beside it
}

// Bits of a mask beside those of terms.
const (
	subjectBit    = 1 << distinguished
	propagatedBit = 1 << (distinguished + 1)
	preferredBit  = 1 << (distinguished + 2)
)

var pool = sync.Pool{New: func() any { return new(scores) }}

func newSearch(views []*View, q Query) *search {
	s := &search{q: q, views: views, scores: pool.Get().(*scores)}
	for _, v := range views {
		s.start = append(s.start, s.n)
		s.n += v.head.Entries()
	}
	if cap(s.own) < s.n {
		s.own, s.held = make([]float32, s.n), make([]float32, s.n)
		s.mask, s.place = make([]uint32, s.n), make([]uint32, s.n)
	}
	s.own, s.held, s.mask, s.place = s.own[:s.n], s.held[:s.n], s.mask[:s.n], s.place[:s.n]
	for len(s.touched) < len(views) {
		s.touched = append(s.touched, nil)
	}
	return s
}

// none reports whether no entry has a term.
func (s *search) none() bool {
	return !slices.ContainsFunc(s.touched, func(of []uint32) bool { return len(of) > 0 })
}

// together is from how many entries on views are gone through at the same time.
const together = 1 << 16

// inViews does something in each view, which may be at the same time.
func (s *search) inViews(do func(vi int) error) error {
	workers := min(runtime.GOMAXPROCS(0), len(s.views))
	if s.n < together || workers < 2 {
		for vi := range s.views {
			if err := do(vi); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	failed := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for vi := int(next.Add(1)) - 1; vi < len(s.views) && failed[w] == nil; vi = int(next.Add(1)) - 1 {
				failed[w] = do(vi)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// free leaves the arrays empty for the next search.
func (s *search) free() {
	for vi := range s.views {
		own, held, mask := s.own[s.start[vi]:], s.held[s.start[vi]:], s.mask[s.start[vi]:]
		for _, entry := range s.touched[vi] {
			own[entry], held[entry], mask[entry] = 0, 0, 0
		}
		s.touched[vi] = s.touched[vi][:0]
	}
	for _, one := range s.near {
		s.mask[one.entry] = 0
	}
	s.near = s.near[:0]
	pool.Put(s.scores)
}

// where returns the view of an entry and its number there.
func (s *search) where(i int32) (*View, int, int) {
	vi, exact := slices.BinarySearch(s.start, int(i))
	if !exact {
		vi--
	}
	for s.views[vi].head.Entries() == 0 { // several begin at one number if some are empty
		vi++
	}
	return s.views[vi], vi, int(i) - s.start[vi]
}

// ranked is an entry and what decides its place.
type ranked struct {
	i     int32
	score float32
}

// shown leaves out what may not be shown.
func (s *search) shown(rs []ranked) ([]ranked, error) {
	may, n, err := s.mayShow(rs)
	if err != nil || n == len(rs) {
		return rs, err
	}
	out := rs[:0]
	for i, r := range rs {
		if may[i] {
			out = append(out, r)
		}
	}
	return out, nil
}

// mayShow returns for each of some whether it may be shown, and how many may.
func (s *search) mayShow(rs []ranked) (may []bool, n int, err error) {
	if s.q.Shown == nil || len(rs) == 0 {
		may = make([]bool, len(rs))
		for i := range may {
			may[i] = true
		}
		return may, len(rs), nil
	}
	keys := make([]int64, len(rs))
	for i, r := range rs {
		v, _, entry := s.where(r.i)
		keys[i] = v.head.Keys[entry]
	}
	may, err = s.q.Shown(keys)
	for _, is := range may {
		if is {
			n++
		}
	}
	return may, n, err
}

// fit is how much what neighbours say counts for a record.
func fit(length uint32) float32 { return min(1, shortText/float32(max(length, 1))) }

// parts returns what the score of an entry is made of; their sum is the score.
func (s *search) parts(h *Head, vi, entry, i int) (own, propagated, session float32) {
	worth := s.unit
	if h.asks[entry] {
		worth *= questionWorth(h.Lengths[entry])
	}
	mask := s.mask[i]
	if mask&subjectBit != 0 {
		worth *= subjectFactor
	}
	if mask&preferredBit != 0 {
		worth *= preferFactor
	}
	near := worth * fit(h.Lengths[entry])
	own = worth * s.own[i]
	if mask&propagatedBit != 0 {
		propagated = near * s.near[s.place[i]].score
		own *= s.together(i, fit(h.Lengths[entry]))
	}
	return own, propagated, near * sessionPart * s.bestOf[vi][h.session[entry]]
}

// questionWorth is what a question of so many words is worth: all, if it is long enough to say something.
func questionWorth(length uint32) float32 {
	const less = 1 - questionFactor
	return 1 - less*min(1, max(0, 2-float32(length)/shortQuestion))
}

// together returns what an entry's own score is multiplied with for what the entries right beside it have of the
// question and it has not: what was said in two turns counts nearly as if it had been said in one.
func (s *search) together(i int, fit float32) float32 {
	beside, own := s.near[s.place[i]].beside, s.mask[i]
	if beside&^own == 0 || s.own[i] == 0 {
		return 1
	}
	var has, all float32
	for no, rare := range s.rarity {
		if own&(1<<no) != 0 {
			has += rare
		}
		if (own|beside)&(1<<no) != 0 {
			all += rare
		}
	}
	if has == 0 {
		return 1
	}
	return 1 + fit*besidePart*(covered(coverTable(), float64(all)/s.total)/covered(coverTable(), float64(has)/s.total)-1)
}

// coverSteps is how finely the share of what was asked for is told apart.
const coverSteps = 1024

var coverTable = sync.OnceValue(func() *[coverSteps + 1]float32 {
	t := new([coverSteps + 1]float32)
	for i := range t {
		t[i] = float32(math.Pow(float64(i)/coverSteps, coverage))
	}
	return t
})

func covered(table *[coverSteps + 1]float32, share float64) float32 {
	return table[min(max(int(share*coverSteps+0.5), 1), coverSteps)]
}
