package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// A teller is somebody whose sentences are read: who, when, and in what kind of text.
type teller struct {
	name  string          // "" is the user, whose words are kept as they are
	now   time.Time       // zero where it is not known
	known map[string]bool // names that are known, in small letters
	talk  bool            // among people: only what they say of themselves counts
}

// Confidences by rule: what a rule reads is no more than likely.
const (
	likely   memory.Confidence = 700
	fair     memory.Confidence = 600
	possible memory.Confidence = 500
	hedging  memory.Confidence = 150 // less, where the words say themselves that they are not sure
	least    memory.Confidence = 350
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
			d.About = append(d.About, or(t.name, User))
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

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
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
	n := s.any(
		0,
		[]string{
			"please remember that", "please remember", "remember that", "remember", "please note that",
			"note that", "note", "fyi", "keep in mind that",
		},
	)
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

// thanks tells a greeting, thanks or praise, which says nothing to keep.
func (s sentence) thanks() bool {
	switch s.words[0].low {
	case "thanks", "thank", "congrats", "congratulations", "hello", "hi", "hey", "bye", "goodbye", "welcome",
		"sorry", "glad", "cheers":
		return len(s.words) < 5 || s.words[0].low != "hey" && s.words[0].low != "hi" && s.words[0].low != "hello"
	}
	return s.any(
		0,
		[]string{
			"good morning", "good evening", "good to", "great to", "nice to", "happy to", "take care", "see you",
			"good luck", "well done", "great job", "nice work", "no problem", "no worries", "of course",
		},
	) > 0
}

// question tells one by its beginning, without its mark.
func (s sentence) question() bool {
	i := s.skip(0)
	if i >= len(s.words) {
		return true
	}
	if s.is(i, "do not") > 0 {
		return false
	}
	switch s.words[i].low {
	case "who", "what", "when", "where", "why", "how", "which", "whose", "what's", "who's", "where's", "how's",
		"whether":
		return true
	case "is", "are", "was", "were", "do", "does", "did", "can", "could", "would", "should", "will", "have",
		"has", "am", "may", "isn't", "aren't", "doesn't", "didn't", "can't", "couldn't", "wouldn't", "won't",
		"shouldn't":
		return true
	case "don't":
		return i+1 < len(s.words) && (s.words[i+1].low == "you" || s.words[i+1].low == "we" || s.words[i+1].low == "they")
	case "if", "unless", "suppose", "imagine", "assuming", "wish", "once", "let's", "let", "lets":
		return true
	}
	return false
}

// imperatives begin what is asked of an assistant, or advised to a friend.
var imperatives = lazy.Words(`please show tell give make write run add fix check find look explain list create ` +
	`build help try take
	keep use let go stop start open close delete remove update change move rename refactor implement generate print set get
	put send read search review test debug deploy commit push pull merge install upgrade explain describe summarize compare
	follow ensure consider see note enjoy have do be know think believe stay call ask wait come imagine say get draw
	document handle return revert rewrite replace translate convert continue proceed undo redo rerun bump format lint`)

// command tells a sentence that asks for something rather than says how things are.
func (s sentence) command() bool {
	i := s.skip(0)
	if i >= len(s.words) {
		return true
	}
	return imperatives.Has(s.words[i].low) || s.is(i, "i need you") > 0 || s.is(i, "i want you") > 0 ||
		s.is(i, "i'd like you") > 0 ||
		s.is(i, "i would like you") > 0 || s.is(i, "you") > 0
}

// pointing words mean something that a draft does not hold.
var pointing = lazy.Words(`this these those`)

var spans = lazy.Words(`week weekend month year morning afternoon evening summer winter spring fall season semester ` +
	`quarter past last
	coming friday saturday sunday monday tuesday wednesday thursday time`)

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

// addresses says what is said to somebody, which is rarely about the one who says it.
func (s sentence) addresses() bool {
	for _, w := range s.words {
		head, _, _ := strings.Cut(w.low, "'")
		if head == "you" || head == "your" || head == "yours" || head == "yourself" || head == "ya" || head == "u" ||
			head == "let" {
			return true
		}
	}
	return false
}

// reports whether the subject of c is one t speaks for or names.
func (t teller) accepts(c clause) bool {
	if t.talk {
		return first(c.person) && !c.addresses()
	}
	return true
}

// vague words as an object leave open what is meant.
var vague = lazy.Words(`it that this them him her you one so there here these those such all everything something ` +
	`anything
	nothing me us they what how who ya y'all your yourself`)

// object returns the first word of what the verb of c speaks of, behind prepositions; "" for none.
func (c clause) object() string {
	i := c.rest
	for i < len(c.words) && (adverbs.Has(c.words[i].low) || slices.Contains(
		[]string{"to", "at", "for", "with", "in", "on", "of", "from", "about", "as", "into", "up"},
		c.words[i].low,
	)) {
		i++
	}
	if i >= len(c.words) {
		return ""
	}
	head, _, _ := strings.Cut(c.words[i].low, "'")
	return head
}

func (c clause) clear() bool {
	o := c.object()
	return o != "" && !vague.Has(o)
}

func (t teller) draft(c clause, kind memory.Kind, typ, rule string, conf memory.Confidence) Draft {
	end := len(c.words)
	if t.talk {
		end = c.end()
	}
	d := Draft{Kind: kind, Type: typ, Text: c.thirdPerson(t.name, end), Confidence: conf, Rule: rule}
	if kind == memory.KindNote {
		d.Speaker = t.name
	}
	return d
}
