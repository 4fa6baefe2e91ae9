package secrets

import "slices"

// A scanner goes once over a text.
type scanner struct {
	text  []byte
	rules *ruleSet
	next  []int // per rule: before this byte nothing of it begins
	found []hit

	refusedFrom, refusedTo int // what the generic rule looked at last and left
	longFrom, longTo       int // the run of bytes of tokens looked at last
	spent                  int // bytes read in vain
}

// A hit is a secret found, before it is decided which of two that overlap gives its name.
type hit struct{ rule, start, end int }

// scan finds what is secret in a text, in order and without overlaps. Of overlapping secrets the more
// particular rule gives the name, and the whole is taken.
func scan(text []byte) []Finding {
	s := scanner{text: text, rules: theRules()}
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
			s.next = make([]int, len(s.rules.list))
		}
		if at < s.next[n] {
			continue
		}
		start, end, ok := s.rules.list[n].match(s, at, len(a.text))
		if ok {
			s.found = append(s.found, hit{n, start, end})
		}
		s.next[n] = end // also of what was refused
	}
}

// Text made for it can make every rule read the same bytes again and again. After so much has been read in
// vain, a run of at least longRun bytes in which a rule is asked again is taken for a secret unread.
const (
	patience = 4        // times the text
	leisure  = 32 << 10 // bytes more
	longRun  = 64
)

// tired says that a run of so many bytes is not to be read any more.
func (s *scanner) tired(bytes int) bool {
	return bytes >= longRun && s.spent > patience*len(s.text)+leisure
}

// long is where the run of bytes of tokens ends that at is in.
func (s *scanner) long(at int) int {
	if at < s.longFrom || at >= s.longTo {
		s.longFrom, s.longTo = at, run(s.text, at, tokenish)
	}
	return s.longTo
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

// pair numbers the two bytes an anchor begins with. Some share a number.
func pair(a, b byte) int { return int(folded(a)&63)<<6 | int(folded(b)&63) }
