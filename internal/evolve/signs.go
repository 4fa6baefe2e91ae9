package evolve

import "strings"

// Signs are what a text shows of a change without saying of what.
type Signs struct {
	Changed bool                // it has a word of change: now, no longer, instead, moved
	Bare    bool                // it has no subject: "make that 150", "sorry, on Thursday"
	Subject string              // the words that name what its statements are of
	Verbs   string              // their verbs
	Words   string              // all that say what it is about
	Names   string              // of these, the names
	Over    bool                // it says that something is no longer so
	Perhaps bool                // it only supposes
	Values  map[string][]string // its values, by what they are values of: a unit, a day, a time
}

// SignsOf reads the signs of a text.
func SignsOf(text string) Signs {
	all, ts := read(Memory{Text: text}), tokenize(text, nil)
	s := Signs{Values: make(map[string][]string)}
	s.Bare = len(ts) > 0 && (!is("article", ts[0].word) || is("vague", ts[0].word))
	for _, one := range all {
		for i, t := range one.tokens[:one.verb+1] {
			if i < one.verb {
				s.Bare, s.Subject = s.Bare && is("he", t.word), s.Subject+" "+t.text
			} else {
				s.Verbs += " " + t.text
			}
		}
	}
	for i, t := range ts {
		if !is("light", t.word) && !is("other", t.word) && !is("article", t.word) && !isAux(t.word) && !is("now", t.word) {
			s.Words += " " + t.text
		}
		if t.name {
			s.Names += " " + t.text
		}
		s.Over = s.Over || is("ended", t.word) || is("stop", t.word) || is("left", t.word) || is("not", t.word)
		s.Perhaps = s.Perhaps || is("if", t.word)
		kind := t.class
		for _, list := range strings.Fields("now ended instead rather change replace takes left stop other") {
			s.Changed = s.Changed || is(list, t.word) && t.word != "a" && t.word != "hat"
		}
		switch {
		case is("not", t.word) && i > 0 && (ts[i-1].ends == ',' || is("joins", ts[i-1].word)): // and not tabs
			s.Changed = true
		case is("since", t.word) && i+1 < len(ts) && (ts[i+1].class != "" || is("time.in", ts[i+1].word)):
			s.Changed = true
		case kind == "number" && i+1 < len(ts) && !is("light", ts[i+1].word):
			kind = ts[i+1].key
		case kind == "number" && i > 0 && !is("light", ts[i-1].word) && !is("vague", ts[i-1].word):
			kind = ts[i-1].key
		case kind == "" && unitOf(t.word) != "" && (i == 0 || ts[i-1].class != "number"):
			kind, t.key = t.key, ""
		}
		if kind != "" {
			s.Values[kind] = append(s.Values[kind], t.key)
		}
	}
	return s
}
