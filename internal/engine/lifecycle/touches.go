package lifecycle

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/words"
)

// A saying is what is compared of a text to see whether a newer one may touch it: not whether it does, which the rules
// tell, but whether who wrote the newer one should look.
type saying struct {
	evolve.Signs

	terms   []string
	subject map[string]bool
	verbs   map[string]bool
	names   map[string]bool
	ruled   map[string]bool // out
	spoken  bool            // in a turn
}

func sayingOf(text string) saying {
	s := saying{Signs: evolve.SignsOf(text)}
	s.terms = words.Query(s.Words)
	s.subject, s.verbs, s.names, s.ruled = termsOf(s.Subject), termsOf(s.Verbs), termsOf(s.Names), termsOf(s.Gone)
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
func (s *saying) touches(old *saying) touching {
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
	for kind, values := range s.Values {
		was := old.Values[kind]
		if kind == figure { // of whatever it is
			for _, of := range old.Values {
				was = append(was, of...)
			}
		}
		old := func(v string) bool { return slices.Contains(was, v) }
		another := len(was) > 0 && slices.ContainsFunc(values, func(v string) bool { return !old(v) })
		t.value, t.gone = t.value || another, t.gone || another && slices.ContainsFunc(values, old)
	}
	t.much = t.rest && (!t.turned || s.Changed) && t.shared >= nearWords && float64(t.shared) >= nearWithin*float64(len(old.terms))
	t.most = t.rest && t.shared >= 3 && 4*t.shared >= 3*len(old.terms)
	t.all = same == len(old.terms)
	return t
}

// points is how much speaks for it that a newer text touches an older one; below 2 it is not to be looked at.
func (s *saying) points(t touching) (n int) {
	for _, is := range []bool{
		t.subject, t.rest, t.name, t.value && (t.subject || t.rest), (s.Changed || s.Bare) && (t.subject || t.named), t.much,
	} {
		if is {
			n++
		}
	}
	return n
}

// worth is how much a newer text has of an older one, to tell which of several it is about.
func (s *saying) worth(t touching) (n int) {
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

// inPart reports whether a newer text takes the place of an older one only in part: of several things that this says, it
// has a value of no kind, or nothing of a statement.
func (s *saying) inPart(old *saying) bool {
	if !old.Several() {
		return false
	}
	for kind, values := range old.Values {
		if strings.Join(values, "") != "" && len(s.Values[kind]) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(old.Clauses, func(clause string) bool {
		return !slices.ContainsFunc(words.Query(clause), func(t string) bool {
			return !old.subject[t] && !old.verbs[t] && slices.Contains(s.terms, t)
		})
	})
}

// against reports whether a newer text says otherwise than an older one, as far as its words show: it speaks of the same
// and says that something changed, or names what the older one has and something else.
func (s *saying) against(old *saying) bool {
	t := s.touches(old)
	if s.Perhaps && (s.spoken || !s.Bare || !t.value) || s.Bare && !s.Changed && s.spoken {
		return false
	}
	adds, anew := false, false // words, and words of what it is
	for _, term := range s.terms {
		if !slices.Contains(old.terms, term) {
			adds, anew = true, anew || s.subject[term]
		}
	}
	switch {
	case !adds && !s.Over, t.all && !s.Over && !s.Changed && !anew:
		return false // it says the same
	case t.gone, s.Bare && t.value && t.rest && (s.Changed || !s.spoken):
		return true
	case s.Changed || s.Over:
		return t.subject && (t.rest || t.value) || t.named && t.much && !t.turned
	}
	return t.subject && t.much && (t.name || t.most || t.value && !(s.Past && old.Past) || t.all && anew)
}

// leastShared is how many letters two words begin with in common, at least, of which one is made of the other, or both
// of a third one.
const leastShared = 5

// figure is the kind of a value of which a text does not say what it is a value of.
const figure = "number"

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
