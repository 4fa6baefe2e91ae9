package eval

import (
	"cmp"
	"math"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// The usual settings of BM25.
const (
	plainK = 1.2
	plainB = 0.75
)

// plain is BM25 and nothing else, over the terms that the index has of a turn's
// text, caption and speaker: what the search is held against.
type plain struct {
	turns []bag
	in    map[string]int // how many turns have a term
	mean  float64        // terms in a turn
}

// A bag is the terms of one turn.
type bag struct {
	alias  string
	count  map[string]int
	length int
}

func newPlain(turns []api.Foreign) *plain {
	p := &plain{in: make(map[string]int)}
	total := 0
	for _, f := range turns {
		terms := words.Terms(memory.Words(f.Body))
		b := bag{alias: f.Alias[0], count: make(map[string]int), length: len(terms)}
		for _, t := range terms {
			b.count[t]++
		}
		for t := range b.count {
			p.in[t]++
		}
		p.turns = append(p.turns, b)
		total += b.length
	}
	p.mean = float64(total) / float64(max(len(turns), 1))
	return p
}

// search returns the aliases of the best turns; of equals the earlier first.
func (p *plain) search(question string) []string {
	terms := words.Query(question)
	type scored struct {
		alias string
		score float64
	}
	var found []scored
	for i := range p.turns {
		if score := p.score(&p.turns[i], terms); score > 0 {
			found = append(found, scored{p.turns[i].alias, score})
		}
	}
	sorting.By(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]string, len(found))
	for i := range out {
		out[i] = found[i].alias
	}
	return out
}

func (p *plain) score(b *bag, terms []string) float64 {
	sum := 0.0
	for _, t := range terms {
		if n := float64(b.count[t]); n > 0 {
			sum += p.rarity(t) * n * (plainK + 1) / (n + plainK*(1-plainB+plainB*float64(b.length)/p.mean))
		}
	}
	return sum
}

// rarity is the weight of a term, above 0 also for one that most turns have.
func (p *plain) rarity(term string) float64 {
	n, in := float64(len(p.turns)), float64(p.in[term])
	return math.Log1p((n - in + 0.5) / (in + 0.5))
}
