package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// namedKinds stand before the name of a thing of their kind: the service lanlox, host elm, team Blue.
var namedKinds = lazy.Words(`service server host node machine vm container pod cluster gateway proxy queue topic bucket
 worker daemon project team tenant customer client user account app application module package crate library repo
 repository branch region zone site shop store warehouse room lab printer sensor robot station line route model
 environment job pipeline`)

// partsOfThings are words after such a kind that name no thing of it, but a part or a sort of it.
var partsOfThings = lazy.Words(`port url name version password timeout limit size type key cache log logs config
 address status owner mode count layout plan desk`)

// twoNamed says whether the two speak of two things of one kind, each by its name and with something of its own: the
// service lanlox and the service manrox, which listen on two ports. Where nothing but the name differs, one may have
// taken over from the other.
func (c *comparison) twoNamed() bool {
	kind, a := c.o.namedThing()
	other, b := c.n.namedThing()
	if kind == "" || kind != other || a.word == b.word || strings.Contains(c.n.line(), " "+a.word+" ") ||
		strings.Contains(c.o.line(), " "+b.word+" ") {
		return false // a name has no stem: Heron and Herons are two
	}
	own := func(ts []token, name token) bool {
		return slices.ContainsFunc(ts, func(t token) bool {
			return t.key != name.key && !verbForms()[t.word] && !changeVerbs.Has(t.word) && !manners.Has(t.word) &&
				!nowWords.Has(t.word) && t.key[0] != '='
		})
	}
	return own(c.oOnly, a) && own(c.nOnly, b)
}

var nowWords = lazy.Words(`now today currently again since instead new old`)

// namedThing returns the kind and the name of the thing that a text is of, "" where there is none: its subject begins
// with the kind, and the name is all that comes before the verb, or is followed by a word that the rules take for a
// verb.
func (r *reading) namedThing() (kind string, name token) {
	for i := 0; i+2 < len(r.tokens) && i+2 <= r.verb; i++ {
		t, next := r.tokens[i], r.tokens[i+1]
		switch {
		case !t.content && determiners.Has(t.word):
			continue
		case !namedKinds.Has(t.word) || t.owner || next.owner || !next.content || next.class != "" || next.clause != t.clause,
			partsOfThings.Has(next.word), namedKinds.Has(next.word),
			i+2 != r.verb && r.tokens[i+2].key[0] != '=' && !strings.HasSuffix(r.tokens[i+2].word, "s"):
			return "", token{}
		}
		return t.word, next
	}
	return "", token{}
}
