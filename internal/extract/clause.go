package extract

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// A clause is the beginning of a sentence taken apart: who, and what of them.
type clause struct {
	sentence
	subject, after int // the words of the subject: from, and the one behind it
	person         person
	aux            string // the auxiliary in full: am, have, will, do, can, would, ...
	verb           verb   // the zero verb where it is none that rules know
	at, rest       int    // the main verb, or the complement of be; and what follows it
	copula         bool   // the verb is a form of be and no other verb follows
	negated        bool
	hedged         bool
}

type person int

const (
	noPerson person = iota
	I
	we
	mine // my X, our X
	named
	thing
)

// openers may stand before a statement and add nothing to it.
var openers = []string{
	"so", "and", "but", "well", "yeah", "yes", "yep", "yup", "also", "btw", "oh", "actually", "by the way", "anyway",
	"plus", "wow", "haha", "hey", "hi", "hello", "ok", "okay", "right", "sure", "cool", "nice", "fyi", "unfortunately",
	"luckily", "fortunately", "sadly", "honestly", "basically", "then", "recently", "lately", "currently", "now",
	"these days", "nowadays", "yesterday", "today", "last week", "last month", "last year", "last night", "last weekend",
	"this week", "this month", "this year", "this morning", "this weekend", "the other day", "a few days ago",
	"a while ago", "in fact", "guess what", "remember that", "remember", "note that", "please remember that",
	"please note that", "for context", "for the record", "great news", "good news", "news", "update", "note", "as for me",
	"absolutely", "definitely", "totally", "exactly", "meanwhile", "in the meantime", "since we last spoke",
	"since last time", "personally", "thanks", "no", "nah", "man", "gosh", "ugh",
}

// modifiers are openers that can also belong to the noun behind them, as in "no password" and "update jobs".
var modifiers = lazy.Words(`no right cool nice sure note news update man plus well remember`)

// opening words of subjects, with pronouns.
var opening = lazy.Words(`i im ive we the a an my our your his her their`)

// hedges make a statement less sure.
var hedges = []string{
	"i think", "i believe", "i guess", "i suppose", "i assume", "i feel like", "it seems", "it looks like", "apparently",
	"maybe", "perhaps", "probably", "possibly", "might", "may", "seems to", "likely", "presumably", "supposedly",
	"not sure", "kind of", "sort of", "as far as i know", "afaik", "iirc", "if i remember", "rumor has it", "allegedly",
	"could be", "i heard", "roughly",
}

// leading hedges stand before the statement they hedge.
var leadingHedges = []string{
	"i think that", "i think", "i believe that", "i believe", "i guess", "i suppose", "i assume", "it seems that",
	"it seems", "it looks like", "apparently", "maybe", "perhaps", "probably", "possibly", "presumably", "supposedly",
	"as far as i know", "afaik", "iirc", "allegedly", "i heard that", "i heard", "i feel like",
}

var adverbs = lazy.Words(`just also already recently finally really actually now currently still usually often always
	never sometimes generally normally mostly mainly even ever officially definitely totally both all only absolutely
	especially very so super quite pretty probably once soon not previously formerly recently initially first eventually
	strongly typically rarely truly completely originally lately later kinda accidentally successfully`)

// auxiliaries in full, by how they are written; a contraction begins with its subject.
var auxiliaries = map[string]string{
	"am": "am", "is": "is", "are": "are", "was": "was", "were": "were", "be": "be", "have": "have", "has": "has",
	"had":  "had",
	"will": "will", "would": "would", "can": "can", "could": "could", "should": "should", "may": "may", "might": "might",
	"must": "must", "do": "do", "does": "does", "did": "did", "shall": "shall",
	"isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not", "haven't": "have not",
	"hasn't": "has not",
	"hadn't": "had not", "won't": "will not", "wouldn't": "would not", "can't": "can not", "cannot": "can not",
	"couldn't": "could not", "shouldn't": "should not", "don't": "do not", "doesn't": "does not", "didn't": "did not",
	"mustn't": "must not",
}

var contracted = map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "is"}

// parse takes the beginning of a sentence apart. It reports false where there is no subject with a verb.
func parse(s sentence, known map[string]bool) (clause, bool) {
	c := clause{sentence: s, hedged: s.hedged()}
	i := s.skip(0)
	if n := s.any(i, leadingHedges); n > 0 {
		i = s.skip(i + n)
	}
	if i >= len(s.words) {
		return c, false
	}
	c.subject = i
	c.after, c.aux, c.person = subject(s, i, known)
	if c.person == noPerson {
		return c, false
	}
	i = c.after
	for i < len(s.words) && (adverbs.Has(s.words[i].low) || s.is(i, "no longer") > 0 || s.is(i-1, "no longer") > 0) {
		c.negated = c.negated || s.words[i].low == "not" || s.words[i].low == "never" || s.words[i].low == "no"
		i++
	}
	if c.aux == "" && i < len(s.words) {
		if full, ok := auxiliaries[s.words[i].low]; ok {
			c.aux = full
			i++
		}
	}
	if aux, ok := strings.CutSuffix(c.aux, " not"); ok {
		c.aux, c.negated = aux, true
	}
	for i < len(s.words) && adverbs.Has(s.words[i].low) && s.words[i-1].after == 0 {
		c.negated = c.negated || s.words[i].low == "not" || s.words[i].low == "never"
		i++
	}
	c.at = i
	return c.predicate()
}

// predicate finds the verb at c.at that fits the auxiliary.
func (c clause) predicate() (clause, bool) {
	i := c.at
	if i >= len(c.words) {
		return c, false
	}
	ok := false
	w := c.words[i].low
	switch c.aux {
	case "":
		forms := []form{third, past}
		if c.person == I || c.person == we {
			forms = []form{past, base}
		} else if c.person == mine || c.person == thing {
			forms = []form{third, past, base}
		}
		c.verb, ok = findVerb(w, forms...)
	case "am", "is", "are", "was", "were":
		if c.verb, ok = findVerb(w, doing); !ok {
			c.copula, ok = true, true
			c.rest = i
			return c, true
		}
	case "have", "has", "had":
		if w == "been" && i+1 < len(c.words) {
			for i++; i+1 < len(c.words) && adverbs.Has(c.words[i].low); {
				i++
			}
			if c.verb, ok = findVerb(c.words[i].low, doing); !ok {
				c.copula, c.rest, c.at = true, i, i
				return c, true
			}
			break
		}
		if w == "got" && i+1 < len(c.words) && c.aux != "had" { // we've got a pup
			c.verb, c.at, c.rest = verb{"have", base, state}, i, i+1
			return c, true
		}
		if c.verb, ok = findVerb(w, done); !ok { // has as the main verb
			f := base
			if c.aux == "has" {
				f = third
			} else if c.aux == "had" {
				f = past
			}
			c.verb, c.aux, c.at, c.rest = verb{"have", f, state}, "", i-1, i
			return c, !endsClause(c.words[i-1])
		}
	default:
		c.verb, ok = findVerb(w, base)
	}
	c.at, c.rest = i, i+1
	return c, ok
}

// skip returns the first word behind the openers at i, and behind a name that is called with a comma: Thanks, Ann!
func (s sentence) skip(i int) int {
	for i < len(s.words) {
		n := s.any(i, openers)
		if n > 0 && !s.modifies(i+n-1) {
			i += n
			if n == 1 && s.words[i-1].low == "hey" || s.words[i-1].low == "hi" {
				for i < len(s.words) && s.words[i].after == 0 && isCapital(s.words[i].text) && s.words[i].low != "i" {
					i++
				}
			}
			continue
		}
		break
	}
	return i
}

// modifies reports whether the word at i belongs to a noun behind it: no comma parts them, and what follows begins
// no subject of its own.
func (s sentence) modifies(i int) bool {
	if s.words[i].after != 0 || !modifiers.Has(s.words[i].low) || i+1 == len(s.words) {
		return false
	}
	next, _, _ := strings.Cut(s.words[i+1].low, "'")
	return !opening.Has(next) && !pronouns.Has(next) && !isCapital(s.words[i+1].text)
}

// hedged reports whether a sentence says of itself that it is not sure.
func (s sentence) hedged() bool {
	for i, w := range s.words {
		if w.text == "May" {
			continue
		}
		if s.any(i, hedges) > 0 {
			return true
		}
	}
	return false
}

func first(p person) bool { return p == I || p == we || p == mine }

// end returns the word behind the statement of c: before another clause that only comments on it.
func (c clause) end() int {
	for i := c.rest + 1; i < len(c.words); i++ {
		if c.words[i-1].after == ';' || c.words[i-1].after == '!' || c.words[i-1].after == '?' {
			return i
		}
		if i+1 >= len(c.words) {
			break
		}
		w := c.words[i].low
		next := c.words[i+1].low
		if slices.Contains([]string{"and", "but", "so", "cause", "which", "where", "though", "although", "because"}, w) {
			if w == "which" || w == "though" || w == "although" || w == "cause" || comments(next) {
				if c.words[i-1].low == "even" {
					return i - 1
				}
				return i
			}
		}
		if c.words[i-1].after == ',' && (comments(w) || c.spliced(i)) {
			return i
		}
	}
	return len(c.words)
}

// spliced reports whether behind the comma before word i a clause of its own stands: the effects are so cool.
func (c clause) spliced(i int) bool {
	if clauseWords.Has(c.words[i].low) || c.words[i].low == "and" {
		return false
	}
	for k := i + 1; k < min(len(c.words), i+4) && !endsClause(c.words[k-1]); k++ {
		if w := c.words[k].low; w == "is" || w == "are" || w == "was" || w == "were" {
			return true
		}
	}
	return false
}

var commenting = lazy.Words(`it that they this there i we she he you its everyone what can now let man wow definitely`)

// comments reports whether a clause that begins with w says what somebody thinks of the one before.
func comments(w string) bool {
	head, _, _ := strings.Cut(w, "'")
	return commenting.Has(head)
}

// thanks tells a greeting, thanks or praise, which says nothing to keep.
func (s sentence) thanks() bool {
	switch s.words[0].low {
	case "thanks", "thank", "congrats", "congratulations", "hello", "hi", "hey", "bye", "goodbye", "welcome",
		"sorry", "glad", "cheers":
		return len(s.words) < 5 || s.words[0].low != "hey" && s.words[0].low != "hi" && s.words[0].low != "hello"
	}
	return s.any(0, []string{
		"good morning", "good evening", "good to", "great to", "nice to", "happy to", "take care", "see you", "good luck",
		"well done", "great job", "nice work", "no problem", "no worries", "of course",
	}) > 0
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
var imperatives = lazy.Words(`please show tell give make write run add fix check find look explain list create build
	help try take keep use let go stop start open close delete remove update change move rename refactor implement generate
	print set get put send read search review test debug deploy commit push pull merge install upgrade explain describe
	summarize compare follow ensure consider see note enjoy have do be know think believe stay call ask wait come imagine
	say get draw document handle return revert rewrite replace translate convert continue proceed undo redo rerun bump
	format lint`)

// command tells a sentence that asks for something rather than says how things are.
func (s sentence) command() bool {
	i := s.skip(0)
	if i >= len(s.words) {
		return true
	}
	return imperatives.Has(s.words[i].low) ||
		s.any(i, []string{"i need you", "i want you", "i'd like you", "i would like you", "you"}) > 0
}

// states reports whether a sentence says something that may be worth keeping: it is no question, greeting or
// fragment.
func (s sentence) states() bool {
	const fewest = 3
	return !s.asks && len(s.words) >= fewest && !s.thanks() && !s.question()
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
