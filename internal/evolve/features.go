package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// featureNames are what the judge looks at, in the order of the weights. All are between 0 and 1.
var featureNames = []string{
	"always",
	"rule update", "rule update, same subject", "rule contradict", "rule contradict, denied",
	"rule contradict, figure", "rule contradict, value or word",
	"old covered", "new covered", "same subject", "other subject", "same verb", "other verb", "one word only in old",
	"many words only in old",
	"no word only in new", "one word only in new", "many words only in new", "one word for one", "one place",
	"like length", "new longer",
	"other person", "new name", "a person",
	"change about it", "change in new", "change in old", "phrase of change", "recent", "perfect", "old in the past",
	"new dated", "old dated", "other occasion", "also",
	"same figure", "other figure", "one denies", "both deny", "contrary sign", "old exclusive", "other quantity",
	"other condition", "other addition", "narrower", "old supposed",
	"slot without change", "slot with change", "covered with change", "covered with contrary sign",
	"covered with other figure",
	"adds", "place of a person", "place led to", "place of a name",
	"since or until", "again", "now", "any or every", "one exclusive", "change of other subject", "both rules",
	"with exception", "old denies",
	"rules not asked", // only while the weights are learnt
}

// ruleFeatures are of what the rules say: these places, from, to.
var ruleFeatures = [2]int{1, 7}

// features returns what the judge looks at. What the rules say of the two is r, or nil.
func features(c *comparison, r *Relation) []float64 {
	o, n := c.o, c.n
	x := make([]float64, 0, len(featureNames))
	is := func(all ...bool) {
		for _, b := range all {
			v := 0.0
			if b {
				v = 1
			}
			x = append(x, v)
		}
	}
	is(true)
	x = append(x, ruled(r)...)

	oOnly, nOnly := len(c.oOnly), len(c.nOnly)
	oCover, nCover := float64(
		len(c.shared),
	)/float64(
		max(len(o.said), 1),
	), float64(
		len(c.shared),
	)/float64(
		max(len(n.said), 1),
	)
	cover := max(oCover, nCover)
	x = append(x, min(oCover, 1), min(nCover, 1))
	ov, nv := o.mainVerb(), n.mainVerb()
	is(c.subject == same, c.subject == apart, ov == nv && o.verb >= 0 && n.verb >= 0, ov != "" && nv != "" && ov != nv,
		oOnly == 1, oOnly > 3, nOnly == 0, nOnly == 1, nOnly > 3)
	slot := oOnly == 1 && nOnly == 1 && len(c.shared) > 1
	p, place := c.place()
	is(slot, place)
	x = append(x, float64(min(len(o.tokens), len(n.tokens)))/float64(max(len(o.tokens), len(n.tokens), 1)))
	is(2*len(n.tokens) > 3*len(o.tokens),
		o.person != "" && n.person != "" && o.person != n.person,
		slices.ContainsFunc(c.nOnly, func(t token) bool { return t.name }),
		o.person != "" || n.person != "")

	about, changes, phrase := change(o, n) != "", n.tellsChange(), n.phrase() != ""
	changed := about || changes || phrase
	line, oLine := n.line(), o.line()
	is(about, changes, o.tellsChange(), phrase, n.recent(),
		strings.Contains(line, " has ") || strings.Contains(line, " have "), o.bygone(),
		n.day != "" || len(c.nClass["date"])+len(c.nClass["month"]) > 0,
		o.day != "" || len(c.oClass["date"])+len(c.oClass["month"]) > 0, c.occasions(), n.adds())

	figure := c.unlikeValue()
	denies, denied, flips := n.denies(), o.denies(), c.flips() != ""
	a, b := o.quantity(), n.quantity()
	is(c.equalValue, figure, denies != denied, denies && denied, flips, o.exclusive(), a != b && a != 0 && b != 0)
	is(c.conditions(), c.rival(), c.narrower(), o.supposed)

	is(
		(slot || place) && c.subject == same && !changed, (slot || place) && changed, cover >= 0.5 && about,
		cover >= 0.5 && flips, cover >= 0.5 && figure,
	)
	is(oOnly == 0 && nOnly > 0 && !flips && denies == denied)
	is(place && o.person != "", place && p.led, place && (p.o[len(p.o)-1].named() || p.n[len(p.n)-1].named()))
	is(hasWord(line, "since", "until", "till"), hasWord(line, "again"), hasWord(line, "now") && !hasWord(oLine, "now"),
		hasWord(line, "any", "every", "all", "each", "anyone", "everyone", "everybody"),
		o.exclusive() != n.exclusive() && c.subject != apart && cover >= 0.5, changed && c.subject == apart,
		o.duties() != 0 && n.duties() != 0, o.tricky() || n.tricky(), denied, false)
	return x
}

// ruled returns the features of what the rules say.
func ruled(r *Relation) []float64 {
	x := make([]float64, ruleFeatures[1]-ruleFeatures[0])
	if r == nil {
		return x
	}
	begins := func(all ...string) bool {
		return slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(r.Reason, s) })
	}
	if r.Type == memory.Update {
		x[0] = 1
		if r.Confidence > 0.55 {
			x[1] = 1
		}
		return x
	}
	x[2] = 1
	switch {
	case begins("said and denied"):
		x[3] = 1
	case begins("another value", "another in its place", "another who did it", "cannot both be", "denied of the kind"):
		x[5] = 1
	case begins("another "):
		x[4] = 1
	}
	return x
}

// unlikeValue says whether both texts have values of a class and agree in none.
func (c *comparison) unlikeValue() bool {
	for class, ts := range c.nClass {
		if len(c.oClass[class]) > 0 && !slices.ContainsFunc(
			ts, func(t token) bool { _, both := c.o.said[t.key]; return both },
		) {
			return true
		}
	}
	return false
}

// tellsChange says whether a text has a verb of change that is not denied.
func (r *reading) tellsChange() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return changeVerbs.Has(t.word) && t.denied%2 == 0 })
}

// hasWord says whether one of some words stands in the line of a text.
func hasWord(line string, all ...string) bool {
	return slices.ContainsFunc(all, func(w string) bool { return strings.Contains(line, " "+w+" ") })
}
