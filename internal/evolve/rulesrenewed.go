package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// renewed says whether both say the same of two versions of one thing of which only one counts: Node 18 is required,
// Node 20 is required.
func (c *comparison) renewed() (later, ok bool) {
	a, b := c.oClass["number"], c.nClass["number"]
	if len(a) != 1 || len(b) != 1 || a[0].key == b[0].key || plainOnly(c.oOnly) > 0 || c.addsWords() ||
		!c.o.heads(a[0]) || !c.n.heads(b[0]) || !c.o.singles() || !c.n.singles() || c.o.denies() || c.n.denies() {
		return false, false
	}
	return compareVersions(a[0].key, b[0].key) < 0, true
}

// addsWords says whether the new text has a word that the old one has not, other than a figure and "now".
func (c *comparison) addsWords() bool {
	return slices.ContainsFunc(c.nOnly, func(t token) bool { return t.class == "" && t.word != "now" })
}

// heads says whether a text begins with a name and this number.
func (r *reading) heads(t token) bool {
	return len(r.tokens) > 3 && r.tokens[0].content && r.tokens[0].class == "" && r.tokens[1].key == t.key &&
		r.tokens[0].text != r.tokens[0].word && r.verb == 2
}

// singles says whether what a text says of its subject holds for one version only: it is required, it is the version.
func (r *reading) singles() bool {
	rest := r.tokens[r.verb:]
	return len(rest) > 1 && copulas.Has(rest[0].word) && (rest[1].word == "required" || rest[1].word == "mandatory" ||
		rest[1].word == "the" && len(rest) > 2 && onlyOne.Has(rest[2].word))
}

var onlyOne = lazy.Words(`version default minimum standard baseline current oldest newest latest one release target`)

// handed says whether the new text says that another now has charge of what the old one says: the platform team owns
// the gateway, the gateway team now owns it.
func (c *comparison) handed() bool {
	o, n := c.o, c.n
	if o.verb < 0 || n.verb < 0 || o.mainVerb() == "" || o.mainVerb() != n.mainVerb() ||
		!charge.Has(o.tokens[o.verb].word) || o.denies() || n.denies() ||
		!strings.Contains(n.line(), " now ") || strings.Contains(o.line(), " now ") {
		return false
	}
	rest := func(r *reading) (all []string) {
		for _, t := range r.tokens[r.verb+1:] {
			if t.content && t.word != "now" {
				all = append(all, t.key)
			}
		}
		return all
	}
	a, b := rest(o), rest(n)
	if len(b) == 0 && len(a) > 0 && n.endsWithIt() && n.said[a[len(a)-1]] != 0 {
		return true // the gateway team now owns it
	}
	return len(a) > 0 && strings.Join(a, " ") == strings.Join(b, " ")
}

// endsWithIt says whether nothing but "it" and "now" comes after the verb.
func (r *reading) endsWithIt() bool {
	it := false
	for _, t := range r.tokens[r.verb+1:] {
		it = it || t.word == "it"
		if t.word != "it" && t.word != "now" {
			return false
		}
	}
	return it
}

var charge = lazy.Words(`own owns maintain maintains lead leads manage manages run runs operate operates`)

// succeeded says whether the new text names who took the place of one that the old text gives a part: Ada is my
// manager, Emma replaced Ada as my manager. It returns the word that says so.
func (c *comparison) succeeded() string {
	for i, t := range c.n.tokens {
		who := c.n.leaver(i)
		if who == nil || c.o.denies() || t.denied > 0 {
			continue
		}
		named, rest := c.o.speaker == who.word, 0
		for _, u := range c.o.tokens {
			switch {
			case !u.content || u.word == "user" || verbForms()[u.word] && u.class == "":
			case u.key == who.key:
				named = true
			case c.n.said[u.key] == 0:
				return ""
			default:
				rest++
			}
		}
		if named && rest > 0 {
			return t.word
		}
	}
	return ""
}

// leaver returns the name of whom another replaced, where the words at i say so, or nil.
func (r *reading) leaver(i int) *token {
	at := func(k int, words ...string) bool {
		for j, w := range words {
			if k+j < 0 || k+j >= len(r.tokens) || r.tokens[k+j].word != w {
				return false
			}
		}
		return true
	}
	name := -1
	switch t := r.tokens[i]; {
	case successions.Has(t.word) && i > 0 && copulas.Has(r.tokens[i-1].word) && at(i+1, "by"):
		name = i - 2
	case successions.Has(t.word) && !(i > 0 && copulas.Has(r.tokens[i-1].word)):
		name = i + 1
	case at(i, "took", "over", "from") || at(i, "takes", "over", "from"):
		name = i + 3
	}
	if name < 0 || name >= len(r.tokens) || !r.tokens[name].name && !r.tokens[name].capital && !r.tokens[name].first {
		return nil
	}
	return &r.tokens[name]
}

var successions = lazy.Words(`replaced replaces succeeded succeeds`)

// inOtherPart says whether the new text names who took the place of somebody in a part of which the old text says
// nothing: replaced Ada as captain.
func (c *comparison) inOtherPart() bool {
	for i, t := range c.n.tokens {
		if c.n.leaver(i) == nil {
			continue
		}
		for j, u := range c.n.tokens[i:] {
			if u.word == "as" && u.clause == t.clause {
				next := c.n.nextContent(i + j)
				return next > 0 && c.o.said[c.n.tokens[next].key] == 0
			}
		}
	}
	return false
}
