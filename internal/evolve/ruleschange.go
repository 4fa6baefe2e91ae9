package evolve

import "strings"

// phrase gives the first phrase of change in a text.
func (r *reading) phrase() string {
	for i := range r.tokens {
		for _, p := range strongPhrases[r.tokens[i].word] {
			if r.at(i, p) {
				return strings.Join(p, " ")
			}
		}
	}
	return ""
}

// at says whether these words stand at i.
func (r *reading) at(i int, words []string) bool {
	if i+len(words) > len(r.tokens) {
		return false
	}
	for k, w := range words {
		if r.tokens[i+k].word != w {
			return false
		}
	}
	return true
}

// change gives the words by which the new text says that the world has changed in what the
// old one speaks of, "" if it does not.
func change(o, n *reading) string {
	if p := n.phrase(); p != "" && !strings.Contains(o.line(), " "+p+" ") {
		return p
	}
	for i, t := range n.tokens {
		switch {
		case t.word == "since" && i+1 < len(n.tokens) && !pronouns[n.tokens[i+1].word]:
			return t.word
		case t.word == "new" && i+1 < len(n.tokens) && (i == 0 || n.tokens[i-1].word != "a" || true):
			if _, ok := o.said[n.tokens[i+1].key]; ok {
				return "new"
			}
		case (t.word == "started" || t.word == "began") && !n.begins(o, i):
		case changeVerbs[t.word] && n.concerns(o, i):
			return t.word
		}
	}
	return ""
}

// begins says whether what begins at i is something new to the old text.
func (r *reading) begins(o *reading, i int) bool {
	for _, t := range r.tokens[i+1:] {
		if t.clause != r.tokens[i].clause || prepositions[t.word] {
			break
		}
		if was, known := o.said[t.key]; t.content && (!known || was < 0) {
			return true
		}
	}
	return false
}

func (r *reading) line() string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range r.tokens {
		b.WriteString(t.word)
		b.WriteByte(' ')
	}
	return b.String()
}

// concerns says whether the verb of change at i is about something the old text speaks of.
func (r *reading) concerns(o *reading, i int) bool {
	ts := r.tokens
	if ts[i].denied%2 == 1 {
		return false
	}
	if i > 0 && (determiners[ts[i-1].word] || ts[i-1].owner) {
		return false // a thing: the closed door
	}
	passive := i > 0 && copulas[ts[i-1].word] || i > 1 && copulas[ts[i-2].word] && (ts[i-1].word == "not" || strings.HasSuffix(ts[i-1].word, "ly"))
	// what it does something to
	object := -1
	for j := i + 1; j < len(ts) && ts[j].clause == ts[i].clause && j <= i+5; j++ {
		if prepositions[ts[j].word] || conjunctions[ts[j].word] {
			break
		}
		if ts[j].content {
			object = j
			if o.speaksOf(ts[j]) {
				return true
			}
		}
	}
	if object >= 0 && !passive && ts[object].class == "" {
		return false
	}
	// who or what did, or had it done
	found := false
	for j := i - 1; j >= 0 && ts[j].clause == ts[i].clause; j-- {
		if !ts[j].content && !pronouns[ts[j].word] {
			continue
		}
		found = true
		if o.speaksOf(ts[j]) || pronouns[ts[j].word] {
			return true
		}
	}
	return !found
}

// speaksOf says whether a text has the token's key or its matter.
func (r *reading) speaksOf(t token) bool {
	if _, ok := r.said[t.key]; ok {
		return true
	}
	m := matters[t.word]
	return m != "" && r.matter()[m]
}

// matter gives the matters a text speaks of.
func (r *reading) matter() map[string]bool {
	m := map[string]bool{}
	for _, t := range r.tokens {
		if name := matters[t.word]; name != "" && !t.name {
			m[name] = true
		}
	}
	return m
}

// advanced gives the two states of a chain, if the new text speaks of a later one.
func advanced(o, n *reading) (from, to string) {
	for _, chain := range stages {
		was, is := -1, -1
		for k, stage := range chain {
			for _, t := range o.tokens {
				if stage[t.word] && t.denied%2 == 0 && !t.name {
					was, from = k, t.word
				}
			}
			for _, t := range n.tokens {
				if stage[t.word] && t.denied%2 == 0 && !t.name {
					is, to = k, t.word
				}
			}
		}
		if was >= 0 && is > was {
			return from, to
		}
	}
	return "", ""
}
