package extract

import (
	"strings"
	"sync"
)

// A form is how a verb stands.
type form int

const (
	base form = iota
	third
	past
	doing
	done
)

// A class is what a verb tells of its subject.
type class int

const (
	state  class = iota // how things are
	change              // how things became
	event               // what happened once
	taste               // what somebody likes or does not
)

type verb struct {
	lemma string
	form  form
	class class
}

// The verbs that rules know. An irregular one stands with its past and its participle.
const (
	stateVerbs = `work live own use study manage maintain know/knew/known belong stay commute collect depend require
		need support handle store return accept contain cost/cost/cost expect default speak/spoke/spoken rely report
		consist include exceed weigh measure serve run/ran/run teach/taught/taught lead/led/led have/had/had mean/meant/meant
		keep/kept/kept drive/drove/driven eat/ate/eaten play read/read/read listen point listen care stand/stood/stood`
	changeVerbs = `join leave/left/left quit/quit/quit move become/became/become adopt buy/bought/bought sell/sold/sold
		marry divorce retire graduate start begin/began/begun launch open found hire switch migrate rename replace enroll
		lose/lost/lost get/got/gotten finish complete publish win/won/won pass earn receive injure break/broke/broken
		relocate resign promote appoint acquire merge deprecate remove add enable disable upgrade downgrade sign accept
		register`
	eventVerbs = `go/went/gone visit attend meet/met/met see/saw/seen travel fly/flew/flown hike paint write/wrote/written
		make/made/made build/built/built create volunteer donate camp celebrate perform record cook bake plant organize
		organise host present give/gave/given take/took/taken fix deploy ship release revert crash fail debug investigate
		install delete drop restart swim/swam/swum climb ski score try discover find/found/found interview compete apply
		design roast test restore rotate repair refactor time knit sew visit tour plan sponsor fall/fell/fallen lock
		rehearse film photograph submit decide choose/chose/chosen pick settle opt agree`
	tasteVerbs = `love like enjoy prefer hate dislike adore detest`
)

// verbs returns for each word the verbs it can be a form of. A word that is two forms, such as put, keeps both.
var verbs = sync.OnceValue(func() map[string][]verb {
	m := map[string][]verb{}
	add := func(w string, v verb) { m[w] = append(m[w], v) }
	for c, list := range map[class]string{state: stateVerbs, change: changeVerbs, event: eventVerbs, taste: tasteVerbs} {
		for entry := range strings.FieldsSeq(list) {
			lemma, rest, irregular := strings.Cut(entry, "/")
			ed, en := regularPast(lemma), regularPast(lemma)
			if irregular {
				ed, en, _ = strings.Cut(rest, "/")
			}
			add(lemma, verb{lemma, base, c})
			add(thirdPerson(lemma), verb{lemma, third, c})
			add(ed, verb{lemma, past, c})
			add(en, verb{lemma, done, c})
			add(ing(lemma), verb{lemma, doing, c})
		}
	}
	add("got", verb{"get", done, change})
	return m
})

// findVerb returns the verb of which w is one of the forms.
func findVerb(w string, forms ...form) (verb, bool) {
	for _, f := range forms {
		for _, v := range verbs()[w] {
			if v.form == f {
				return v, true
			}
		}
	}
	return verb{}, false
}

func thirdPerson(v string) string {
	switch {
	case v == "have":
		return "has"
	case v == "go" || v == "do" || endsIn(v, "s", "x", "z", "ch", "sh"):
		return v + "es"
	case consonantY(v):
		return v[:len(v)-1] + "ies"
	}
	return v + "s"
}

func regularPast(v string) string {
	switch {
	case strings.HasSuffix(v, "e"):
		return v + "d"
	case consonantY(v):
		return v[:len(v)-1] + "ied"
	case doubles(v):
		return v + v[len(v)-1:] + "ed"
	}
	return v + "ed"
}

func ing(v string) string {
	switch {
	case strings.HasSuffix(v, "e") && !endsIn(v, "ee", "ye"):
		return v[:len(v)-1] + "ing"
	case doubles(v) || endsIn(v, "win", "get", "begin"):
		return v + v[len(v)-1:] + "ing"
	}
	return v + "ing"
}

func endsIn(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

func consonantY(v string) bool {
	return strings.HasSuffix(v, "y") && len(v) > 1 && !strings.ContainsRune("aeiou", rune(v[len(v)-2]))
}

// doubles tells the few verbs of the lists that double their last letter.
func doubles(v string) bool {
	return endsIn(v, "ship", "drop", "plan", "commit", "quit", "run", "swim", "submit", "prefer")
}
