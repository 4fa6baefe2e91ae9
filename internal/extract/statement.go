package extract

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// statement reads how things are as a belief, and what happened and ended as an episode, or among people as a
// note of the one who tells it.
func (t teller) statement(s sentence) []Draft {
	if w := s.skip(0); !t.talk && w+1 < len(s.words) && w < 2 {
		if v, ok := findVerb(s.words[w].low, third); ok && slices.Contains(withoutSubject, v.lemma) &&
			!vague.Has(s.words[w+1].low) {
			return []Draft{{Kind: memory.KindBelief, Type: "fact", Text: s.from(0), Confidence: possible, Rule: "fact"}}
		}
	}
	c, ok := parse(s, t.known)
	if !ok || !t.accepts(c) || c.aux == "would" || c.aux == "could" || c.aux == "should" || c.aux == "might" ||
		c.aux == "may" {
		return nil
	}
	if c.rest > len(c.words) || c.aux == "will" || c.aux == "do" && c.person != I && c.person != we && !t.talk &&
		!c.negated {
		return nil
	}
	if t.talk {
		return t.ofOneself(c)
	}
	if c.rest >= len(c.words) && !c.intransitive() || c.person == thing && vague.Has(s.words[c.subject].low) ||
		s.mentions("you", "your", "let's") {
		return nil
	}
	if c.copula {
		return t.being(c)
	}
	if c.verb.class == taste || deciding.Has(c.verb.lemma) || c.object() == "" && !c.intransitive() ||
		vague.Has(c.object()) && c.rest+1 >= len(c.words) {
		return nil
	}
	if (c.verb.form == past || c.verb.form == done) && c.verb.class == event && !c.negated && c.aux != "am" &&
		c.aux != "is" && c.aux != "are" {
		d := t.draft(c, memory.KindEpisode, "", "event", possible)
		d.OutcomeType = "unknown"
		return []Draft{d}
	}
	conf := fair
	if c.person == thing {
		conf = possible
	}
	return []Draft{t.draft(c, memory.KindBelief, "fact", "fact", conf)}
}

// deciding verbs are for the rule of decisions alone.
var deciding = lazy.Words(`decide choose pick settle opt agree stand`)

// withoutSubject are verbs with which people note things of somebody they do not name: also knows TypeScript.
var withoutSubject = []string{"know", "live", "speak", "own", "study", "teach"}

// intransitive tells a verb that says something by itself: the deploy failed, Alice left.
func (c clause) intransitive() bool {
	return !c.copula && (c.person == named || c.person == thing || c.person == mine) && (c.verb.form == past ||
		c.verb.form == done) &&
		slices.Contains(
			[]string{"fail", "crash", "leave", "resign", "retire", "quit", "graduate", "launch", "finish", "restart", "marry"},
			c.verb.lemma,
		)
}

// evaluative are words of an opinion about a thing, which say little about the thing.
var evaluative = lazy.Words(`great good nice awesome amazing cool fun bad wrong right true fine ok okay sure important
	interesting key crazy weird funny beautiful lovely incredible wonderful hard easy tough possible impossible glad happy
	sorry excited sad tired afraid proud ready here there done back so too such like what how why about to going able kind
	thankful grateful lucky stoked pumped thrilled determined amazed impressed inspired surprised curious worried nervous
	busy better best looking trying feeling thinking hoping doing having getting being just`)

func (t teller) being(c clause) []Draft {
	if c.rest >= len(c.words) {
		return nil
	}
	w, _, _ := strings.Cut(c.words[c.rest].low, "'")
	if w == "not" && c.rest+1 < len(c.words) {
		w = c.words[c.rest+1].low
	}
	if vague.Has(w) || evaluative.Has(w) || pronouns.Has(w) {
		return nil
	}
	return []Draft{t.draft(c, memory.KindBelief, "fact", "fact", possible)}
}

// roles, and what else one is that is worth knowing.
var statuses = lazy.Words(`allergic from married single divorced engaged pregnant vegan vegetarian retired unemployed
	based lactose intolerant diabetic bilingual deaf transgender trans gay lesbian bisexual widowed self-employed homeless
	sober jewish christian muslim buddhist catholic atheist gluten-free enrolled born`)

var noRole = lazy.Words(`bit lot fan big huge little sucker believer firm good great part step fool mess total real true
	super pretty tad kid beginner pro bookworm little`)

// ofOneself reads what a speaker tells of himself among people. It takes few: the verbs and objects with
// which people report facts and events, not feelings and courtesies.
func (t teller) ofOneself(c clause) []Draft {
	if len(c.words) < 4 || c.words[c.subject].low == "we" && c.is(c.after, "all") > 0 {
		return nil
	}
	for _, p := range []string{"if", "whenever", "imagine"} {
		if c.mentions(p) {
			return nil
		}
	}
	if c.copula {
		return t.being1(c)
	}
	if c.person == mine && !t.mineTells(c) || c.negated && c.verb.class != state || !c.clear() || c.rest >= len(c.words) {
		return nil
	}
	if !c.tells() {
		return nil
	}
	going := c.verb.form == doing && c.aux != "was" && c.aux != "were"
	switch {
	case c.verb.class == event && !going, c.verb.lemma == "have" && c.verb.form == past:
		return []Draft{t.draft(c, memory.KindNote, "observation", "happened", fair)}
	case c.verb.class == event && !ongoing.Has(c.verb.lemma):
		return nil
	}
	return []Draft{t.draft(c, memory.KindBelief, "fact", "self", fair)}
}

// being1 reads what the speaker is.
func (t teller) being1(c clause) []Draft {
	if c.rest+1 > len(c.words)-1 && c.rest >= len(c.words) {
		return nil
	}
	w := c.words[c.rest].low
	next := ""
	if c.rest+1 < len(c.words) {
		next = c.words[c.rest+1].low
	}
	fact := func() []Draft { return []Draft{t.draft(c, memory.KindBelief, "fact", "self", fair)} }
	switch {
	case c.person == mine:
		head := c.words[c.after-1].low
		if t.mineTells(c) && !evaluative.Has(w) && !vague.Has(w) && w != "a" && w != "the" && w != "my" && w != "always" &&
			(relatives.Has(head) || head == "name" || head == "birthday") && len(c.words)-c.rest <= 8 && c.end()-c.rest > 0 {
			return fact()
		}
	case (w == "a" || w == "an") && (c.aux == "am" || c.aux == "was" || c.aux == "were" || c.aux == "have") &&
		c.person == I:
		if next != "" && !noRole.Has(next) && !evaluative.Has(next) && c.roleAt(c.rest+1) {
			return fact()
		}
	case statuses.Has(w) && next != "" || w == "in" &&
		slices.Contains([]string{"college", "school", "therapy", "recovery"}, next):
		return fact()
	case w == "married" || w == "single" || w == "divorced" || w == "retired" || w == "pregnant" || w == "vegan" ||
		w == "vegetarian" || w == "engaged":
		return fact()
	}
	return nil
}

// roleAt reports whether a role stands at word i: a nurse, a single parent, a software engineer.
func (c clause) roleAt(i int) bool {
	for k := i; k < min(len(c.words), i+3); k++ {
		w := c.words[k].low
		if endsIn(
			w, "er", "or", "ist", "ian", "ant", "ent", "eer", "nurse", "parent", "chef", "pilot", "mom", "dad",
			"mother", "father", "coach", "artist", "member", "veteran", "woman", "man", "poet", "captain",
			"medic", "mechanic", "guard", "kid",
		) &&
			!slices.Contains(
				[]string{
					"her", "other", "never", "over", "after", "different", "super", "for", "or", "better", "summer", "moment", "event",
					"center",
				},
				w,
			) && !adverbs.Has(w) {
			return !endsIn(w, "kid") || c.aux == "was"
		}
		if endsClause(c.words[k]) {
			return false
		}
	}
	return false
}

// mineTells reports whether what the speaker says of somebody or something of his is worth keeping.
func (t teller) mineTells(c clause) bool {
	for k := c.subject + 1; k < c.after; k++ {
		if w := strings.TrimSuffix(c.words[k].low, "s"); relatives.Has(w) || relatives.Has(c.words[k].low) ||
			owned.Has(w) || w == "kid" || w == "children" || w == "family" || w == "name" || w == "birthday" ||
			w == "parent" || w == "grandparent" {
			return true
		}
	}
	return false
}

var ongoing = lazy.Words(`paint write build design organize organise volunteer create record compete interview`)

// objects that a verb must have, or must not, to tell a fact; by lemma. A verb of which nothing stands here tells
// with any clear object.
var (
	mustHave = map[string][]string{
		"get": {
			"a", "an", "my", "our", "new", "married", "engaged", "promoted", "divorced", "accepted", "hired",
			"fired", "laid", "two", "three", "into", "another", "some",
		},
		"find": {"a", "an", "my", "our", "out", "another"},
		"make": {"a", "an", "my", "our", "some", "dinner", "homemade"},
		"give": {"a", "an", "birth", "my"},
		"see":  {"a", "an", "my", "our", "two", "some"},
		"have": {
			"a", "an", "two", "three", "four", "five", "my", "our", "no", "surgery", "another", "kids", "cats",
			"dogs", "twins",
		},
		"keep": {"bees", "chickens", "a"},
		"run":  {"a", "an", "my", "our", "the", "for", "into"},
		"play": {
			"the", "in", "for", "guitar", "piano", "violin", "clarinet", "basketball", "soccer", "tennis",
			"chess", "drums", "football", "baseball",
		},
		"use":   {"to", "a", "an", "my"},
		"read":  {"a", "an", "my", "the", "two", "three"},
		"break": {"my", "a", "up"},
		"fall":  {"and", "off", "down", "in"},
		"lead":  {"a", "an", "the", "my", "our"},
		"pass":  {"my", "the", "a", "an"},
		"earn":  {"a", "an", "my", "the"},
		"write": {"a", "an", "my", "the", "two", "three", "some", "songs", "poems", "screenplays"},
		"begin": {"a", "an", "my", "the", "our"}, "win": {"a", "an", "my", "the", "our", "first", "second", "two", "three"},
		"lose": {"my", "our", "a", "an"}, "plan": {"a", "an", "my", "our"}, "try": {"a", "an", "out", "some", "my"},
		"teach": {"a", "an", "my", "at", "kids", "piano", "yoga", "english"}, "leave": {"my", "our", "for", "on"},
		"open": {"a", "an", "my", "our"}, "discover": {"a", "an"}, "take": {
			"a", "an", "my", "our", "up", "two", "some", "part", "the",
		},
	}
	mustNot = map[string]string{
		"get": "lot bit chance break reminder kick feeling sense ton idea glimpse few kinda real great boost good " +
			"taste better some taste out way sneak blast message lots handle hang hold creative work started",
		"have": "lot bit feeling blast idea question chance point great good time awesome amazing wonderful " +
			"incredible fantastic tough rough hard few couple ton sense hunch plan little real super such nice huge " +
			"lovely strong soft special deep hectic wild busy crazy day week doubt clue problem choice similar setback " +
			"look thing reason regrets plans big moment fun memorable meaningful experience quiet interesting " +
			"unforgettable similar gut much hope",
		"make": "difference decision lot point mistake wish good great big few positive progress sure friends real " +
			"huge plan start sense bit change impact memories",
		"take":  "look break breath lot time while bit moment chance risk step steps deep peek minute toll shot care long",
		"go":    "through crazy ahead well wrong on great far for back wild over from all my",
		"give":  "lot try shot go hope",
		"see":   "how why lot few",
		"find":  "way ways lot out comfort joy solace peace it's balance really great cool new few",
		"start": "feel feeling thinking to off over getting with by",
		"begin": "feel feeling",
		"work":  "hard on out through towards it toward like really super non-stop things with",
		"write": "down", "know": "", "mean": "", "need": "", "expect": "", "listen": "to", "point": "", "return": "",
		"rely": "", "depend": "", "care": "", "read": "through",
		"keep": "going pushing working trying",
		"stay": "positive strong motivated focused true up optimistic in safe connected active calm healthy on " +
			"home healthy",
		"receive": "lot positive great", "accept": "", "lose": "track weight sight touch hope focus temper", "learn": "",
		"try": "my to", "play": "role big part", "use": "the", "come": "", "feel": "", "hold": "",
		"run": "out low across late", "point-out": "",
		"live": "my for true", "fall": "in love", "meet": "up back", "discover": "new that",
		"become":  "more so better close closer good stronger really friends",
		"become-": "", "break": "down barriers", "finish": "up", "move": "on forward past", "leave": "lot",
		"pass": "on away the", "complete": "", "open": "up", "add": "some lot", "win": "over",
		"support": "each local the", "handle": "", "manage": "to stress", "drop": "", "collect": "", "lead": "to",
		"own": "", "remove": "", "add-": "", "enable": "", "disable": "", "report": "", "require": "", "contain": "",
		"store": "", "cost": "", "include": "", "fix-": "", "host-": "", "plan": "", "time": "", "score-": "",
	}
	noStatement = lazy.Words(`know mean need expect point return rely depend care accept handle remove enable disable ` +
		`report require contain store cost include add
		lock revert restart delete drop time default consist decide choose pick settle opt agree stand exceed weigh ` +
		`measure serve run-out film present-`)
)

// tells holds the verb and the object of c to the lists.
func (c clause) tells() bool {
	l := c.verb.lemma
	if noStatement.Has(l) || c.verb.class == taste {
		return false
	}
	i := c.rest
	for i < len(c.words) && adverbs.Has(c.words[i].low) && c.words[i].low != "all" {
		i++
	}
	if i >= len(c.words) {
		return false
	}
	w := c.words[i].low
	if list, ok := mustHave[l]; ok && !slices.Contains(list, w) {
		return false
	}
	if not := mustNot[l]; not != "" {
		for k := i; k < min(len(c.words), i+4); k++ {
			if slices.Contains(strings.Fields(not), c.words[k].low) && (k == i || k == i+1 || c.words[i].low == "a" ||
				c.words[i].low == "an" || c.words[i].low == "my") {
				return false
			}
			if endsClause(c.words[k]) {
				break
			}
		}
	}
	if evaluative.Has(w) && w != "back" && w != "to" || l == "go" && w == "to" && i+1 < len(c.words) &&
		vague.Has(c.words[i+1].low) || l == "stay" && w == "" {
		return false
	}
	if l == "go" && !slices.Contains(
		[]string{
			"to", "on", "camping", "hiking", "swimming", "fishing", "skiing", "biking", "running", "surfing", "backpacking",
			"kayaking", "climbing", "shopping", "sailing",
		},
		w,
	) {
		return false
	}
	return c.verb.form != doing || c.aux != "have" || c.verb.class != taste
}
