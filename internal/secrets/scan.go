package secrets

import "github.com/stemma-memory/stemma/internal/sorting"

// scan finds what is secret in a text, in order and without overlaps. Of overlapping secrets the more
// particular rule gives the name, and the whole is taken.
func scan(text []byte, rules *ruleSet) []Finding {
	s := scanner{text: text, rules: rules}
	s.all()
	return s.findings()
}

// all asks the rules wherever one of their anchors stands.
func (s *scanner) all() {
	text := s.text
	for i := 0; i+1 < len(text); i++ {
		n := s.rules.first[pair(text[i], text[i+1])]
		if n == 0 {
			continue
		}
		bucket := s.rules.buckets[n]
		for j := range bucket {
			if a := &bucket[j]; a.at(text, i) {
				s.try(a, i)
			}
		}
	}
}

// try asks the rules that an anchor stands for.
func (s *scanner) try(a *anchor, at int) {
	for _, n := range a.rules {
		if s.next == nil {
			s.next = make([]int32, len(s.rules.list))
		}
		if at < int(s.next[n]) {
			continue
		}
		start, end, ok := s.rules.list[n].match(s, at, len(a.text))
		if ok {
			s.found = append(s.found, hit{n, start, end})
		}
		s.next[n] = int32(end) // also of what was refused
	}
}

func (s *scanner) findings() []Finding {
	sorting.By(s.found, func(a, b hit) int { return a.start - b.start })
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

// A Finding is one secret: the rule that knew it and the bytes text[Start:End] that it takes up.
type Finding struct {
	Rule       string
	Start, End int
}
