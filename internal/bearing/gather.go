package bearing

import (
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/words"
)

// The forms of questions that want everything there is of something.
const (
	All     = "all"   // all decisions, everything about X
	List    = "list"  // list the decisions
	Several = "which" // which books has she read
	Plural  = "are"   // what are the rules
	Times   = "times" // how many times
	About   = "about" // tell me about X
	Name    = "name"  // a name and nothing else
	Period  = "time"  // what happened last week
)

// A Gathering is a question that wants everything there is of something, and not one answer. It is known by
// the grammar of the question alone.
type Gathering struct {
	Form  string
	Names [][]string // the terms of each name in it
	Asked []Wanted   // what is wanted of them
	Since time.Time  // zero is any time
	Until time.Time

	text string
}

// Wanted is a word of a question that gathers.
type Wanted struct {
	Word  string
	As    []string // the terms that are as good as it
	Head  bool     // it says what is wanted: in "which songs has Mira learned" the songs
	Topic bool     // it says what that is about: in "all decisions about trains" the trains
}

// mostGathering is how many words a question has at most that gathers: a longer text is a task or a page.
const mostGathering = 40

// Gathers reads a question; ok is false where it wants one answer, or is no question.
func Gathers(text string, now time.Time) (g Gathering, ok bool) {
	const mostText = 1000
	if len(text) > mostText {
		return g, false
	}
	p := &phrase{now: now, noun: -1}
	for _, f := range fieldsOf(text) {
		word := strip(f)
		if word == "" {
			continue
		}
		p.words = append(p.words, word)
		p.low = append(p.low, strings.ToLower(word))
		p.owns = append(p.owns, strings.HasSuffix(f, "'s") || strings.HasSuffix(f, "’s") || strings.HasSuffix(f, "s'"))
	}
	n := len(p.low)
	if n == 0 || n > mostGathering {
		return g, false
	}
	p.used = make([]bool, n)
	g.Since, g.Until = p.period()
	if g.Form = p.form(); g.Form == "" {
		return Gathering{}, false
	}
	g.text = text
	p.about()
	p.into(&g)
	if g.Form == Period && g.Since.IsZero() && g.Until.IsZero() {
		return Gathering{}, false
	}
	return g, len(g.Names)+len(g.Asked) > 0 || g.Form == Period
}

// Share is how much of what is wanted a text has, from 0 to 1, by what says whether it has a term; ok is false
// where it has none of the names, nothing of the rest, or nothing of what that is about. head reports whether it
// has the word that says what is wanted.
func (g *Gathering) Share(has func(Wanted) bool, term func(string) bool) (share float64, head, ok bool) {
	about := len(g.Names) == 0 || slices.ContainsFunc(g.Names, func(name []string) bool {
		return !slices.ContainsFunc(name, func(t string) bool { return !term(t) })
	})
	if !about {
		return 0, false, false
	}
	if len(g.Asked) == 0 {
		return 1, true, true
	}
	n, topics, met := 0, 0, 0
	head = true
	for _, w := range g.Asked {
		had := has(w)
		if had {
			n++
		} else if w.Head {
			head = false
		}
		if w.Topic {
			topics++
			if had {
				met++
			}
		}
	}
	return float64(n) / float64(len(g.Asked)), head, n > 0 && (topics == 0 || met > 0)
}

// Words are the words of names and of what is wanted, for a person.
func (g *Gathering) Words() (names, wanted []string) {
	for _, f := range fieldsOf(g.text) {
		word := strip(f)
		terms := words.Terms(word)
		if len(terms) == 0 {
			continue
		}
		for _, n := range g.Names {
			if slices.Contains(n, terms[0]) && !slices.Contains(names, word) {
				names = append(names, word)
			}
		}
	}
	for _, w := range g.Asked {
		wanted = append(wanted, w.Word)
	}
	return names, wanted
}

// into splits what is left into names and other words.
func (p *phrase) into(g *Gathering) {
	whole := g.Form == Name
	seen := make(map[string]bool)
	before := -2 // where the word before in the same name stands
	for i, word := range p.words {
		if p.used[i] {
			continue
		}
		low := p.low[i]
		terms := words.Terms(word)
		if len(terms) == 0 {
			continue
		}
		isName := whole || i > 0 && named(word) && (!words.Stop(low) || p.used[i-1]) || p.owns[i] && named(word)
		switch {
		case isName && before == i-1 && !p.owns[i-1]:
			last := len(g.Names) - 1
			g.Names[last] = append(g.Names[last], terms[0])
			before = i
		case isName:
			g.Names = append(g.Names, []string{terms[0]})
			before = i
		case words.Stop(low) || hollow.Has(low) || seen[terms[0]]:
		default:
			seen[terms[0]] = true
			w := Wanted{Word: low, As: []string{terms[0]}, Head: i == p.noun && !general.Has(strings.TrimSuffix(low, "s"))}
			w.Topic = p.topic[0] <= i && i < p.topic[1] && i != p.noun
			for t := range alike(low, terms) {
				if t != figures && t != terms[0] {
					w.As = append(w.As, t)
				}
			}
			slices.Sort(w.As[1:])
			g.Asked = append(g.Asked, w)
		}
	}
}
