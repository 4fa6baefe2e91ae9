package secrets

import "slices"

// A scanner goes once over a text.
type scanner struct {
	text  []byte
	rules *ruleSet
	next  []int // per rule: before this byte nothing of it begins
	found []hit

	refusedFrom, refusedTo int // what the generic rule looked at last and left
}

// A hit is a secret found, before it is decided which of two that overlap gives its name.
type hit struct{ rule, start, end int }

// scan finds what is secret in a text, in order and without overlaps. Of overlapping secrets the more
// particular rule gives the name, and the whole is taken.
func scan(text []byte) []Finding {
	s := scanner{text: text, rules: theRules()}
	for i := 0; i+1 < len(text); i++ {
		bucket := s.rules.first[pair(text[i], text[i+1])]
		if bucket == 0 {
			continue
		}
		for _, a := range s.rules.buckets[bucket] {
			if a.at(text, i) {
				s.try(a, i)
			}
		}
	}
	return s.findings()
}

// try asks the rules that an anchor stands for.
func (s *scanner) try(a anchor, at int) {
	for _, n := range a.rules {
		if s.next == nil {
			s.next = make([]int, len(s.rules.list))
		}
		if at < s.next[n] {
			continue
		}
		start, end, ok := s.rules.list[n].match(s, at, len(a.text))
		if ok {
			s.found = append(s.found, hit{n, start, end})
			s.next[n] = end
		}
	}
}

func (s *scanner) findings() []Finding {
	slices.SortStableFunc(s.found, func(a, b hit) int { return a.start - b.start })
	var out []Finding
	best := 0
	for _, h := range s.found {
		if n := len(out); n > 0 && h.start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, h.end)
			if h.rule < best {
				best, out[n-1].Rule = h.rule, s.rules.list[h.rule].id
			}
			continue
		}
		best = h.rule
		out = append(out, Finding{s.rules.list[h.rule].id, h.start, h.end})
	}
	return out
}

// An anchor is a piece of text by which rules are found.
type anchor struct {
	text  string
	fold  bool // in lower case, and stands for any case
	rules []int
}

func (a *anchor) at(text []byte, i int) bool {
	if len(text)-i < len(a.text) {
		return false
	}
	for j := range len(a.text) {
		c := text[i+j]
		if a.fold {
			c = folded(c)
		}
		if c != a.text[j] {
			return false
		}
	}
	return true
}

// pair numbers the two bytes an anchor begins with.
func pair(a, b byte) int { return int(folded(a))<<8 | int(folded(b)) }
