package eval

import (
	"math"
	"slices"
	"time"
)

// depths are how far recall looks, near ones how far a hit is looked for.
var (
	depths = [...]int{5, 10, 20}
	nearby = [...]int{1, 5, 10}
)

// gainDepth is how far nDCG looks.
const gainDepth = 10

// Figures are means over questions, from 0 to 1, and how long searches took.
type Figures struct {
	Of        string  `json:"of"` // all, or a kind of question
	Questions int     `json:"questions"`
	Recall5   float64 `json:"recall_5"` // share of a question's turns among the first 5
	Recall10  float64 `json:"recall_10"`
	Recall20  float64 `json:"recall_20"`
	Hit1      float64 `json:"hit_1"` // the first result is one of its turns
	Hit5      float64 `json:"hit_5"` // one of the first 5 is
	Hit10     float64 `json:"hit_10"`
	MRR       float64 `json:"mrr"`     // 1 / the place of the first of its turns; 0 if none is found
	NDCG10    float64 `json:"ndcg_10"` // how near the order of the first 10 comes to the best one
	Median    float64 `json:"ms_p50,omitempty"`
	P95       float64 `json:"ms_p95,omitempty"`
}

// A Table is the figures of all questions and of each kind that was asked.
type Table struct {
	All   Figures   `json:"all"`
	Kinds []Figures `json:"kinds"`
}

// An outcome is how one question went.
type outcome struct {
	kind   Kind
	recall [len(depths)]float64
	hit    [len(nearby)]float64
	first  float64
	gain   float64
	took   time.Duration // 0 was not timed
}

// judge compares what was found, best first, with the turns that answer the
// question. A turn that is found twice counts once.
func judge(q Question, found []string) outcome {
	o := outcome{kind: q.Kind}
	gain, ideal := 0.0, 0.0
	var seen []string
	for i, alias := range found[:min(len(found), Limit)] {
		if !slices.Contains(q.Evidence, alias) || slices.Contains(seen, alias) {
			continue
		}
		if len(seen) == 0 {
			o.first = 1 / float64(i+1)
		}
		seen = append(seen, alias)
		for d, depth := range depths {
			if i < depth {
				o.recall[d] += 1 / float64(len(q.Evidence))
			}
		}
		for d, depth := range nearby {
			if i < depth {
				o.hit[d] = 1
			}
		}
		if i < gainDepth {
			gain += discount(i)
		}
	}
	for i := range min(len(q.Evidence), gainDepth) {
		ideal += discount(i)
	}
	o.gain = gain / ideal
	return o
}

// discount is what a turn is worth in nDCG at a place, 0 being the first.
func discount(i int) float64 { return 1 / math.Log2(float64(i)+2) }

// table sums up outcomes. Kinds that were not asked are left out.
func table(all []outcome) Table {
	t := Table{All: figures("all", all), Kinds: []Figures{}}
	for _, k := range kinds {
		of := slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return o.kind != k })
		if len(of) > 0 {
			t.Kinds = append(t.Kinds, figures(k.String(), of))
		}
	}
	return t
}

// figures are the means of outcomes, of which there is at least one.
func figures(of string, all []outcome) Figures {
	mean := func(what func(outcome) float64) float64 {
		sum := 0.0
		for _, o := range all {
			sum += what(o)
		}
		const places = 1e4
		return math.Round(sum/float64(len(all))*places) / places
	}
	f := Figures{
		Of: of, Questions: len(all),
		Recall5:  mean(func(o outcome) float64 { return o.recall[0] }),
		Recall10: mean(func(o outcome) float64 { return o.recall[1] }),
		Recall20: mean(func(o outcome) float64 { return o.recall[2] }),
		Hit1:     mean(func(o outcome) float64 { return o.hit[0] }),
		Hit5:     mean(func(o outcome) float64 { return o.hit[1] }),
		Hit10:    mean(func(o outcome) float64 { return o.hit[2] }),
		MRR:      mean(func(o outcome) float64 { return o.first }),
		NDCG10:   mean(func(o outcome) float64 { return o.gain }),
	}
	took := make([]time.Duration, len(all))
	for i, o := range all {
		took[i] = o.took
	}
	slices.Sort(took)
	f.Median, f.P95 = percentile(took, 50), percentile(took, 95)
	return f
}

// percentile gives, in milliseconds, the least of sorted times below or at which
// so many of a hundred lie.
func percentile(sorted []time.Duration, p int) float64 {
	i := (len(sorted)*p + 99) / 100
	return math.Round(float64(sorted[i-1])/float64(time.Microsecond)) / 1000
}
