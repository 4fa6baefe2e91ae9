package rank

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// A record that is near many questions that have nothing to do with each other was made to be, or says nothing. It is
// near too many where that is more than one question in fifty, and more than three times what the others have that are
// near any: in a small store, and where all the rest is output of tools, each is near many.
const (
	nearestOf    = 3 // so many places of a question count
	mostNearOf   = 50
	timesOthers  = 3
	fewQuestions = 50
)

// NearMany returns the records that are near too many questions, in the order of their ids. nearest are those that are
// nearest to each question, the nearest first. What is equally near has one place: copies of a text do not drive each
// other out. Each passage of a long text counts for itself: it is near more questions than a short text because it says
// more.
func NearMany(nearest [][]Candidate) []memory.ID {
	if len(nearest) < fewQuestions {
		return nil
	}
	type passage struct {
		of     memory.ID
		number int
	}
	times, copyOf := make(map[passage]int64), make(map[passage]passage)
	for _, of := range nearest {
		for place := 0; place < nearestOf && len(of) > 0; place++ {
			n := 1
			for n < len(of) && of[n].Cosine == of[0].Cosine {
				n++
			}
			one := slices.MinFunc(of[:n], func(a, b Candidate) int { return a.ID.Compare(b.ID) })
			first := passage{one.ID, one.Passage}
			times[first]++
			for _, c := range of[:n] {
				copyOf[passage{c.ID, c.Passage}] = first
			}
			of = of[n:]
		}
	}
	// What others have is their mean, each weighted by what it has: those that are hardly ever near do not count.
	var all, squares int64
	for _, n := range times {
		all, squares = all+n, squares+n*n
	}
	var out []memory.ID
	for one, first := range copyOf {
		n := times[first]
		rest := all - n
		if n*mostNearOf > int64(len(nearest)) && n*rest*rest > timesOthers*all*(squares-n*n) {
			out = append(out, one.of)
		}
	}
	slices.SortFunc(out, memory.ID.Compare)
	return slices.Compact(out)
}
