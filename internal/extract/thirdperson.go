package extract

import (
	"strings"
)

// persons turn what the speaker says of himself into what is said of him.
var persons = map[string]string{
	"i": "they", "i'm": "they are", "i've": "they have", "i'll": "they will", "i'd": "they would", "me": "them",
	"my": "their", "mine": "theirs",
	"myself": "themselves", "we": "they", "we're": "they are", "we've": "they have", "we'll": "they will",
	"us": "them", "our": "their",
	"ours": "theirs", "ourselves": "themselves", "am": "are",
}

// thirdPerson returns the statement of c up to word end as a third person would: "I work here" by Ann is "Ann works
// here". Without a speaker the words stay as they are.
func (c clause) thirdPerson(speaker string, end int) string {
	words := c.span(c.subject, end)
	if speaker == "" {
		return capital(words)
	}
	var b strings.Builder
	i := c.after
	switch c.person {
	case I, we:
		b.WriteString(speaker)
		if c.person == we {
			b.WriteString(" and others")
		}
		contraction := strings.Contains(
			c.words[c.subject].low, "'",
		) || c.words[c.subject].low == "im" || c.words[c.subject].low == "ive"
		if contraction {
			b.WriteString(" " + c.agree(c.aux))
		}
		// everything up to the verb that agrees
		for ; i <= c.at && i < end; i++ {
			w := c.words[i].low
			if full, ok := auxiliaries[w]; ok && !contraction && i < c.at {
				head, not, negated := strings.Cut(full, " ")
				b.WriteString(" " + c.agree(head))
				if negated {
					b.WriteString(" " + not)
				}
				contraction = true
				continue
			}
			if i == c.at && w == "wanna" && c.person == I {
				b.WriteString(" wants to")
				continue
			}
			if i == c.at && c.aux == "" && c.person == I && c.verb.form == base && c.verb.lemma != "" {
				b.WriteString(" " + thirdPerson(c.verb.lemma))
				continue
			}
			b.WriteString(" " + c.they(i, end))
		}
	case mine:
		b.WriteString(speaker + "'s")
		i = c.subject + 1
	default:
		b.WriteString(c.they(c.subject, end))
		i = c.subject + 1
	}
	for ; i < end; i++ {
		b.WriteString(" " + c.they(i, end))
	}
	return strings.TrimRight(b.String(), " ,;:.!?-")
}

// agree returns the form of an auxiliary that stands behind the speaker's name.
func (c clause) agree(aux string) string {
	if c.person == we {
		return aux
	}
	switch aux {
	case "am":
		return "is"
	case "have":
		return "has"
	case "do":
		return "does"
	}
	return aux
}

// they returns word i with what stands around it, of a first person as of a third.
func (c clause) they(i, end int) string {
	w := c.words[i]
	from := w.start
	if i > 0 {
		from = c.words[i-1].end
	}
	to := w.end
	if i == end-1 || i == len(c.words)-1 {
		to = min(len(c.text), w.end)
		for to < len(c.text) && (c.text[to] == '"' || c.text[to] == ')' || c.text[to] == '`') {
			to++
		}
	}
	_, lead, _ := strings.Cut(c.text[from:w.start], " ")
	// punctuation behind the word before belongs there; what opens this word stays
	open := ""
	for _, r := range lead {
		if strings.ContainsRune("\"(`[-", r) {
			open += string(r)
		}
	}
	text := c.text[w.start:to]
	if w.low == "was" && i > 0 && i-1 > c.subject && c.words[i-1].low == "i" {
		text = "were" + text[len("was"):]
	}
	if other, ok := persons[w.low]; ok {
		text = other
		if to > w.end {
			text += c.text[w.end:to]
		}
	}
	if i < end-1 && i < len(c.words)-1 {
		tail, _, _ := strings.Cut(c.text[w.end:c.words[i+1].start], " ")
		text += strings.TrimRight(tail, "-")
	}
	if open == "-" || open == "--" {
		open = ""
	}
	return open + text
}

// capital makes the first letter of a statement large, unless it is a name in code.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(first, "_./():`") || strings.ToLower(first) != first {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
