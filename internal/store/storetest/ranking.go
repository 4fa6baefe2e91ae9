package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// plain scores records for a question as slowly and plainly as can be: what the
// index must do, said a second time.
func plain(all []*memory.Record, hidden map[memory.ID]bool, terms []string, prefer string) map[memory.ID]float64 {
	type doc struct {
		r        *memory.Record
		tf       map[string]float64
		length   float64
		subjects []string
		said     []string // its terms
	}
	var docs []doc
	total := 0.0
	for _, r := range all {
		d := doc{r: r, tf: make(map[string]float64)}
		for _, t := range words.Terms(r.Words()) {
			d.tf[t]++
			d.length++
			d.said = append(d.said, t)
		}
		if b, ok := r.Body.(*memory.Raw); ok {
			d.subjects = words.Terms(b.Speaker)
			if !b.OccurredAt.IsZero() {
				for _, t := range words.Terms(b.OccurredAt.Time().Format("2 January 2006")) {
					d.tf[t] += 0.5
				}
			}
		}
		if r.Header.Kind != memory.KindRaw && d.length > 0 {
			for _, t := range words.Terms(strings.Join(append(slices.Clip(r.Header.Tags), r.Header.Trigger), " ")) {
				d.tf[t] += 0.5
			}
		}
		for _, name := range r.Header.About {
			d.subjects = append(d.subjects, words.Terms(name)...)
		}
		if d.length > 0 {
			docs = append(docs, d)
			total += d.length
		}
	}
	n, mean := float64(len(docs)), total/float64(len(docs))
	idf, asked, full := make(map[string]float64), 0.0, 0.0
	for _, t := range terms {
		df := 0.0
		for _, d := range docs {
			if d.tf[t] > 0 {
				df++
			}
		}
		full += math.Log(1 + (n-df+0.5)/(df+0.5))
		if df > 0 {
			idf[t] = math.Log(1 + (n-df+0.5)/(df+0.5))
			asked += idf[t]
		}
	}
	own := make([]float64, len(docs))
	for i, d := range docs {
		had := 0.0
		for _, t := range terms {
			if tf := d.tf[t]; tf > 0 {
				own[i] += idf[t] * tf * 1.9 / (tf + 0.9*(0.7+0.3*d.length/mean+0.7*max(0, d.length-64)/mean))
				had += idf[t]
			}
		}
		if had > 0 {
			own[i] *= math.Pow(had/asked, 0.3)
		}
	}
	share := func(docs ...doc) float64 { // of what was asked for, what some have together
		had := 0.0
		for _, t := range terms {
			if slices.ContainsFunc(docs, func(d doc) bool { return d.tf[t] > 0 }) {
				had += idf[t]
			}
		}
		return math.Pow(had/asked, 0.3)
	}
	preferred := map[string]func(string) bool{index.TimeMark: words.OfTime, index.NumberMark: words.OfNumber}[prefer]
	question := func(r *memory.Record) bool {
		b, ok := r.Body.(*memory.Raw)
		return ok && strings.HasSuffix(b.Text, "?")
	}
	out := make(map[memory.ID]float64)
	for i, d := range docs {
		best := 0.0
		propagated := 0.0
		with := []doc{d} // and the short ones right beside it
		if s := d.r.Header.Session; s != "" {
			var in []int // the session's records that are not claims, in their order
			for j, o := range docs {
				if o.r.Header.Session == s && o.r.Header.Space == d.r.Header.Space && o.r.Header.Kind.IsMemory() {
					in = append(in, j)
					if !hidden[o.r.ID] {
						best = max(best, own[j])
					}
				}
			}
			me := slices.Index(in, i)
			for at, j := range in {
				away := me - at
				if me < 0 || away == 0 || away > 3 || away < -3 || hidden[docs[j].r.ID] {
					continue
				}
				part := []float64{0, 0.5, 0.2, 0.1}[max(away, -away)]
				if away == 1 && question(docs[j].r) {
					part += 0.3
				}
				propagated += part * own[j]
				if away*away == 1 && docs[j].length <= 64 {
					with = append(with, docs[j])
				}
			}
		}
		near := min(1, 64/d.length)
		score := near * (propagated + 0.4*best)
		if own[i] > 0 {
			score += own[i] * (1 + near*0.5*(share(with...)/share(d)-1))
		}
		if question(d.r) {
			score *= 1 - 0.15*min(1, max(0, 2-d.length/32))
		}
		if own[i] > 0 && preferred != nil && slices.ContainsFunc(d.said, preferred) {
			score *= 1.25
		}
		if own[i] > 0 && slices.ContainsFunc(d.subjects, func(t string) bool { return slices.Contains(terms, t) }) {
			score *= 1.25
		}
		if (own[i] > 0 || propagated > 0) && !hidden[d.r.ID] && d.r.Header.Kind.IsMemory() {
			out[d.r.ID] = score / full
		}
	}
	return out
}

// testRanking compares the scores of conversations that lie mixed in the log,
// long enough for several segments, with the plain ones.
func testRanking(p *place) {
	ann := NewOwner("ann")
	rng := rand.New(rand.NewPCG(7, 11))
	vocabulary := strings.Fields(
		"river bridge stone water boat fish morning winter walk red green house letter garden music doctor train " +
			"market paper candle",
	)
	var all []*memory.Record
	for n := range 400 {
		said := make([]string, 1+rng.IntN(9))
		for i := range said {
			said[i] = vocabulary[rng.IntN(1+rng.IntN(len(vocabulary)))]
		}
		if n%97 == 0 {
			said = append(said, strings.Repeat("candle ", 80))
		}
		if n%89 == 0 {
			said = append(said, strings.Repeat("paper doctor ", 22))
		}
		if n%5 == 1 {
			said = append(said, "seven")
		}
		text := strings.Join(said, " ") + []string{".", "?"}[n%5/4]
		body := memory.Body(
			&memory.Raw{
				Text: text, Speaker: []string{"", "Rosa", "Winter"}[rng.IntN(3)],
				OccurredAt: memory.At(Start.AddDate(0, n/10, 0)),
			},
		)
		if n%7 == 0 {
			body = &memory.Belief{Statement: text}
		}
		all = append(all, ann.Make(p, body, func(h *memory.Header) {
			if n%11 != 0 {
				h.Session = fmt.Sprint("session ", rng.IntN(3), n/100)
			}
			if n%13 == 0 {
				h.About = []string{"Garden club"}
			}
		}))
	}
	for i := 0; i < len(all); {
		next := min(len(all), i+1+rng.IntN(40))
		p.add(all[i:next]...)
		i = next
	}
	hidden := make(map[memory.ID]bool)
	var gone []*memory.Record
	for i := 0; i < len(all); i += 9 {
		gone = append(gone, all[i])
		hidden[all[i].ID] = true
	}
	mark := ann.Mark(p, memory.Forget, gone...)
	p.add(mark)
	all = append(all, mark)
	for no, text := range []string{
		"river", "a red bridge", "Rosa in the garden", "winter music and candle paper", "january", "zeppelin river",
		"train market letter house doctor", "seven letters for the doctor",
	} {
		terms := words.Query(text)
		prefer := []string{"", index.TimeMark, index.NumberMark}[no%3]
		want := plain(all, hidden, terms, prefer)
		hits, err := p.Match(p.Context(), store.Match{Terms: terms, Prefer: prefer})
		if err != nil {
			p.Fatalf("Match: %v", err)
		}
		if len(hits) != len(want) || len(hits) == 0 {
			p.Errorf("Match of %q gives %d records, want %d", text, len(hits), len(want))
		}
		for _, h := range hits {
			if w := want[h.ID]; math.Abs(h.Score-w) > 0.002*w {
				p.Errorf(
					"Match of %q scores %s %.4f (%.4f own, %.4f propagated, %.4f session), want %.4f", text,
					h.ID.Short(), h.Score, h.Own, h.Propagated, h.Session, w,
				)
				break
			}
		}
	}
}

// testMarks lists records by a type, a tag and by their naming code, whether
// they wait to be indexed or not.
func testMarks(p *place) {
	ann := NewOwner("ann")
	work := ann.On("work")
	note := func(a *Author, n int, kind string) *memory.Record {
		text := fmt.Sprint("note ", n)
		if n%42 == 0 {
			text = strings.Repeat("!", n/42+1) // it has no words, and is listed all the same
		}
		return a.Make(p, &memory.Note{Type: kind, Summary: text}, func(h *memory.Header) {
			if n%3 == 0 {
				h.Tags = []string{"third"}
			}
			if n%5 == 0 {
				h.Provenance.Evidence = []memory.Evidence{{Type: "code", Path: "a.go"}}
			}
		})
	}
	var constraints, thirds, coded, there, notes []*memory.Record
	for n := range 100 {
		r := note(ann, n, []string{"constraint", "decision"}[n%2])
		p.add(r)
		notes = append(notes, r)
		if n%2 == 0 {
			constraints = append(constraints, r)
		}
		if n%3 == 0 {
			thirds = append(thirds, r)
		}
		if n%5 == 0 {
			coded = append(coded, r)
		}
	}
	other := note(work, 1, "constraint")
	p.add(other)
	there = append(there, other)
	p.add(ann.Mark(p, memory.Forget, constraints[3]))
	hidden := constraints[3]
	live := slices.DeleteFunc(slices.Clone(constraints), func(r *memory.Record) bool { return r == hidden })
	newest := func(rs []*memory.Record) []*memory.Record {
		out := slices.Clone(rs)
		slices.Reverse(out)
		return slices.DeleteFunc(out, func(r *memory.Record) bool { return r == hidden })
	}
	here := []string{ann.Space}
	p.want("List of a type", p.list(store.Query{Mark: index.TypeMark("constraint"), Spaces: here}), newest(constraints)...)
	p.want(
		"List of a type, the oldest first",
		p.list(store.Query{Mark: index.TypeMark("constraint"), Spaces: here, Oldest: true}), live...,
	)
	p.want(
		"List of a type, hidden ones too",
		p.list(store.Query{Mark: index.TypeMark("constraint"), Spaces: here, Oldest: true, Hidden: true}),
		constraints...,
	)
	p.want("List of a tag", p.list(store.Query{Mark: index.TagMark("third"), Spaces: here}), newest(thirds)...)
	p.want("List of those that name code", p.list(store.Query{Mark: index.CodeMark}), newest(coded)...)
	p.want("List of two", p.list(store.Query{Mark: index.CodeMark, Limit: 2}), newest(coded)[:2]...)
	p.want(
		"List of another space",
		p.list(store.Query{Mark: index.TypeMark("constraint"), Spaces: []string{work.Space}}), there...,
	)
	p.want(
		"List of another kind",
		p.list(store.Query{Mark: index.TypeMark("constraint"), Kinds: []memory.Kind{memory.KindBelief}}),
	)
	p.want("List of nobody's mark", p.list(store.Query{Mark: index.TagMark("constraint")}))
	both := slices.DeleteFunc(newest(constraints), func(r *memory.Record) bool { return len(r.Header.Tags) == 0 })
	p.want("List of a type and a tag", p.list(store.Query{
		Has: [][]string{{index.TypeMark("constraint")}, {index.TagMark("third")}}, Spaces: here,
	}), both...)
	p.want("List of a mark and a tag", p.list(store.Query{
		Mark: index.TypeMark("constraint"), Has: [][]string{{"nothing", index.TagMark("third")}}, Spaces: here, Oldest: true,
	}), slices.Collect(backwards(both))...)
	p.want("List of one word of two", p.list(store.Query{
		Has: [][]string{{"7", "8"}, {index.TypeMark("constraint"), index.TypeMark("decision")}}, Spaces: here,
		Kinds: []memory.Kind{memory.KindNote},
	}), notes[8], notes[7])
	p.want("List of what none has", p.list(store.Query{Has: [][]string{{"note"}, {"nothing"}}}))
	p.want("List of an empty group", p.list(store.Query{Has: [][]string{{"note"}, {}}}))
	p.matchMarks("note 4", [][]string{{index.TagMark("third"), index.TagMark("fourth")}, {index.TypeMark("decision")}}, 17)
	p.matchMarks("note 4", [][]string{{index.TagMark("fourth")}}, 0)
	if got := p.found(
		store.Match{Terms: []string{"constraint", index.CodeMark, index.TypeMark("constraint")}},
	); len(got) != 0 {
		p.Errorf("Match of marks gives %d records, want none: a mark is no word", len(got))
	}
}

// matchMarks asks that a question to those with some marks gives what it gives without, less the others.
func (p *place) matchMarks(text string, has [][]string, most int) {
	p.Helper()
	m := store.Match{Terms: words.Query(text)}
	all, err := p.Match(p.Context(), m)
	if err != nil {
		p.Fatalf("Match: %v", err)
	}
	marked := make(map[memory.ID]bool)
	for _, id := range p.list(store.Query{Has: has}) {
		marked[id] = true
	}
	want := slices.DeleteFunc(all, func(h store.Hit) bool { return !marked[h.ID] })
	m.Has = has
	got, err := p.Match(p.Context(), m)
	if err != nil || len(got) != most || !reflect.DeepEqual(got, want) && most > 0 {
		p.Errorf("Match of %q among those with %q gives %v, %v, want %d: %v", text, has, got, err, most, want)
	}
	if m.Limit = 2; most > 2 {
		if got, err = p.Match(p.Context(), m); err != nil || !reflect.DeepEqual(got, want[:2]) {
			p.Errorf("the best two are %v, %v, want %v", got, err, want[:2])
		}
	}
}

// backwards yields records from the last to the first.
func backwards(rs []*memory.Record) func(yield func(*memory.Record) bool) {
	return func(yield func(*memory.Record) bool) {
		for _, r := range slices.Backward(rs) {
			if !yield(r) {
				return
			}
		}
	}
}
