package evolve

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// qualified says whether the two speak of two things that a word tells apart, of two settings, or of one occasion
// and of what is so as a rule, so that both may hold: free users and paid users, in development and in production,
// Friday's meeting and the weekly meeting.
func (c *comparison) qualified() bool {
	return c.otherQualifier() || c.otherSetting() || c.onlyDay() || c.o.exception(c.n) || c.n.exception(c.o)
}

// onlyDay says whether the two have a day in common and nothing else: we deploy on Fridays, the Friday meeting is off.
func (c *comparison) onlyDay() bool {
	for _, key := range c.shared {
		if !slices.ContainsFunc(c.nClass["weekday"], func(t token) bool { return t.key == key }) {
			return false
		}
	}
	return len(c.shared) > 0 && c.family == "" && len(c.oOnly) > 0 && len(c.nOnly) > 0
}

// otherQualifier says whether both begin with one noun that another word describes in each.
func (c *comparison) otherQualifier() bool {
	a, noun, ok := c.o.qualifier()
	if !ok {
		return false
	}
	b, same, ok := c.n.qualifier()
	return ok && noun == same && a.key != b.key && c.n.said[a.key] == 0 && c.o.said[b.key] == 0
}

// qualifier returns the word that describes the noun right before the verb of a text, where the text begins with
// both: "Paid users get".
func (r *reading) qualifier() (word token, noun string, ok bool) {
	ts := r.tokens
	i := 0
	for i < len(ts) && determiners.Has(ts[i].word) {
		i++
	}
	if i+2 >= len(ts) || ts[i+2].clause != ts[i].clause {
		return word, "", false
	}
	word = ts[i]
	verb := ts[i+2].word
	switch {
	case !ts[i+1].content || ts[i+1].class != "" || word.class != "" || !word.content && !changeVerbs.Has(word.word):
	case passing.Has(word.word) || word.denied%2 == 1:
	case verbForms()[verb] || copulas.Has(verb) || auxiliaries.Has(verb):
		return word, ts[i+1].key, true
	}
	return word, "", false
}

// passing are words that describe one thing at several times.
var passing = lazy.Words(`new old current previous former latest existing original initial same whole entire updated`)

// otherSetting says whether both begin with where or when it is so, and not the same: in development, in production.
func (c *comparison) otherSetting() bool {
	a, b := c.o.setting(), c.n.setting()
	return a != "" && b != "" && a != b && c.n.said[a] == 0 && c.o.said[b] == 0
}

// setting returns the key of what a preposition at the beginning of a text leads to.
func (r *reading) setting() string {
	if len(r.tokens) < 4 || !settingBefore.Has(r.tokens[0].word) {
		return ""
	}
	if i := r.nextContent(0); i > 0 && i < 4 && r.tokens[i].class == "" && !changeVerbs.Has(r.tokens[i].word) {
		return r.tokens[i].key
	}
	return ""
}

var settingBefore = lazy.Words(`in on at during for under inside within outside`)

// exception says whether a text speaks of one occasion by its day, and the other one of what is so as a rule or
// without a day: Friday's meeting is off, the meeting is every Friday.
func (r *reading) exception(rule *reading) bool {
	day, is := r.occasion()
	if !is {
		return false
	}
	if rule.said[day] == 0 {
		return true
	}
	_, also := rule.occasion()
	return !also && rule.regular()
}

// occasion returns the key of the day whose meeting, release or the like is the subject of a text.
func (r *reading) occasion() (day string, is bool) {
	end := len(r.tokens)
	if r.verb >= 0 {
		end = r.verb
	}
	for i, t := range r.tokens[:max(end-1, 0)] {
		dated := period(t.class) && t.class != "year" || occasionDays.Has(t.word)
		if t.owner && dated && !resolution.Has(r.tokens[i+1].word) {
			return t.key, true
		}
	}
	return "", false
}

var (
	occasionDays = lazy.Words(`today tomorrow tonight`)
	resolution   = lazy.Words(`decision choice plan agreement vote change announcement`) // it holds afterwards
)

// regular says whether a text tells what is so again and again.
func (r *reading) regular() bool {
	if r.onDays() {
		return true
	}
	for _, t := range r.tokens {
		if regularly.Has(t.word) || t.class == "frequency" {
			return true
		}
	}
	return false
}

var regularly = lazy.Words(
	`every each weekly daily monthly yearly always usually normally biweekly fortnightly regular recurring`,
)
