package words

import (
	"strings"

	"github.com/kljensen/snowball/english"
	"sync"
)

// lemma returns the stem under which a word is kept whose forms no rule of
// stemming brings together: went is go. Any other keeps its stem.
func lemma(stem, word string) string {
	if base, ok := irregular()[word]; ok {
		return base
	}
	return stem
}

// irregular are the common verbs and nouns of English that are not formed by
// rule, each line the form to keep and the others. Left out are forms that are
// as often another word: left, saw as a tool, rose, bit, shot, wound, ground.
var irregular = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`
		go goes went gone
		buy bought
		see saw seen
		get got gotten
		make made
		take took taken
		give gave given
		find found
		think thought
		know knew known
		feel felt
		tell told
		say said
		meet met
		lose lost
		win won
		teach taught
		write wrote written
		speak spoke spoken
		begin began begun
		run ran
		come came
		become became
		bring brought
		build built
		catch caught
		choose chose chosen
		draw drew drawn
		drink drank drunk
		drive drove driven
		eat ate eaten
		fall fell fallen
		fly flew flown
		forget forgot forgotten
		grow grew grown
		hear heard
		hold held
		keep kept
		lead led
		lend lent
		mean meant
		pay paid
		ride rode ridden
		sell sold
		send sent
		sing sang sung
		sit sat
		sleep slept
		spend spent
		stand stood
		steal stole stolen
		swim swam swum
		throw threw thrown
		understand understood
		wake woke woken
		wear wore worn
		break broke broken
		blow blew blown
		fight fought
		freeze froze frozen
		hang hung
		hide hid hidden
		seek sought
		shake shook shaken
		show shown
		strike struck
		swear swore sworn
		tear tore torn
		child children
		man men
		woman women
		person people
		mouse mice
		foot feet
		tooth teeth
		wife wives
		knife knives
		life lives
		index indices
		vertex vertices
		good better best
		bad worse worst`) {
		forms := strings.Fields(line)
		if len(forms) == 0 {
			continue
		}
		base := english.Stem(forms[0], true)
		for _, form := range forms[1:] {
			m[form] = base
		}
	}
	return m
})
