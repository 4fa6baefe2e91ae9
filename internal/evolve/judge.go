package evolve

import (
	"math"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// A weight is what a feature counts for each of the judge's three answers.
type weight struct{ none, update, contradict float64 }

// chances are how likely it is, by the weights, that there is no relation, that the new text
// updates the old one, and that it contradicts it.
type chances struct{ none, update, contradict float64 }

// judge weighs features. It multiplies and adds in steps, so that it gives the same
// on every machine.
func judge(x []float64, by []weight) chances {
	var z chances
	for i, v := range x {
		if v != 0 {
			z.none += float64(v * by[i].none)
			z.update += float64(v * by[i].update)
			z.contradict += float64(v * by[i].contradict)
		}
	}
	most := max(z.none, z.update, z.contradict)
	z = chances{math.Exp(z.none - most), math.Exp(z.update - most), math.Exp(z.contradict - most)}
	sum := z.none + z.update + z.contradict
	return chances{z.none / sum, z.update / sum, z.contradict / sum}
}

// least are the least chances at which a relation is told: an update, a contradiction, and a contradiction of which the
// rules say so too.
type least struct{ update, contradict, ruled, unrelated float64 }

// decide returns the type of the relation, "" for none, and how far it is above the least
// chance at which it is told: 0 to 1.
func (p chances) decide(by least, r *Relation) (relation string, above float64) {
	if r != nil && r.Type == memory.Contradict {
		by.contradict = by.ruled
	}
	u, k := p.update/by.update, p.contradict/by.contradict
	switch {
	case k >= 1 && k >= u:
		return memory.Contradict, (p.contradict - by.contradict) / (1 - by.contradict)
	case u >= 1:
		return memory.Update, (p.update - by.update) / (1 - by.update)
	}
	return "", 0
}

// decide returns the relation to report for r, the one that the rules found, or nil.
func (c *comparison) decide(r *Relation) *Relation {
	if r == nil && len(c.shared) == 0 || c.toldApart() && !c.handed() || c.aside() || c.inOtherPart() || c.arrived() ||
		c.movedOnly() {
		return nil
	}
	if r != nil && r.Type == memory.Update && c.ofTheThing() {
		return nil
	}
	if r != nil && r.plain {
		return r
	}
	if (r == nil || r.Type == memory.Update) && c.alone() || r != nil && r.Type == memory.Update && c.ofAnother(r) {
		return nil
	}
	if (r == nil || strings.HasPrefix(r.Reason, "another ")) && c.bothMayHold() ||
		(r == nil || r.Type == memory.Contradict) && (c.otherRole() || c.named()) {
		return nil
	}
	p := judge(features(c, r), weights)
	relation, above := p.decide(atLeast, r)
	if r != nil && r.Type == memory.Update && relation != memory.Update && p.none <= atLeast.unrelated {
		// A sign of change tells which of the two it is, where the two are likely related at all.
		relation, above = memory.Update, 0
	}
	if relation == "" {
		return nil
	}
	sure := math.Round(100*(0.4+0.2*above)) / 100
	switch {
	case r != nil && r.Type == relation:
		r.Confidence = sure
		return r
	case relation == memory.Contradict && len(c.oOnly) < 3 && len(c.nOnly) < 3 && len(c.oOnly)+len(c.nOnly) > 0:
		return c.contradict("the same but for", sure)
	case relation == memory.Contradict:
		return c.contradict("likely not both", sure)
	}
	if word := change(c.o, c.n); word != "" {
		return c.update(word, sure)
	}
	return c.update("likely changed", sure)
}
