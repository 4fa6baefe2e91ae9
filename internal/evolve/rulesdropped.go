package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// dropped says whether the new text takes back, in so many words, what the old one decided, does or likes: it is out,
// we decided against it, she stopped doing it. It returns the words that say so.
func (c *comparison) dropped() string {
	taken := func(t token) bool { return takingBack.Has(t.word) }
	if c.o.denies() || c.n.supposed || slices.ContainsFunc(c.o.tokens, taken) {
		return ""
	}
	at, said := c.n.takesBack()
	switch {
	case said == "":
		if c.movedBack() {
			return "moved back"
		}
		return ""
	case said == "is out":
		if c.o.adopts() && c.knows(c.n.tokens[:at]) {
			return said
		}
		return ""
	case habitual.Has(firstWord(said)):
		if (c.subject == same || c.o.ours() && c.n.ours()) && c.stops(at) {
			return said
		}
		return ""
	}
	if c.o.adopts() && c.knows(c.n.tokens[at:]) {
		return said
	}
	return ""
}

// taken are the ways to say that something does not hold any more that was decided, and where what is taken back
// stands: behind them.
var taken = phrases(`decided against|changed our minds about|changed our mind about|changed my mind about|changed ` +
	`their minds about|changed his mind about|changed her mind about|reverted|rejected|scrapped|dropped|abandoned|` +
	`ditched|cancelled|canceled|shelved|are done with|is done with|am done with|got rid of|gave up on|rolled back|` +
	`backed out of|not going with|not going for|moving off|moving away from|moved off|moved away from|` +
	`stopped|quit|gave up|lost interest in|ceased`)

// takingBack are words of those, by which an old text is told that took something back itself.
var takingBack = lazy.Words(`against reverted rejected scrapped dropped abandoned ditched cancelled canceled shelved ` +
	`stopped quit ceased out off`)

// habitual begin what takes back what somebody does or likes, decided or not.
var habitual = lazy.Words(`stopped quit gave lost ceased`)

// takesBack returns the words by which a text takes something back, and the place that they stand before; for "is out"
// the place they stand behind.
func (r *reading) takesBack() (at int, said string) {
	all := taken()
	for i, t := range r.tokens {
		for _, p := range all[t.word] {
			if i+len(p) < len(r.tokens) && r.reads(i, p) && len(p) > strings.Count(said, " ")+min(len(said), 1) {
				at, said = i+len(p), strings.Join(p, " ")
			}
		}
		if said != "" {
			return at, said
		}
		if i > 0 && (t.word == "is" || t.word == "are") && i+1 < len(r.tokens) && r.tokens[i+1].clause == t.clause {
			if rest := r.tokens[i+1:]; outWords.Has(rest[0].word) && (len(rest) == 1 || prepositions.Has(rest[1].word) ||
				rest[1].word == "the") {
				return i, "is out"
			}
		}
	}
	return 0, ""
}

var outWords = lazy.Words(`out off dead history`)

// reads says whether these words stand at a place of one clause.
func (r *reading) reads(at int, words []string) bool {
	for k, w := range words {
		if r.tokens[at+k].word != w || r.tokens[at+k].clause != r.tokens[at].clause {
			return false
		}
	}
	return true
}

// adopts says whether a text says that something was chosen or is used.
func (r *reading) adopts() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return adopting.Has(t.word) })
}

var adopting = lazy.Words(`use uses using used adopt adopts adopted adopting choose chose chosen pick picked picks ` +
	`go going went moved move moving switch switched switching migrate migrated migrating ` +
	`store stores keep keeps deploy deploys run runs plan plans planned build builds send ` +
	`sends rely relies write writes work works selected select introduce introduced hire ` +
	`hired buy bought rewrite rewrote replace replaced host hosts = release releases ship ` +
	`ships meet meets review reviews cache caches cached log logs lint lints format formats ` +
	`test tests monitor monitors track tracks render renders parse parses index indexes back ` +
	`compile compiles bundle bundles serve serves`)

// knows says whether some words name something that the old text says beside its subject, and nothing that it does not.
func (c *comparison) knows(ts []token) bool {
	old := c.oldWords()
	known := false
	for i, t := range ts {
		if i > 0 && t.word == "for" && known {
			break
		}
		if !t.content || plansOf.Has(t.word) || i == 0 && gerund(t.word) && c.o.adopts() && len(ts) > 1 && !old[lemma(t)] {
			continue
		}
		if !old[lemma(t)] {
			return false
		}
		known = known || !c.o.inSubject(t.key)
	}
	return known
}

// plansOf are words for what is planned, beside what it is planned for.
var plansOf = lazy.Words(`plan plans idea ideas decision proposal move switch migration use usage change rollout ` +
	`adoption table question option`)

func gerund(w string) bool { return len(w) > 5 && strings.HasSuffix(w, "ing") }

// stops says whether what stands at a place and behind it is what the old text says that somebody does or likes.
func (c *comparison) stops(at int) bool {
	old, ts := c.oldWords(), c.n.tokens[at:]
	if len(ts) > 0 && gerund(ts[0].word) {
		likes := slices.ContainsFunc(c.o.tokens, func(t token) bool {
			return t.key == "=like" && t.sign > 0 || t.key == "=prefer" || t.word == "hobby" || t.word == "hobbies"
		})
		if old[lemma(ts[0])] && len(ts) == 1 {
			return true
		}
		if !old[lemma(ts[0])] && !likes {
			return false
		}
		if ts = ts[1:]; len(ts) == 0 {
			return false
		}
	}
	return c.knows(ts)
}

// oldWords are the words of the old text in the form in which they are compared here.
func (c *comparison) oldWords() map[string]bool {
	m := make(map[string]bool, len(c.o.tokens))
	for i, t := range c.o.tokens {
		if i > c.o.verb && occasional.Has(t.word) {
			break // it is when it is done, not what
		}
		if t.content {
			m[lemma(t)] = true
		}
	}
	return m
}

var occasional = lazy.Words(`before after during while until since when`)

// lemma is the stem of a word, whether it is one of a concept or not.
func lemma(t token) string { return strings.TrimSuffix(stemOf(t.word), "e") }

// movedBack says whether the new text tells that something came from where the old one has it.
func (c *comparison) movedBack() bool {
	if c.subject != same && !(c.o.ours() && c.n.ours()) || !slices.ContainsFunc(c.n.tokens, func(t token) bool {
		return leaving.Has(t.word)
	}) {
		return false
	}
	for i, t := range c.n.tokens {
		j := c.n.nextContent(i)
		if t.word != "from" && t.word != "off" || j < 0 {
			continue
		}
		for k, u := range c.o.tokens {
			if l := c.o.nextContent(k); l > 0 && (u.word == "to" || u.word == "into" || u.word == "onto") &&
				c.o.tokens[l].key == c.n.tokens[j].key {
				return true
			}
		}
	}
	return false
}

var leaving = lazy.Words(`moved moving moves back migrated migrating switched switching`)
