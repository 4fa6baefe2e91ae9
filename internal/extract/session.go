package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

var chosenFor = lazy.Regexp(
	`(?i)^(?:a|an|the)?\s*([\w.@/+-]+(?: [\w.@/+-]+)?) (?:for|as) (?:the |our |all |a |an |my )?([\w -]{3,60}?)(?: ` +
		`(?:again|too|as well|here|because|since|instead|rather|like)\b.*)?$`,
)

// A choice is something chosen for a purpose, in an event.
type choice struct {
	what, purpose, key string
	at                 int
}

// conventions finds the same choice made three times: chose X for Y, in as many events.
func conventions(events []Event) []Draft {
	var out []Draft
	people := peopleTalk(events)
	var made []choice
	for i, e := range events {
		if r := roleOf(e, people); r != ofUser && r != ofAssistant {
			continue
		}
		for _, s := range sentences(e.Text) {
			if c, ok := chosen(s); ok {
				c.at = i
				made = append(made, c)
			}
		}
	}
	done := map[string]bool{}
	for _, c := range made {
		if done[c.key] {
			continue
		}
		done[c.key] = true
		var from []int
		for _, o := range made {
			if o.key == c.key && !slices.Contains(from, o.at) {
				from = append(from, o.at)
			}
		}
		if len(from) >= choices {
			out = append(out, Draft{
				Kind: memory.KindNote, Type: "convention", Text: "Use " + c.what + " for " + c.purpose, Confidence: fair,
				From: from, Rule: "convention", Lessons: nil, About: []string{c.what},
			})
		}
	}
	return out
}

var choosing = []string{
	"chose", "used", "picked", "went with", "decided on", "settled on", "opted for", "using", "use", "will use", "choose",
	"decided to use", "chose to use", "are using", "have used", "'ll use", "going with", "go with",
}

// chosen reads a choice that was made: we used X for Y. What is asked, denied or only thought of is none.
func chosen(s sentence) (choice, bool) {
	if s.asks || s.question() || s.hedged() ||
		s.mentions("not", "don't", "didn't", "never", "won't", "should", "could", "would", "can", "if") {
		return choice{}, false
	}
	i := s.skip(0)
	if i >= len(s.words) {
		return choice{}, false
	}
	switch head, _, _ := strings.Cut(s.words[i].low, "'"); head {
	case "i", "we":
		contracted := strings.Contains(s.words[i].low, "'")
		i++
		for i < len(s.words) && (adverbs.Has(s.words[i].low) || s.words[i].low == "am" || s.words[i].low == "are") {
			i++
		}
		if contracted && i < len(s.words) && s.words[i].low == "used" {
			break
		}
	default:
		if w := s.words[i].low; w != "chose" && w != "used" && w != "picked" && w != "using" && w != "use" && w != "went" {
			return choice{}, false
		}
	}
	n := s.any(i, choosing)
	if n == 0 || i+n >= len(s.words) || s.words[i+n].low == "to" {
		return choice{}, false
	}
	m := chosenFor.Get().FindStringSubmatch(strings.Trim(clauseOf(s, i+n), " .!,;"))
	if m == nil || vague.Has(strings.ToLower(m[1])) {
		return choice{}, false
	}
	c := choice{what: strings.TrimSpace(m[1]), purpose: strings.TrimSpace(m[2])}
	if adv, rest, ok := strings.Cut(c.what, " "); ok && adverbs.Has(strings.ToLower(adv)) {
		c.what = rest
	}
	c.key = strings.ToLower(c.what + "\x00" + c.purpose)
	return c, true
}

// clauseOf returns the words from i to the end of the clause.
func clauseOf(s sentence, i int) string {
	for k := i; k < len(s.words); k++ {
		if endsClause(s.words[k]) {
			return s.span(i, k+1)
		}
	}
	return s.from(i)
}

// episode drafts what a session was for and, where that was said, how it ended.
func episode(events []Event) []Draft {
	first := -1
	objective := ""
	for i, e := range events {
		if roleOf(e, false) != ofUser {
			continue
		}
		if objective = asked(e.Text); objective != "" {
			first = i
			break
		}
	}
	if first < 0 {
		return nil
	}
	d := Draft{
		Kind: memory.KindEpisode, Text: objective, OutcomeType: "unknown", From: []int{first}, Confidence: fair,
		Rule: "session",
	}
	for i := len(events) - 1; i > first; i-- {
		e := events[i]
		if e.Type == "test_summary" || e.Type == "tool_output" && e.Exit != nil && outcomeLine(e.Text) != "" {
			failed, known := outcomeSaid(e.Text)
			if e.Exit != nil {
				failed, known = *e.Exit != 0, true
			}
			if known {
				d.OutcomeType = map[bool]string{true: "failure", false: "success"}[failed]
				d.Outcome = outcomeLine(e.Text)
				if d.Outcome == "" {
					d.Outcome = "exit " + strconv.Itoa(*e.Exit)
				}
				d.From = append(d.From, i)
				break
			}
		}
		if said := outcomeSentence(e); said != "" {
			d.Outcome = said
			d.From = append(d.From, i)
			break
		}
	}
	if d.Outcome == "" && len(events) < 2 {
		return nil
	}
	return []Draft{d}
}

// outcomeLine returns the line of an output that tells the result.
func outcomeLine(text string) string {
	out := ""
	for l := range strings.Lines(shorten.To(text, maxScan)) {
		if countFail.Get().MatchString(l) || failSaid.Get().MatchString(l) || passSaid.Get().MatchString(l) {
			out = line(shorten.To(l, maxSummary))
		}
	}
	return out
}

var ended = lazy.Regexp(
	`(?i)^(?:(?:all |that's |it's |everything is |it is |now |ok,? |great,? )*(?:done|fixed|finished|completed|` +
		`resolved|merged|deployed|shipped)\b|.*\b(?:is|are|has been|have been|was|were|now) (?:done|fixed|finished|` +
		`completed|resolved|merged|deployed|shipped|passing)\b|all tests (?:now )?pass|i(?:'ve| have)? (?:fixed|finished|` +
		`completed|merged|deployed|resolved)\b)`,
)

// outcomeSentence returns the sentence in which somebody says that it is done.
func outcomeSentence(e Event) string {
	if r := roleOf(e, false); r != ofUser && r != ofAssistant {
		return ""
	}
	for _, s := range sentences(e.Text) {
		if ended.Get().MatchString(s.open) && !s.asks && !s.question() && !s.hedged() &&
			!s.mentions("not", "isn't", "aren't", "once", "until", "when", "if", "still", "almost", "n't") {
			return line(s.text)
		}
	}
	return ""
}

// asked returns the sentence of a prompt that asks for something.
func asked(text string) string {
	for _, s := range sentences(text) {
		i := s.skip(0)
		if i >= len(s.words) || len(s.words) < 3 {
			continue
		}
		for n := s.any(i, []string{
			"please", "can you", "could you", "would you", "will you", "i need you to", "i want you to", "i'd like you to",
			"help me", "let's", "we need to", "i need to", "i want to",
		}); n > 0 && i+n < len(s.words); n = s.any(i, []string{"please", "help me"}) {
			i += n
		}
		if imperatives.Has(s.words[i].low) && !idle.Has(s.words[i].low) || i > s.skip(0) && len(s.words)-i > 1 {
			return capital(line(s.from(i)))
		}
	}
	return ""
}
