package tokens

import (
	"sort"
	"unicode/utf8"
)

// Beginnings tells of the beginnings of one text whether they fit. What several of them share is counted once.
type Beginnings struct {
	text  string
	odd   bool
	seams []int  // where what is before costs what it costs alone, some way apart
	costs []Cost // of what is before each
	next  int    // where to look on for seams
}

// BeginningsOf returns those of a text.
func BeginningsOf(s string) *Beginnings {
	newer, broken := odd(s)
	return &Beginnings{text: s, odd: newer || broken, seams: []int{0}, costs: make([]Cost, 1), next: stretch}
}

// stretch is how many bytes at least are between two seams.
const stretch = 64

// Fit reports whether the text up to end, where a character begins, has at most so many tokens.
func (b *Beginnings) Fit(end, most int) bool {
	if b.odd || end <= stretch {
		return Fits(b.text[:end], most)
	}
	if end/longest > max(most, 0) {
		return false
	}
	b.count(end, most)
	at := sort.SearchInts(b.seams, end+1) - 1
	spent, rest := b.costs[at], reading{b.text[b.seams[at]:end], 0}
	if spent.Max() > most {
		return false
	}
	left := most - spent.O200k
	if o200k().count(rest, left) > left {
		return false
	}
	left = most - spent.Cl100k
	return cl100k().count(rest, left) <= left
}

// count counts up to the seams before end, and no further than to the first that costs more than most.
func (b *Beginnings) count(end, most int) {
	for b.next < end {
		last := len(b.seams) - 1
		if b.costs[last].Max() > most {
			return
		}
		if i := b.next; utf8.RuneStart(b.text[i]) && Apart(b.text[:i], b.text[i:]) {
			b.costs = append(b.costs, b.costs[last].Add(Of(b.text[b.seams[last]:i])))
			b.seams = append(b.seams, i)
			b.next += stretch
		} else {
			b.next++
		}
	}
}

// Before returns what counts texts that all end in the same one: how many tokens a text has with that behind it.
func Before(end string) func(text string) int {
	at := 1
	for at < len(end) && !(utf8.RuneStart(end[at]) && Apart(end[:at], end[at:])) {
		at++
	}
	newer, broken := odd(end)
	if at >= len(end) || newer || broken {
		return func(text string) int { return Count(text + end) }
	}
	rest := Of(end[at:])
	return func(text string) int {
		if newer, broken := odd(text); newer || broken {
			return Count(text + end)
		}
		return Of(text + end[:at]).Add(rest).Max()
	}
}
