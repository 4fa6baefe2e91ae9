package words

import (
	"strings"
	"sync"
)

// isStopWord reports whether a folded word, not stemmed, says nothing about what a question looks for.
func isStopWord(word []byte) bool {
	_, ok := stopWords()[string(word)]
	return ok
}

// Stop reports whether a word says nothing by itself.
func Stop(word string) bool { return isStopWord([]byte(strings.ToLower(word))) }

// stopWords are articles, pronouns, auxiliaries, conjunctions, question words and the prepositions
// that say least. Left out on purpose are those that may be the point of a technical question:
// before, after, off, down, up, over, under, against, without; and the month of May.
var stopWords = sync.OnceValue(func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq(`
		a an the this that these those
		i me my mine myself we us our ours ourselves you your yours yourself yourselves
		he him his himself she her hers herself it its itself they them their theirs themselves
		one someone something anyone anything
		am is are was were be been being do does did doing done have has had having
		can could shall should will would might must ought
		arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shouldnt wasnt werent
		wont wouldnt aint
		and or but nor if then else so than because as while though although
		not no yes
		of to in on at by for from with into onto about between through
		what when where which who whom whose why how
		there here any some each both all more most other such same own too very just also only again
		ever once now`) {
		m[w] = struct{}{}
	}
	return m
})
