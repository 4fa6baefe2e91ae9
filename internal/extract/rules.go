package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// read returns the drafts of one sentence: of the first rule that fits.
func (t teller) read(s sentence) []Draft {
	if s.asks || s.thanks() || s.question() {
		return nil
	}
	s, noted := s.unwrapped()
	if len(s.words) < 2 {
		return nil
	}
	var drafts []Draft
	rules := []func(sentence) []Draft{
		t.quote, t.constraint, t.correction, t.decision, t.preference, t.goal, t.relationship,
	}
	if t.talk {
		rules = []func(sentence) []Draft{t.relationship, t.goal, t.preference}
	}
	for _, rule := range rules {
		if drafts = rule(s); len(drafts) > 0 {
			break
		}
	}
	alone := len(drafts) == 0
	if alone && s.command() && !noted {
		return nil
	}
	if alone || drafts[0].Rule == "relationship" && (t.talk || len(s.words) > 6) {
		drafts = append(drafts, t.statement(s)...)
	}
	if t.talk {
		drafts = slices.DeleteFunc(drafts, func(d Draft) bool { return d.Rule != "relationship" && points(d.Text) })
	}
	hedged := s.hedged()
	for i := range drafts {
		d := &drafts[i]
		if hedged {
			d.Confidence = max(least, d.Confidence-hedging)
		}
		d.About = append(d.About, s.namesIn(t.known)...)
		if s.saysI() {
			d.About = append(d.About, cmp.Or(t.name, User))
		}
		if d.ValidFrom.IsZero() && d.Kind != memory.KindGoal {
			d.ValidFrom = validFrom(s.open, t.now, d.Kind == memory.KindBelief && d.Rule != "self" && !s.tellsPast(t))
		}
	}
	return drafts
}

// tellsPast reports whether a sentence is about what has been: a day in it is then the day from which it holds.
func (s sentence) tellsPast(t teller) bool {
	c, ok := parse(s, t.known)
	return ok && !c.copula && (c.verb.form == past || c.verb.form == done)
}

func (s sentence) saysI() bool {
	for _, w := range s.words {
		if _, ok := persons[w.low]; ok && w.low != "us" {
			return true
		}
	}
	return false
}

// unwrapped takes "remember that" and "note:" off and reports whether it was there.
func (s sentence) unwrapped() (sentence, bool) {
	n := s.any(0, []string{
		"please remember that", "please remember", "remember that", "remember", "please note that", "note that", "note",
		"fyi", "keep in mind that",
	})
	if n == 0 || n >= len(s.words) || s.words[n].low == "to" || s.words[n].low == "when" || s.words[n].low == "the" {
		return s, false
	}
	if n == 1 && s.words[0].low == "note" && s.words[0].after != ':' {
		return s, false
	}
	at := s.words[n].start
	cut := appendSentence(nil, s.text[at:], s.open[at:])
	if len(cut) != 1 {
		return s, false
	}
	return cut[0], true
}

// pointing words mean something that a draft does not hold.
var pointing = lazy.Words(`this these those`)

var spans = lazy.Words(`week weekend month year morning afternoon evening summer winter spring fall season semester
	quarter past last coming friday saturday sunday monday tuesday wednesday thursday time`)

// points reports whether a statement among people speaks of something that only those see who were there.
func points(text string) bool {
	list := strings.Fields(strings.ToLower(text))
	for i, w := range list {
		w = strings.Trim(w, ",.;:!?\"()")
		last := i == len(list)-1
		switch {
		case pointing.Has(w) && (last || !spans.Has(strings.Trim(list[i+1], ",.;:!?"))):
			return true
		case last && (w == "it" || w == "there" || w == "here" || w == "more" || w == "that" || w == "them"):
			return true
		case w == "it" && endsIn(list[max(0, i-1)], "ing"):
			return true
		case w == "that" && i > 0 && (list[i-1] == "to" || list[i-1] == "in" || list[i-1] == "of" || list[i-1] == "for" ||
			list[i-1] == "with"):
			return true
		}
	}
	return false
}
