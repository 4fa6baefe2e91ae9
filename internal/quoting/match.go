package quoting

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// saying is a sentence of an answer being compared.
type saying struct {
	text    string // without what says only what it cites
	whole   string
	words   []word
	matches []match
	quoted  []bool // of each word: it is within a match
}

// A match is a stretch of words that sources have too.
type match struct {
	from, n int   // among the words of the sentence
	places  []int // where it begins among all words of the sources
}

// mostPlaces is at how many places of the sources one stretch is looked at.
const mostPlaces = 64

// find finds the longest stretches, which do not overlap.
func (r *reading) find(s *saying) error {
	n := len(s.words)
	s.quoted = make([]bool, n)
	longest := make([]match, 0, 8)
	next := map[int]int{} // of each place, how long the stretch is that begins there, for the word behind
	for i := n - run; i >= 0; i-- {
		here := map[int]int{}
		best := match{from: i}
		places := r.runs[joined(s.words[i:i+run])]
		if r.steps += len(places) + 1; r.steps > mostSteps {
			return ErrRepeats
		}
		for _, p := range places {
			long := run
			if l := next[p+1]; l > 0 && r.all[p] == r.all[p+1] {
				long = l + 1
			}
			here[p] = long
			switch {
			case long > best.n:
				best.n, best.places = long, []int{p}
			case long == best.n && len(best.places) < mostPlaces:
				best.places = append(best.places, p)
			}
		}
		next = here
		if best.n > 0 && weight(s.words[i:i+min(best.n, stretch)]) >= stretch {
			longest = append(longest, best)
		}
	}
	slices.SortStableFunc(longest, func(a, b match) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return a.from - b.from
	})
	for _, m := range longest {
		s.take(m)
	}
	r.short(s)
	slices.SortFunc(s.matches, func(a, b match) int { return a.from - b.from })
	return nil
}

// take takes as much of a match as no longer one has.
func (s *saying) take(m match) {
	cut := 0
	for cut < m.n && s.quoted[m.from+cut] {
		cut++
	}
	m.from, m.n = m.from+cut, m.n-cut
	for m.n > 0 && s.quoted[m.from+m.n-1] {
		m.n--
	}
	if m.n == 0 || weight(s.words[m.from:m.from+m.n]) < stretch || slices.Contains(s.quoted[m.from:m.from+m.n], true) {
		return
	}
	if cut > 0 {
		m.places = slices.Clone(m.places)
		for i := range m.places {
			m.places[i] += cut
		}
	}
	for i := range m.n {
		s.quoted[m.from+i] = true
	}
	s.matches = append(s.matches, m)
}

// short finds sentences of sources that are too short to be stretches. One is quoted where it stands by itself.
func (r *reading) short(s *saying) {
	for i := range s.words {
		for n := wholeWords / 2; n < stretch && i+n <= len(s.words); n++ {
			places := r.whole[joined(s.words[i:i+n])]
			if len(places) == 0 || slices.Contains(s.quoted[i:i+n], true) || s.open(i) || s.open(i+n) {
				continue
			}
			for k := range n {
				s.quoted[i+k] = true
			}
			s.matches = append(s.matches, match{i, n, places[:min(len(places), mostPlaces)]})
		}
	}
}

// open reports whether nothing parts a word from the one before it.
func (s *saying) open(i int) bool {
	return i > 0 && i < len(s.words) && !parts(s.text[s.words[i-1].to:s.words[i].from])
}

func (s *source) open(i int) bool {
	return i > s.begin[min(i, len(s.words)-1)] && i < len(s.words) && s.begin[i] == s.begin[i-1] &&
		!parts(s.Words[s.words[i-1].to:s.words[i].from])
}

// judge says how a sentence stands to what it quotes.
func (r *reading) judge(s *saying) (Sentence, error) {
	out := Sentence{Verdict: None}
	if len(s.matches) == 0 {
		return out, nil
	}
	covered := make(map[int]bool) // places of words of sources that are quoted here
	for _, m := range s.matches {
		for _, p := range m.places {
			for k := range m.n {
				covered[p+k] = true
			}
		}
	}
	worst := Quotes
	for _, m := range s.matches {
		q, verdict, why := r.quote(s, m, covered)
		if r.compared > mostCompared {
			return out, ErrRepeats
		}
		if verdict == None {
			continue
		}
		out.Quotes = append(out.Quotes, q)
		if rank[verdict] > rank[worst] {
			worst = verdict
		}
		if out.Why == "" {
			out.Why = why
		}
	}
	if len(out.Quotes) == 0 {
		return out, nil
	}
	out.Verdict = worst
	out.Adds = s.adds()
	number := false
	for i := range s.words {
		if w := &s.words[i]; !s.quoted[i] {
			if w.negates() && out.Why == "" {
				out.Verdict, out.Why = Negated, w.text
			}
			number = number || w.number
		}
	}
	if mark := deniesInside(out.Adds); mark != "" && out.Verdict != Negated {
		out.Verdict, out.Why = Negated, mark
	}
	if out.Verdict == Part && (r.joins(s) || slices.ContainsFunc(out.Quotes, func(q Quote) bool {
		return number && hasNumber(q.LeftOut) || saysOtherwise(q.LeftOut, out.Adds)
	})) {
		out.Verdict = Differs
	}
	if last := strings.TrimRight(s.text, " \t\"'”’»*_)"); out.Verdict != Negated &&
		(strings.HasSuffix(last, "?") || strings.HasSuffix(last, "？")) && !r.asksToo(s) {
		out.Verdict = Asked
	}
	return out, nil
}

// joins reports whether an answer puts together, without a sign, what a sentence of a record has apart.
func (r *reading) joins(s *saying) bool {
	for i := range s.matches[1:] {
		a, b := &s.matches[i], &s.matches[i+1]
		between := s.text[s.words[a.from+a.n-1].to:s.words[b.from].from]
		if a.from+a.n != b.from || strings.Contains(between, gap) || strings.Contains(between, "...") {
			continue
		}
		for _, p := range a.places {
			src := r.sources[r.all[p]]
			for _, q := range b.places {
				if r.all[p] == r.all[q] && q != p+a.n && src.begin[r.at[p]] == src.begin[r.at[q]] {
					return true
				}
			}
		}
	}
	return false
}

// saysOtherwise reports whether the words that a quotation leaves out are for the most part in what the answer adds:
// it says the rest in another way.
func saysOtherwise(left, adds string) bool {
	const least = 3
	added, again, all := make(map[string]bool), 0, 0
	for _, w := range wordsOf(adds) {
		added[w.text] = true
	}
	for _, w := range wordsOf(left) {
		if w.weight > 0 {
			all++
			if added[w.text] {
				again++
			}
		}
	}
	return again >= least && 2*again >= all
}

// rank orders the verdicts: the worst of the quotations is that of the sentence.
var rank = map[Verdict]int{Quotes: 0, Part: 1, Asked: 2, Differs: 3, Negated: 4, None: 5}

// asksToo reports whether the record asks as well.
func (r *reading) asksToo(s *saying) bool {
	m := s.matches[len(s.matches)-1]
	src, first := r.sources[r.all[m.places[0]]], r.at[m.places[0]]
	last := src.end[first+m.n-1] - 1
	return strings.ContainsAny(shorten.To(src.Words[src.words[last].to:], len("？")), "?？")
}

// quote judges one match by the source in which it stands best.
func (r *reading) quote(s *saying, m match, covered map[int]bool) (best Quote, verdict Verdict, why string) {
	verdict = ""
	text := s.text[s.words[m.from].from:s.words[m.from+m.n-1].to]
	for _, p := range m.places {
		src := r.sources[r.all[p]]
		r.compared += src.end[r.at[p]+m.n-1] - src.begin[r.at[p]]
		q, v, w := src.compare(s, m, r.at[p], func(i int) bool { return covered[p-r.at[p]+i] })
		q.Words = shorten.To(text, mostShown)
		switch {
		case verdict == "" || rank[v] < rank[verdict]:
			q.Also = nil
			best, verdict, why = q, v, w
		case v == verdict && src.Ref != best.Ref && !slices.Contains(best.Also, src.Ref) && len(best.Also) < mostAlso:
			best.Also = append(best.Also, src.Ref)
		}
	}
	return best, verdict, why
}

// mostAlso is how many entries with the same words are named.
const mostAlso = 8

// compare judges a match with the words of one source from a place on.
func (src *source) compare(s *saying, m match, at int, covered func(int) bool) (Quote, Verdict, string) {
	q := Quote{Ref: src.Ref}
	last := at + m.n - 1
	var left []string
	why := src.Denied
	for i := src.begin[at]; i < src.end[last]; {
		if covered(i) {
			i++
			continue
		}
		from := i
		for i < src.end[last] && !covered(i) {
			if src.words[i].negates() && why == "" {
				why = src.words[i].text + ", in the record"
			}
			i++
		}
		part := src.Words[src.words[from].from:src.words[i-1].to]
		if mark := deniesInside(part); mark != "" && why == "" {
			why = mark + ", in the record"
		}
		left = append(left, part)
	}
	q.LeftOut = shorten.To(strings.Join(left, " … "), mostShown)
	switch {
	case why != "":
		return q, Negated, why
	case src.open(at) && s.open(m.from):
		q.Says, q.Has = s.few(m.from-few, m.from), src.few(at-few, at, at)
		return q, Differs, ""
	case src.open(last+1) && s.open(m.from+m.n):
		q.Says, q.Has = s.few(m.from+m.n, m.from+m.n+few), src.few(last+1, last+1+few, last)
		return q, Differs, ""
	case len(left) == 0:
		return q, Quotes, ""
	case (src.open(at) || src.open(last+1)) && (s.open(m.from) || s.open(m.from+m.n)) &&
		2*m.n < src.end[last]-src.begin[at]:
		return q, None, "" // a few words that are a clause neither here nor there
	}
	return q, Part, ""
}

// few is how many words are shown of how two texts go on.
const few = 5

func (s *saying) few(from, to int) string {
	from, to = max(from, 0), min(to, len(s.words))
	return shorten.To(s.text[s.words[from].from:s.words[to-1].to], mostShown/4)
}

// few of the sentence that has the word within.
func (src *source) few(from, to, within int) string {
	from, to = max(from, src.begin[within]), min(to, src.end[within])
	return shorten.To(src.Words[src.words[from].from:src.words[to-1].to], mostShown/4)
}

// adds are the words of a sentence that no source has.
func (s *saying) adds() string {
	var out []string
	for i := 0; i < len(s.words); i++ {
		if s.quoted[i] {
			continue
		}
		from := i
		for i+1 < len(s.words) && !s.quoted[i+1] {
			i++
		}
		out = append(out, s.text[s.words[from].from:s.words[i].to])
	}
	return shorten.To(strings.Join(out, " … "), mostShown)
}

func hasNumber(text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(w word) bool { return w.number })
}
