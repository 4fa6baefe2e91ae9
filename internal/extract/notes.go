package extract

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// quote finds words that somebody is said to have said: Ann said: "We ship on Friday".
func (t teller) quote(s sentence) []Draft {
	open := strings.IndexByte(s.text, '"')
	if open < 0 || strings.Count(s.text, `"`) != 2 {
		return nil
	}
	end := strings.LastIndexByte(s.text, '"')
	words := strings.TrimSpace(s.text[open+1 : end])
	if len(strings.Fields(words)) < 3 || strings.HasSuffix(words, "?") {
		return nil
	}
	for i, w := range s.words {
		if w.start >= open || i == 0 || !slices.Contains([]string{"said", "says", "wrote", "writes"}, w.low) ||
			i+1 < len(s.words) && s.words[i+1].start < open {
			continue
		}
		who := s.span(0, i)
		if !isCapital(who) || pronouns.Has(s.words[0].low) || i > 3 {
			return nil
		}
		return []Draft{
			{
				Kind: memory.KindNote, Type: "quote", Text: words, Speaker: who, About: []string{who},
				Confidence: likely, Rule: "quote",
			},
		}
	}
	return nil
}

// constraint finds a rule that the user sets: never, always, must, do not. Rhetoric is none: "I never said that".
func (t teller) constraint(s sentence) []Draft {
	i := s.skip(0)
	for n := s.any(
		i, []string{"please", "important", "rule", "constraint", "from now on", "going forward"},
	); n > 0 && i < len(s.words); n = s.any(i, []string{"please", "important", "rule"}) {
		i += n
	}
	if i >= len(s.words) || len(s.words)-i < 3 {
		return nil
	}
	found := func(from int) []Draft {
		return []Draft{
			{
				Kind: memory.KindNote, Type: "constraint", Text: capital(s.from(from)), Speaker: t.name,
				Confidence: likely, Rule: "constraint",
			},
		}
	}
	// as an order: never push to main
	for _, lead := range []string{
		"never ever", "never", "always", "don't ever", "do not ever", "do not", "must not", "must never", "must always",
		"must", "don't",
	} {
		n := s.is(i, lead)
		if n == 0 {
			continue
		}
		next := s.words[i+n].low
		if lead == "don't" || lead == "do not" {
			// once, to the assistant, is no rule for ever
			if idle.Has(next) || s.mentions(
				"yet", "now", "again", "worry", "today", "forget", "i", "it", "that", "this", "them", "for now",
			) || len(s.words)-i-n < 3 {
				return nil
			}
		}
		if idle.Has(next) || rhetorical.Has(next) || evaluative.Has(next) || s.is(i+n, "be fun") > 0 {
			return nil
		}
		if _, isVerb := findVerb(next, past, doing); isVerb {
			if _, also := findVerb(next, base); !also {
				return nil
			}
		}
		return found(i)
	}
	// as a rule: all migrations must be reversible; you must never edit generated files; we never deploy on Fridays
	for k := i + 1; k < len(s.words)-1; k++ {
		if clauseWords.Has(s.words[k].low) || endsClause(s.words[k-1]) || k-i > longSubject+1 {
			return nil
		}
		w, next := s.words[k].low, s.words[k+1].low
		head, _, _ := strings.Cut(s.words[i].low, "'")
		switch {
		case w == "must" || w == "mustn't":
			if next == "have" || next == "admit" || next == "say" || head == "i" || head == "it" || head == "that" ||
				head == "this" || head == "there" || head == "they" || head == "he" || head == "she" {
				return nil
			}
			if next == "be" && k+2 < len(s.words) &&
				slices.Contains(
					[]string{
						"a", "an", "the", "so", "nice", "great", "hard", "fun", "some", "wrong", "something", "right", "tough", "amazing",
						"joking", "kidding",
					},
					s.words[k+2].low,
				) && (head == "you" || k-i == 1) {
				return nil
			}
			return found(i)
		case (w == "never" || w == "always") && head == "we":
			if _, ok := findVerb(next, base); !ok || rhetorical.Has(next) || idle.Has(next) || s.hedged() {
				return nil
			}
			return found(i)
		case w == "should" && (next == "never" || next == "always") && k+2 < len(s.words) && head != "i" &&
			head != "it" && head != "you":
			return found(i)
		}
	}
	return nil
}

// idle verbs follow "never" and "don't" in talk that sets no rule.
var idle = lazy.Words(`mind worry know think forget see understand believe say said been had was were have has is be
	want get give like remember care feel need have seem hesitate bother ever too a the again really tell lose stop look
	hold underestimate`)

var rhetorical = lazy.Words(`said meant thought knew saw heard happens happened happen works worked fails failed wanted
	asked told did does would could will a the your my his her in on at so too mind wonder wondered wants wanted loved
	liked love like enjoyed enjoy dreamed`)

// correction finds what is said to put something right: Actually, the port is 8443, not 8080.
func (t teller) correction(s sentence) []Draft {
	n := s.any(0, []string{"correction", "actually", "no", "i was wrong", "i misspoke", "to correct myself"})
	if n == 0 || n >= len(s.words) || s.words[n-1].after != ',' && s.words[n-1].after != ':' {
		return nil
	}
	from := n
	c, ok := parse(s, t.known)
	sure := s.words[0].low != "actually" && s.words[0].low != "no"
	var instead []string
	if at, n := s.has(from+1, "not", "instead of", "rather than"); at > 0 && endsClause(s.words[at-1]) || at > 0 &&
		n == 2 {
		instead = []string{s.from(at + n)}
	}
	if !sure && (len(instead) == 0 || !ok || c.person == I) || vague.Has(s.words[from].low) &&
		!strings.HasPrefix(s.words[from].low, "it'") || len(s.words)-from < 3 {
		return nil
	}
	return []Draft{
		{
			Kind: memory.KindNote, Type: "correction", Text: capital(s.from(from)), Speaker: t.name,
			Confidence: fair, Rule: "correction",
		},
	}
}

var decided = []string{
	"decided to", "decided on", "decided that", "decided against", "decided", "have decided to", "have decided on",
	"chose to", "chose", "have chosen", "picked", "settled on", "went with", "opted for", "agreed to", "agreed on",
	"agreed that", "will use", "are going with", "will go with", "are going to use", "are switching to", "switched to",
	"will switch to", "have switched to", "are moving to",
}

// decision finds what was chosen, what instead of and why: We chose SQLite over Postgres because it is one file.
func (t teller) decision(s sentence) []Draft {
	i := s.skip(0)
	if n := s.any(i, leadingHedges); n > 0 {
		i += n
	}
	if i >= len(s.words) {
		return nil
	}
	label := s.is(i, "decision") > 0 && s.words[i].after == ':' && i+2 < len(s.words)
	who := i
	if !label {
		end, aux, p := subject(s, i, t.known)
		if p == noPerson || p == mine || end >= len(s.words) {
			return nil
		}
		if end < len(s.words) && adverbs.Has(s.words[end].low) {
			end++
		}
		if aux != "" {
			if end < len(s.words) && s.any(end, suffixes(aux)) == 0 {
				return nil
			}
		} else if s.any(end, decided) == 0 {
			return nil
		}
		if p == thing && s.words[i].low != "the" {
			return nil
		}
		if p == I && !t.talk && s.is(end, "went with") > 0 {
			return nil
		}
		if end+2 >= len(s.words)+1 || vague.Has(s.words[len(s.words)-1].low) && len(s.words)-end < 4 {
			return nil
		}
		n := max(s.any(end, decided), 1)
		if end+n >= len(s.words) || vague.Has(s.words[end+n].low) || s.words[end+n].low == "whether" ||
			s.words[end+n].low == "if" {
			return nil
		}
	} else {
		who = i + 1
	}
	d := Draft{
		Kind: memory.KindNote, Type: "decision", Text: capital(s.from(who)), Speaker: t.name, Confidence: likely,
		Rule: "decision",
	}
	d.Alternatives, d.Reason = s.insteadOf(who + 1)
	return []Draft{d}
}

// suffixes returns the phrases of a decision whose auxiliary is contracted to the subject.
func suffixes(aux string) []string {
	var out []string
	for _, p := range decided {
		if rest, ok := strings.CutPrefix(p, aux+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// insteadOf returns what was not chosen, and the reason.
func (s sentence) insteadOf(i int) (alternatives []string, reason string) {
	stop := len(s.words)
	if at, n := s.has(i, "because", "since", "so that", "due to", "as it"); at > 0 {
		if s.words[at].low != "since" || at+n < len(s.words) && !startsDate(s.words[at+n].low) {
			reason, stop = s.from(at+n), at
			if at+n < len(s.words) && s.words[at+n].low == "of" {
				reason = s.from(at + n + 1)
			}
			if s.words[at].low == "as" {
				reason = s.from(at + 1)
			}
		}
	}
	if at, n := s.has(i, "instead of", "rather than", "over", "as opposed to", "not"); at > 0 && at+n < stop {
		if s.words[at].low == "not" && !endsClause(s.words[at-1]) || s.words[at].low == "over" &&
			startsDate(s.words[at+n].low) {
			return nil, reason
		}
		end := at + n
		for end < stop {
			end++
			if endsClause(s.words[end-1]) && (end >= stop || s.words[end-1].after != ',' || s.words[end].low != "or") {
				break
			}
			if end < stop && slices.Contains([]string{"for", "in", "on", "to", "as", "when", "from", "and"}, s.words[end].low) {
				break
			}
		}
		for _, a := range strings.Split(
			strings.NewReplacer(" or ", "\x01", ", ", "\x01", " nor ", "\x01").Replace(s.span(at+n, end)),
			"\x01",
		) {
			if a = strings.TrimSpace(strings.TrimPrefix(a, "or ")); a != "" {
				alternatives = append(alternatives, a)
			}
		}
	}
	return alternatives, reason
}

func startsDate(w string) bool {
	return w[0] >= '0' && w[0] <= '9' || calendar.Has(w) || w == "the" || w == "a" || w == "last" || w == "then" ||
		w == "yesterday"
}

var tasteNot = lazy.Words(`to how seeing hearing being the your idea way when talking what`)

// preference finds what somebody likes or does not.
func (t teller) preference(s sentence) []Draft {
	i := s.skip(0)
	if i >= len(s.words) {
		return nil
	}
	draft := func(text, rule string) []Draft {
		return []Draft{{Kind: memory.KindNote, Type: "preference", Text: text, Speaker: t.name, Confidence: fair, Rule: rule}}
	}
	// without a subject: likes hiking
	if v, ok := findVerb(s.words[i].low, third); ok && v.class == taste && i == 0 && !t.talk && len(s.words) > 1 {
		return draft(s.from(0), "preference")
	}
	c, ok := parse(s, t.known)
	if !ok || !t.accepts(c) || c.person == thing && s.words[c.subject].low != "the" || c.person == mine && t.talk {
		return nil
	}
	if c.copula && c.aux != "was" && c.aux != "were" && first(c.person) || c.copula && c.person == named {
		for _, p := range []string{
			"a fan of", "a big fan of", "a huge fan of", "fond of", "into", "passionate about", "obsessed with", "keen on",
			"crazy about", "not a fan of",
		} {
			if n := s.is(c.rest, p); n > 0 && c.rest+n < len(s.words) &&
				!vague.Has(strings.Split(s.words[c.rest+n].low, "'")[0]) {
				return draft(t.draft(c, memory.KindNote, "preference", "", fair).Text, "preference")
			}
		}
	}
	// my favourite tool is Vim
	if c.copula && c.person == mine && s.mentions("favorite", "favourite") && c.after-c.subject > 2 && c.aux == "is" &&
		c.rest < len(s.words) && !vague.Has(s.words[c.rest].low) {
		return draft(t.draft(c, memory.KindNote, "preference", "", fair).Text, "favourite")
	}
	if s.is(c.at-1, "can't stand") > 0 || s.is(c.at, "stand") > 0 && c.negated && c.aux == "can" {
		return draft(t.draft(c, memory.KindNote, "preference", "", fair).Text, "preference")
	}
	if c.verb.class != taste || c.aux != "" && c.aux != "do" && c.aux != "does" && !(c.aux == "have" &&
		s.mentions("always")) || c.verb.form == past {
		return nil
	}
	o := c.object()
	if o == "" || vague.Has(o) || t.talk && (tasteNot.Has(o) || s.words[c.rest].low == "to" &&
		s.any(c.rest+1, []string{"see", "hear", "know", "think", "be", "have", "help"}) > 0) {
		return nil
	}
	if t.talk && endsIn(o, "ing") && s.words[c.rest].after == 0 && c.rest+1 < len(s.words) &&
		vague.Has(s.words[c.rest+1].low) {
		return nil
	}
	return draft(t.draft(c, memory.KindNote, "preference", "", fair).Text, "preference")
}
