package pack

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/tokens"
	"github.com/stemma-memory/stemma/internal/words"
)

// The lines of a log, a list or a text without full stops are one long piece, which no room holds: a window shows the
// part of it that has most of what is asked.
const (
	longer   = 2       // times the room: of a shorter piece the beginning is needed to be understood
	lead     = 4       // of so many parts of a window one stands ahead of what is asked
	longWord = 96      // bytes: a longer one is read in parts
	common   = 200     // times that a term stands there: one that is everywhere tells no place
	sample   = 2 << 10 // bytes from which the size of a token is taken
)

// sought is where the terms of a question stand in a piece.
type sought struct {
	places []place
	weight map[int]float64 // of each term: what is rare there tells the place
	size   float64         // bytes of a token, a little less than it has on average
}

type place struct{ from, to, term int }

// cutAround returns what of a piece says most of what is asked, in at most so many tokens: where it begins later, with
// a sign ahead.
func (p *piece) cutAround(asked []string, most int) string {
	if _, fits := p.within(longer * most); fits || p.has == 0 {
		return p.cutTo(most)
	}
	from := p.from
	if from == 0 {
		from = p.begin(asked, most-2*gapCost)
	}
	if from == 0 {
		return p.cutTo(most)
	}
	rest := piece{text: p.text[from:]}
	if cut := rest.cutTo(most - gapCost); cut != "" {
		return gap + " " + cut
	}
	return ""
}

// begin returns where a window of so many tokens begins that has most of what is asked; 0 is the beginning.
func (p *piece) begin(asked []string, room int) int {
	if p.sought == nil {
		p.sought = seek(p.text, asked)
	}
	window := int(float64(room) * p.sought.size)
	from, to := p.sought.densest(window)
	from -= max(0, window-(to-from)) / lead
	if from <= 0 {
		return 0
	}
	if n := strings.IndexByte(p.text[from:to], ' '); n >= 0 && n < longWord {
		return from + n + 1
	}
	for !utf8.RuneStart(p.text[from]) {
		from--
	}
	return from
}

// seek reads a text once.
func seek(text string, asked []string) *sought {
	const least = 0.8 // of the average: a window holds what was found in it
	some := text[:min(len(text), sample)]
	s := &sought{weight: make(map[int]float64), size: least * float64(len(some)) / float64(max(1, tokens.Count(some)))}
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], ' '); n >= 0 {
			end = at + n
		}
		if end-at > longWord {
			for end = at + longWord; end < len(text) && !utf8.RuneStart(text[end]); end++ {
			}
		}
		for _, term := range words.Terms(text[at:end]) {
			if i := slices.Index(asked, term); i >= 0 {
				s.places = append(s.places, place{at, end, i})
				s.weight[i]++
			}
		}
		for at = end; at < len(text) && text[at] == ' '; at++ {
		}
	}
	if slices.ContainsFunc(s.places, func(a place) bool { return s.weight[a.term] <= common }) {
		s.places = slices.DeleteFunc(s.places, func(a place) bool { return s.weight[a.term] > common })
	}
	for term, times := range s.weight {
		s.weight[term] = 1 / times
	}
	return s
}

// densest returns the part of at most so many bytes in which the terms weigh most, from its first to its last one.
func (s *sought) densest(window int) (from, to int) {
	there, weight, best := make(map[int]int), 0.0, 0.0
	first := 0
	for _, last := range s.places {
		if there[last.term]++; there[last.term] == 1 {
			weight += s.weight[last.term]
		}
		for s.places[first].from < last.from && last.to-s.places[first].from > window {
			old := s.places[first].term
			if there[old]--; there[old] == 0 {
				weight -= s.weight[old]
			}
			first++
		}
		const little = 1e-9 // sums of the same weights differ by less
		if weight > best+little {
			from, to, best = s.places[first].from, last.to, weight
		}
	}
	return from, to
}
