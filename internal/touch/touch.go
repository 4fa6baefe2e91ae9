package touch

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/words"
)

// A Text is what is compared of a text to see whether a newer one may touch it: not whether it does, which the rules
// tell, but whether who wrote the newer one should look.
type Text struct {
	signs

	terms   []string
	subject map[string]bool
	verbs   map[string]bool
	names   map[string]bool
	ruled   map[string]bool // out
	spoken  bool            // by a person, who often tells what happened
}

// Of reads a text.
func Of(text string) *Text {
	s := &Text{signs: signsOf(text)}
	s.terms = words.Query(s.signs.words)
	s.subject, s.verbs = termsOf(s.subjects), termsOf(s.signs.verbs)
	s.names, s.ruled = termsOf(s.signs.names), termsOf(s.signs.gone)
	if len(s.subject) == 0 && len(s.terms) > 0 { // of what it is stands first
		s.subject[s.terms[0]] = true
		for _, t := range s.terms[1 : (len(s.terms)+1)/2] {
			if !s.names[t] {
				break
			}
			s.subject[t] = true
		}
	}
	return s
}

// Spoken reads what a person said in a turn.
func Spoken(text string) *Text {
	s := Of(text)
	s.spoken = true
	return s
}

// Bare reports whether a text does not say of what it is.
func (s *Text) Bare() bool { return s.bare }

// After adds what was said just before to a text that does not say of what it is.
func (s *Text) After(before string) { s.terms = append(s.terms, words.Query(before)...) }

// Several reports whether a text says several things: in statements of their own, or with values of several kinds.
func (s *Text) Several() bool { return len(s.clauses) > 1 || len(s.values) > 1 }

func termsOf(text string) map[string]bool {
	out := make(map[string]bool)
	for _, t := range words.Query(text) {
		out[t] = true
	}
	return out
}

// touching is what a newer text has of an older one.
type touching struct {
	subject bool // a word of what the older one is of
	rest    bool // another word of it
	named   bool // of these, one that is no verb
	name    bool // of these, a name
	value   bool // another value of the same thing
	gone    bool // its value too, beside another one
	much    bool // half of its words
	most    bool // three of four
	all     bool // all of them
	turned  bool // nothing but what the newer one is of, and the older one is not
	shared  int  // how many words
}

// touches says what a newer text has of an older one.
func (s *Text) touches(old *Text) touching {
	var t touching
	same := 0
	t.turned = true
	for _, term := range old.terms {
		if !slices.ContainsFunc(s.terms, func(own string) bool { return oneWord(own, term) }) {
			continue
		}
		t.shared++
		if slices.Contains(s.terms, term) {
			same++
		}
		t.gone = t.gone || s.ruled[term] && !old.subject[term]
		t.turned = t.turned && s.subject[term] && !old.subject[term]
		switch {
		case old.subject[term]:
			t.subject = true
		case old.verbs[term]:
			t.rest = true
		default:
			t.rest, t.named, t.name = true, true, t.name || old.names[term]
		}
	}
	for kind, values := range s.values {
		was := old.values[kind]
		if kind == figure && s.bare { // of whatever it is
			for _, of := range old.values {
				was = append(was, of...)
			}
		}
		old := func(v string) bool { return slices.Contains(was, v) }
		another := len(was) > 0 && slices.ContainsFunc(values, func(v string) bool { return !old(v) })
		t.value, t.gone = t.value || another, t.gone || another && slices.ContainsFunc(values, old)
	}
	t.much = t.rest && (!t.turned || s.changed) && t.shared >= muchShared && 2*t.shared >= len(old.terms)
	t.most = t.rest && t.shared > muchShared && 4*t.shared >= 3*len(old.terms)
	t.all = same == len(old.terms)
	return t
}

// Enough is how many points speak for it that a newer text touches an older one, at the least.
const Enough = 2

// Points is how much speaks for it that a newer text touches an older one.
func (s *Text) Points(old *Text) (n int) {
	t := s.touches(old)
	for _, is := range []bool{
		t.subject, t.rest, t.name, t.much, t.value && (t.subject || t.rest),
		(s.changed || s.bare) && (t.subject || t.named && !t.turned),
	} {
		if is {
			n++
		}
	}
	return n
}

// Says reports whether a newer text says something of an older one beside what that is of.
func (s *Text) Says(old *Text) bool { return s.touches(old).rest }

// Much reports whether a newer text says much of what an older one says.
func (s *Text) Much(old *Text) bool { return s.touches(old).much }

// Worth is how much a newer text has of an older one, to tell which of several it is about.
func (s *Text) Worth(old *Text) (n int) {
	t := s.touches(old)
	const most, some = 4, 2
	for is, by := range map[*bool]int{
		&t.gone: most, &t.subject: most, &t.value: some, &t.rest: some, &t.much: some, &t.name: 1,
	} {
		if *is {
			n += by
		}
	}
	return n + t.shared
}

// InPart reports whether a newer text takes the place of an older one only in part: of several things that this says,
// it has a value of no kind, or nothing of a statement.
func (s *Text) InPart(old *Text) bool {
	if !old.Several() {
		return false
	}
	for kind, values := range old.values {
		if strings.Join(values, "") != "" && len(s.values[kind]) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(old.clauses, func(clause string) bool {
		return !slices.ContainsFunc(words.Query(clause), func(t string) bool {
			return !old.subject[t] && !old.verbs[t] && slices.Contains(s.terms, t)
		})
	})
}

// Against reports whether a newer text says otherwise than an older one, as far as its words show: it speaks of the
// same and says that something changed, or names what the older one has and something else.
func (s *Text) Against(old *Text) bool {
	t := s.touches(old)
	if s.spoken && s.within || s.perhaps && (s.spoken || !s.bare || !t.value) || s.bare && !s.changed && s.spoken {
		return false
	}
	if s.ofAnother(old) {
		return false
	}
	adds, anew := false, false // words, and words of what it is
	for _, term := range s.terms {
		if !slices.Contains(old.terms, term) {
			adds, anew = true, anew || s.subject[term]
		}
	}
	switch {
	case !adds && !s.over, t.all && !s.over && !s.changed && !anew:
		return false // it says the same
	case t.gone, s.bare && t.value && t.rest && (s.changed || !s.spoken):
		return true
	case s.beside(old):
		return false
	case s.changed || s.over:
		return t.subject && (t.rest || t.value) || t.named && t.much && !t.turned
	case s.lacks(old):
		return false
	}
	return t.subject && t.much && (t.name || !s.spoken && (t.most || t.value && !(s.past && old.past) || t.all && anew))
}

// TakesUp reports whether a revision of an older text says what a newer one says of that: it has all the names and
// values of this which the older one had not, or some word of it and no longer all names and values of the older one.
func (s *Text) TakesUp(newer, old *Text) bool {
	has := func(all []string, t string) bool {
		return slices.ContainsFunc(all, func(own string) bool { return oneWord(own, t) })
	}
	takes, marked, all := false, false, true // all that marks the newer one
	for _, t := range newer.terms {
		if has(old.terms, t) {
			continue
		}
		is := has(s.terms, t) && !s.ruled[t]
		takes = takes || is
		if newer.names[t] || hasDigit(t) {
			marked, all = true, all && is
		}
	}
	if !takes || marked && all {
		return takes
	}
	less := slices.ContainsFunc(old.terms, func(t string) bool { return !has(s.terms, t) })
	marks := func(t string) bool { return old.names[t] || hasDigit(t) }
	return slices.ContainsFunc(old.terms, func(t string) bool { return marks(t) && !has(s.terms, t) }) ||
		less && len(old.names) == 0 && !slices.ContainsFunc(old.terms, hasDigit)
}

// beside reports whether two texts are of two things of one kind: what they are of has a word in common, and each has
// one of which the other says nothing (the billing service, the harbour service).
func (s *Text) beside(old *Text) bool {
	own := func(s, other *Text) (own, common bool) {
		for t := range s.subject {
			own, common = own || !slices.Contains(other.terms, t), common || other.subject[t]
		}
		return own, common
	}
	mine, common := own(s, old)
	its, _ := own(old, s)
	return mine && its && common
}

// lacks reports whether a newer text lacks a word of an older one that stands before others which it has: with that
// word the older one may be of another thing (the cache of node birch). Its value stands at the end.
func (s *Text) lacks(old *Text) bool {
	has := func(t string) bool {
		return slices.ContainsFunc(s.terms, func(own string) bool { return oneWord(own, t) })
	}
	first := slices.IndexFunc(old.terms, func(t string) bool { return !has(t) })
	return first >= 0 && slices.ContainsFunc(old.terms[first:], has)
}

// ofAnother reports whether an older text is of something that has a number or a letter in its name, which a newer one
// has not: depot 1 and depot 2, hall A and hall B. A figure beside a name may have changed where the newer one tells a
// change.
func (s *Text) ofAnother(old *Text) bool {
	for of, letter := range old.letters {
		if own := s.letters[of]; own != "" && own != letter {
			return true
		}
	}
	for t := range old.subject {
		if hasDigit(t) && !slices.Contains(s.terms, t) && (!s.changed || strings.Trim(t, "0123456789") != "") {
			return true
		}
	}
	return false
}

// muchShared is how many words are much of a text, at the least.
const muchShared = 2

// leastShared is how many letters two words begin with in common, at least, of which one is made of the other, or both
// of a third one.
const leastShared = 5

// oneWord reports whether two terms are one, or are made of one: floor and floorboard, plumber and plumbing.
func oneWord(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= leastShared && strings.HasPrefix(b, a[:max(leastShared, len(a)-2)]) && !hasDigit(a+b)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
