package extract

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// relatives are who one has or is to somebody.
var relatives = lazy.Words(`wife husband partner girlfriend boyfriend fiancé fiancée mother mom mum father dad sister
	brother son daughter cousin uncle aunt niece nephew grandmother grandma grandfather grandpa friend colleague coworker
	co-worker boss manager mentor neighbor neighbour roommate flatmate teammate supervisor landlord assistant co-founder
	cofounder client report intern therapist coach teacher doctor lawyer accountant employee student`)

// relationship finds who is what to whom: my wife Sara, Bob is Ann's manager, Ann knows Bob.
func (t teller) relationship(s sentence) []Draft {
	var out []Draft
	with := func(who, what string, conf memory.Confidence) {
		if who != "" && what != "" {
			out = append(
				out,
				Draft{
					Kind: memory.KindRelationship, Type: "person", Who: who, Text: what, About: []string{who},
					Confidence: conf, Rule: "relationship",
				},
			)
		}
	}
	me := "the user's"
	if t.name != "" {
		me = t.name + "'s"
	}
	for i := 0; i+2 < len(s.words); i++ {
		w := s.words[i].low
		if w != "my" && w != "our" {
			continue
		}
		k := i + 1
		for k < len(s.words)-1 && k < i+3 && !relatives.Has(s.words[k].low) && !endsClause(s.words[k]) {
			k++
		}
		if !relatives.Has(s.words[k].low) || k+1 >= len(s.words) {
			continue
		}
		j := k + 1
		if s.words[j].low == "is" && i == 0 && j+1 < len(s.words) && !t.talk {
			j++ // my manager is Bob
		}
		if s.words[j].low == "name" || s.words[k].after != 0 && s.words[k].after != ',' {
			continue
		}
		end := s.nameAt(j)
		if end == j || !isCapital(s.words[j].text) || tools.Has(s.words[j].low) || end-j > 2 {
			continue
		}
		if s.words[k].after == ',' && end < len(s.words) && s.words[end-1].after != ',' {
			continue
		}
		with(s.properly(j, end), me+" "+strings.ToLower(s.span(i+1, k+1)), likely)
		i = end - 1
	}
	if len(out) > 0 && (t.talk || len(s.words) < 7) {
		return out
	}
	if t.talk {
		return nil
	}
	c, ok := parse(s, t.known)
	if !ok || c.person != named || c.negated {
		return out
	}
	who := c.span(c.subject, c.after)
	who, _, _ = strings.Cut(who, "'")
	if c.copula && (c.aux == "is" || c.aux == "are") && c.rest < len(c.words) {
		what := c.from(c.rest)
		for k := c.rest; k < min(len(c.words), c.rest+4); k++ {
			if w := c.words[k].low; k == len(c.words)-1 && (relatives.Has(w) || relatives.Has(strings.TrimSuffix(w, "s"))) &&
				k > c.rest {
				if p := c.words[c.rest].low; p == "my" || p == "our" || strings.HasSuffix(p, "'s") || strings.HasSuffix(p, "s'") {
					if p == "my" || p == "our" {
						what = me + " " + c.from(c.rest+1)
					}
					with(who, what, likely)
				}
			}
			if w := c.words[k].low; (relatives.Has(w) || relatives.Has(strings.TrimSuffix(w, "s"))) &&
				c.is(k+1, "with") > 0 && k+2 < len(c.words) && isCapital(c.words[k+2].text) {
				with(who, c.from(c.rest), likely)
			}
		}
	}
	if len(c.words) == c.rest+1 && isCapital(c.words[c.rest].text) && !tools.Has(c.words[c.rest].low) &&
		personal(c.sentence, c.after) {
		switch c.verb.lemma {
		case "know", "manage":
			with(who, c.span(c.at, len(c.words)), fair)
		}
	}
	if n := c.is(c.at, "reports to"); n > 0 && c.at+n < len(c.words) && isCapital(c.words[c.at+n].text) {
		with(who, c.span(c.at, len(c.words)), fair)
	}
	return out
}

// vagueAims follow "want to" and say nothing that is worth keeping.
var vagueAims = lazy.Words(`keep see let check say tell ask share talk chat know hear give do thank make-sure sure
	remember think feel show enjoy have be try hang stay continue catch look mention point add go get help make clarify
	confirm understand use push bring cherish spread inspire hit call send come wish celebrate leave put hold miss find
	believe support take work chill relax encourage pass change live grow die focus explore meet`)

var aims = []string{
	"want to", "wanna", "would like to", "plan to", "plan on", "hope to", "intend to", "aim to", "am planning to",
	"am planning on", "am planning a", "am hoping to", "am aiming to", "am going to", "am gonna", "are going to",
	"are gonna", "are planning to", "are planning on", "are planning a", "are hoping to", "am thinking of",
	"am thinking about", "am saving for", "am saving up for", "am training for", "am looking to", "am trying to",
	"are trying to", "are aiming to", "have decided to", "wants to", "plans to", "hopes to", "is planning to",
	"intends to", "aims to", "is going to", "will", "need to", "decided to", "am moving to", "are moving to", "gonna",
}

// goal finds where somebody wants to get.
func (t teller) goal(s sentence) []Draft {
	i := s.skip(0)
	draft := func(text string, conf memory.Confidence) []Draft {
		return []Draft{{Kind: memory.KindGoal, Text: capital(text), Confidence: conf, Rule: "goal"}}
	}
	for _, lead := range []string{
		"my goal is to", "our goal is to", "the goal is to", "my goal is", "our goal is", "the goal is", "goal",
		"my dream is to", "my plan is to", "our plan is to", "my aim is to",
	} {
		if n := s.is(i, lead); n > 0 && i+n < len(s.words) && len(s.words) > i+n+1 && (lead != "goal" ||
			s.words[i].after == ':') {
			if t.talk && (s.words[i].low == "the" || vagueAims.Has(s.words[i+n].low) || s.addresses()) ||
				vague.Has(s.words[i+n].low) {
				return nil
			}
			text := s.from(i + n)
			if t.name != "" {
				aim := clause{sentence: s, subject: i + n, after: i + n}
				text = t.name + " wants to " + aim.thirdPerson(t.name, aim.end())
				if !strings.HasSuffix(lead, "to") {
					text = t.name + "'s goal: " + s.from(i+n)
				}
			}
			return draft(text, likely)
		}
	}
	c, ok := parseAim(s, t)
	if !ok || !t.accepts(c.clause) || c.negated || c.after >= len(s.words) {
		return nil
	}
	rest := c.rest
	if rest >= len(s.words) {
		return nil
	}
	deadline, _ := s.has(rest, "by monday", "by tuesday", "by wednesday", "by thursday", "by friday", "by the end",
		"by next", "by tomorrow", "by january", "by february", "by march",
		"by april", "by may", "by june", "by july", "by august", "by september", "by october", "by november",
		"by december", "by q1", "by q2", "by q3", "by q4", "by eod", "by end")
	switch c.lead {
	case "will", "need to":
		if deadline < 0 || t.talk {
			return nil
		}
	case "am going to",
		"am gonna",
		"are going to",
		"are gonna",
		"is going to",
		"gonna",
		"am trying to",
		"are trying to",
		"decided to":
		if !t.talk && c.person != I && deadline < 0 && c.lead != "are trying to" {
			return nil
		}
	}
	w := s.words[rest].low
	next := ""
	if rest+1 < len(s.words) {
		next, _, _ = strings.Cut(s.words[rest+1].low, "'")
	}
	if vague.Has(w) || vague.Has(next) || len(s.words)-rest < 2 {
		return nil
	}
	if t.talk && s.mentions(
		"dream", "dreams", "positively", "positive", "even", "difference", "impact", "best", "goals", "life",
		"these", "those",
	) {
		return nil
	}
	if t.talk && (vagueAims.Has(w) || len(s.words)-rest < 3 || adverbs.Has(w)) && !t.goodAim(s, rest) {
		return nil
	}
	if !t.talk && slices.Contains(
		[]string{"know", "see", "ask", "say", "tell", "understand", "be", "thank", "talk", "hear", "clarify", "mention"},
		w,
	) {
		return nil
	}
	text := c.span(c.subject, len(s.words))
	if t.name != "" || t.talk {
		cc := c.clause
		text = cc.thirdPerson(t.name, cc.end())
	}
	return draft(text, fair)
}

// goodAim lets a few aims pass that begin with a verb that says little: go to college, take a class, get a dog.
func (t teller) goodAim(s sentence, i int) bool {
	if i+2 >= len(s.words) {
		return false
	}
	next, after := s.words[i+1].low, s.words[i+2].low
	switch s.words[i].low {
	case "go":
		return next == "to" && !vague.Has(after) || next == "on" && after == "a" || endsIn(next, "ing")
	case "take", "get", "make", "find", "have":
		return (next == "a" || next == "an" || next == "some" || next == "another" || next == "my") &&
			!slices.Contains(
				[]string{
					"difference", "look", "break", "chance", "lot", "bit", "real", "shot", "positive", "good", "great", "big",
					"moment", "blast",
				},
				after,
			)
	case "try", "explore":
		return !vague.Has(next) && next != "to" && next != "and" && next != "my" && next != "new" && next != "out"
	}
	return false
}

type aim struct {
	clause
	lead string
}

// parseAim finds a subject with one of the aims behind it.
func parseAim(s sentence, t teller) (aim, bool) {
	i := s.skip(0)
	if i >= len(s.words) {
		return aim{}, false
	}
	a := aim{clause: clause{sentence: s, subject: i, hedged: s.hedged()}}
	a.after, a.aux, a.person = subject(s, i, t.known)
	if a.person == noPerson || a.person == mine {
		// a subject before "wants to" that the verbs do not know
		for k := i + 1; k < min(len(s.words), i+4); k++ {
			if (s.words[k].low == "wants" || s.words[k].low == "plans" || s.words[k].low == "hopes") &&
				s.is(k+1, "to") > 0 && isCapital(s.words[i].text) && !pronouns.Has(s.words[i].low) {
				a.after, a.person = k, named
				break
			}
		}
		if a.person == noPerson || a.person == mine {
			return a, false
		}
	}
	k := a.after
	prefix := ""
	if a.aux != "" {
		prefix = a.aux + " "
	}
	for k < len(s.words) && adverbs.Has(s.words[k].low) {
		if s.words[k].low == "not" || s.words[k].low == "never" {
			return a, false
		}
		k++
	}
	if prefix == "" && k < len(s.words) && (s.words[k].low == "am" || s.words[k].low == "are" ||
		s.words[k].low == "is" || s.words[k].low == "have" || s.words[k].low == "would") {
		prefix = s.words[k].low + " "
		a.aux = s.words[k].low
		k++
		for k < len(s.words) && adverbs.Has(s.words[k].low) {
			k++
		}
	}
	best := 0
	for _, p := range aims {
		rest, ok := strings.CutPrefix(p, prefix)
		if !ok && prefix != "" {
			continue
		}
		if prefix == "will " && p == "will" {
			rest = ""
			if best == 0 {
				a.lead = p
				a.at, a.rest = k, k
				return a, true
			}
		}
		if n := s.is(k, rest); n > best && rest != "" {
			best, a.lead = n, p
		}
	}
	if best == 0 {
		return a, false
	}
	a.at, a.rest = k, k+best
	if v, ok := map[string]string{
		"want": "want", "plan": "plan", "hope": "hope", "intend": "intend", "aim": "aim", "need": "need",
	}[s.words[k].low]; ok {
		a.verb = verb{v, base, state}
	}
	return a, true
}
