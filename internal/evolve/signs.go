package evolve

import (
	"slices"
	"strings"
)

// Signs are what a text shows of a change without saying of what.
type Signs struct {
	Changed bool                // it has a word of change: now, no longer, instead, moved
	Bare    bool                // it has no subject: "make that 150", "sorry, on Thursday"
	Subject string              // the words that name what its statements are of
	Verbs   string              // their verbs
	Words   string              // all that say what it is about
	Names   string              // of these, the names
	Gone    string              // those that it names as no longer so: not X, instead of X
	Over    bool                // it says that something is no longer so
	Perhaps bool                // it only supposes
	Clauses []string            // what its statements say, where it says several things
	Past    bool                // it tells what was once
	Values  map[string][]string // its values, by what they are values of: a unit, a day, a time
}

// SignsOf reads the signs of a text.
func SignsOf(text string) Signs {
	all, ts := read(Memory{Text: text}), tokenize(text, nil)
	s := Signs{Values: make(map[string][]string)}
	s.Bare = len(ts) > 0 && (!is("article", ts[0].word) || is("vague", ts[0].word))
	for _, one := range all {
		for _, t := range one.tokens[:one.verb] {
			if !is("he", t.word) && !is("corrects", t.word) && !is("speaker", t.word) {
				s.Bare, s.Subject = false, s.Subject+" "+t.text
			}
		}
		s.Verbs += " " + one.tokens[one.verb].text
		verb := one.tokens[one.verb].word
		s.Past = s.Past || past(verb) || slices.Contains([]string{"was", "were", "war", "waren", "était", "fue"}, verb)
		if one.whole != nil && !is("since", one.tokens[0].word) {
			var said []string
			for _, t := range one.tokens {
				said = append(said, t.text)
			}
			s.Clauses = append(s.Clauses, strings.Join(said, " "))
		}
	}
	gone, reason := 0, false
	for i, t := range ts {
		var next, last token
		if i > 0 {
			last = ts[i-1]
		}
		if i+1 < len(ts) {
			next = ts[i+1]
		}
		apart := is("instead", t.word) || is("rather", t.word) || is("ended", t.word) ||
			is("not", t.word) && (last.ends == ',' || is("joins", last.word) || is("but", last.word)) // and not tabs
		since := (is("since", t.word) || is("from", t.word)) && t.word != "de" &&
			(next.class != "" && next.class != "number" || is("time.in", next.word) && next.word != "the") &&
			(i+2 >= len(ts) || !is("to", ts[i+2].word) && ts[i+2].word != "bis")
		s.Changed = s.Changed || apart || since
		reason = i > 0 && (reason || is("since", t.word) && !since)
		for _, list := range strings.Fields("now change replace takes left stop corrects") {
			s.Changed = s.Changed || is(list, t.word) && t.word != "a" && t.word != "hat"
		}
		s.Over = s.Over || is("ended", t.word) || is("stop", t.word) || is("left", t.word) || is("not", t.word)
		s.Perhaps = s.Perhaps || is("if", t.word)
		if !is("light", t.word) && !is("corrects", t.word) && !is("article", t.word) && !isAux(t.word) && !is("now", t.word) &&
			!apart {
			s.Words += " " + t.text
			if gone > 0 {
				s.Gone += " " + t.text
				gone--
			}
		}
		if apart {
			gone = 2
		}
		if t.name {
			s.Names += " " + t.text
		}
		plain := func(t token) bool {
			return t.word != "" && t.class == "" && !is("light", t.word) && !is("article", t.word) && !is("vague", t.word) &&
				!is("now", t.word) && !isAux(t.word)
		}
		kind := t.class
		switch {
		case reason: // it is no value of what is said
			kind = ""
		case kind == "number" && t.ends == 0 && plain(next):
			kind = next.key
		case kind == "number" && last.ends == 0 && plain(last):
			kind = last.key
		case kind == "" && unitOf(t.word) != "" && last.class != "number":
			kind, t.key = t.key, ""
		}
		if kind != "" {
			s.Values[kind] = append(s.Values[kind], t.key)
		}
	}
	return s
}

// Several reports whether a text says several things: in statements of their own, or with values of several kinds.
func (s *Signs) Several() bool { return len(s.Clauses) > 1 || len(s.Values) > 1 }
