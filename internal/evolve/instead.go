package evolve

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// instead finds a new value and the old one named as replaced: from X to Y, replaced X with Y, Y instead of X.
func instead(o, n statement) *Relation {
	ts := n.tokens
	gone, come, rest := replacing(n)
	if gone == nil {
		gone, come, rest = raised(o, n)
	}
	said := content(o.tokens)
	if len(content(gone)) == 0 || len(content(come)) == 0 || o.denied || !subset(content(gone), said) {
		return nil
	}
	if at := slices.IndexFunc(ts, func(t token) bool { return t.is("instead") }); at > 0 {
		before, after := common(o.tokens, ts[:at])
		if before+after < 2 {
			return nil
		}
		a := o.tokens[before : len(o.tokens)-after]
		if len(ts[:at])-before-after > 4 || len(content(a)) == 0 || !subset(content(a), content(gone)) {
			return nil
		}
		come = ts[before : at-after]
	} else if !subset(content(gone), content(o.tokens[o.verb:])) && joint(ts) == "" {
		return nil
	} else if !about(o, n, rest, said) {
		return nil
	}
	if subset(content(come), said) {
		return nil
	}
	r := told(memory.Update, "replaced", gone, come)
	r.plain = true
	if (n.ruled || Is("rather", joint(ts))) && !n.now {
		r.Type = memory.Contradict
	}
	return r
}

// about reports whether the words beside both values are of the old statement, and name what it is about.
func about(o, n statement, rest []token, said []string) bool {
	shared := 0
	for _, t := range untimed(rest) {
		for _, key := range content([]token{t}) {
			switch {
			case slices.Contains(said, key):
				shared++
			case !t.is("change") && !t.is("replace") && !t.is("takes"):
				return false
			}
		}
	}
	return shared > 0 || o.verb > 0 && o.tokens[0].word == n.tokens[0].word && own(n.tokens[0])
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(k string) bool { return !slices.Contains(all, k) })
}

// raised returns the figure of an old statement that a new one says went to another of its kind.
func raised(o, n statement) (gone, come, rest []token) {
	at := slices.IndexFunc(n.tokens, func(t token) bool { return t.is("to") })
	if at < n.verb || at+1 >= len(n.tokens) || !n.changes() {
		return nil, nil, nil
	}
	come = n.tokens[at+1:]
	was := slices.IndexFunc(o.tokens, func(t token) bool { return t.class != "" && t.class == come[0].class })
	if come[0].name && len(come) > 1 && come[1].class == "number" { // to PostgreSQL 16
		was = 1 + slices.IndexFunc(o.tokens, func(t token) bool { return t.key == come[0].key })
		if was == 0 || was == len(o.tokens) || o.tokens[was].class != "number" {
			return nil, nil, nil
		}
		come = come[1:]
	}
	if was < o.verb || come[0].class == "number" && unitAt(o.tokens, was+1) != unitAt(come, 1) {
		return nil, nil, nil
	}
	rest = n.tokens[n.verb+1 : at]
	if len(content(rest)) == 0 { // who raises it matters only where nothing else is named
		rest = append(slices.Clone(n.tokens[:n.verb]), rest...)
	}
	return o.tokens[was : was+1], come, rest
}

func unitAt(ts []token, i int) string {
	if i >= len(ts) {
		return ""
	}
	return unitOf(ts[i].word)
}

// joint is the word by which a statement names a value that is gone, "" if none does.
func joint(ts []token) string {
	for _, t := range ts {
		if t.is("replace") || t.is("takes") || t.is("rather") {
			return t.word
		}
	}
	return ""
}

// replacing returns what a statement says is gone, what came in its place, and the other words.
func replacing(n statement) (gone, come, rest []token) {
	ts := n.tokens
	find := func(from int, all ...string) int {
		for i := from; i < len(ts); i++ {
			if slices.Contains(all, ts[i].word) {
				return i
			}
		}
		return -1
	}
	for i, t := range ts {
		switch {
		case t.is("instead") && i > n.verb && i+1 < len(ts):
			return ts[i+1:], ts[n.verb+1 : i], ts[:n.verb]
		case t.is("replace") && i > 0 && ts[i-1].isAux(): // X was replaced by Y
			if by := find(i+1, "by", "with", "durch", "par", "por"); by == i+1 {
				return ts[:n.verb], ts[by+1:], nil
			}
		case t.is("replace") && i > 0:
			if by := find(i+1, "with", "by", "par", "por", "durch"); by > i+1 {
				return ts[i+1 : by], ts[by+1:], ts[:i]
			} else if as := find(i+1, "as", "als"); as > i+1 {
				return ts[i+1 : as], ts[:i], ts[as+1:]
			}
		case t.is("takes"):
			if as := find(i+1, "as", "als"); as > i+2 && ts[i+1].word == "from" {
				return ts[i+2 : as], ts[:i], ts[as+1:]
			} else if from := find(i+1, "from"); from > i && from+1 < len(ts) {
				return ts[from+1:], ts[:i], ts[i+1 : from]
			} else if as > i+1 {
				return ts[i+1 : as], ts[:i], ts[as+1:]
			}
		case (t.word == "from" || t.word == "von" || t.word == "de") && i > n.verb && i < n.verb+8 && n.changes():
			to := find(i+1, "to", "auf", "nach", "zu", "à", "a")
			if to > i+1 && to+1 < len(ts) {
				return ts[i+1 : to], ts[to+1:], append(slices.Clone(ts[:n.verb]), ts[n.verb+1:i]...)
			}
		}
	}
	return nil, nil, nil
}
