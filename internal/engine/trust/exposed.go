package trust

import (
	"iter"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on how words are compared with outside words.
const (
	passageTimes = 3  // a passage has so many words for each that is sought
	passageLeast = 24 // and at least so many
	adds         = 2  // words that each of two sentences beside each other adds, to count as one

	leastToTheWord = 5 // words: fewer are said by chance
	nearly         = 6 // of so many words one may differ
)

// A Passage is a text as the terms of each of its sentences.
type Passage [][]string

// PassageOf returns the terms of a text.
func PassageOf(text string) Passage {
	var p Passage
	for _, one := range sentences.Split(text) {
		p = append(p, words.Terms(one))
	}
	return p
}

// Repeating reports whether most words of a text are those of outside words: of a sentence of it, most stand in one
// sentence of them, or in two beside each other. What a person said as much of in one turn is theirs.
func Repeating(text string, outside iter.Seq[Passage], turns []string) bool {
	parts, all := partsOf(text)
	repeated := 0
	for i, best := range standIn(parts, outside) {
		if 2*best > len(parts[i]) && best > MostSaid(turns, slices.Collect(maps.Keys(parts[i]))) {
			repeated += len(parts[i])
		}
	}
	return repeated*2 > all
}

// ToTheWord reports whether one passage says nearly all words of a text, each sentence in one of its own or in two
// beside each other. Of a few words that says nothing.
func ToTheWord(text string, p Passage) bool {
	parts, all := partsOf(text)
	said := 0
	for _, best := range standIn(parts, slices.Values([]Passage{p})) {
		said += best
	}
	return all >= leastToTheWord && said >= LeastToTheWord(all)
}

// LeastToTheWord is how many of some words a passage has at the least that says them to the word.
func LeastToTheWord(all int) int { return all - all/nearly }

// partsOf returns what the sentences of a text seek, and how many words that is.
func partsOf(text string) (parts []map[string]bool, all int) {
	for _, one := range sentences.Split(text) {
		if wanted := asSet(words.Query(one)); len(wanted) > 0 {
			parts = append(parts, wanted)
			all += len(wanted)
		}
	}
	return parts, all
}

// standIn returns how many words of each part stand in one sentence of a passage, or in two beside each other.
func standIn(parts []map[string]bool, passages iter.Seq[Passage]) []int {
	best := make([]int, len(parts))
	for passage := range passages {
		before := make([]map[string]bool, len(parts))
		for _, terms := range passage {
			for i, wanted := range parts {
				has := inPassage(terms, wanted)
				best[i] = max(best[i], len(has))
				if both := union(before[i], has); len(both)-len(has) >= adds && len(both)-len(before[i]) >= adds {
					best[i] = max(best[i], len(both))
				}
				before[i] = has
			}
		}
	}
	return best
}

// MostSaid returns how many of some words are in one of some turns, at most.
func MostSaid(turns []string, sought []string) (most int) {
	wanted := asSet(sought)
	for _, turn := range turns {
		n := 0
		for term := range asSet(words.Terms(turn)) {
			if wanted[term] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func asSet(terms []string) map[string]bool {
	out := make(map[string]bool, len(terms))
	for _, t := range terms {
		out[t] = true
	}
	return out
}

func union(a, b map[string]bool) map[string]bool {
	out := maps.Clone(b)
	for t := range a {
		out[t] = true
	}
	return out
}

// inPassage returns which of some terms stand close together, at most.
func inPassage(terms []string, wanted map[string]bool) (best map[string]bool) {
	size := max(passageTimes*len(wanted), passageLeast)
	in := make(map[string]int)
	best = make(map[string]bool)
	for i, term := range terms {
		if i >= size {
			if old := terms[i-size]; in[old] > 1 {
				in[old]--
			} else {
				delete(in, old)
			}
		}
		if wanted[term] {
			if in[term]++; len(in) > len(best) {
				best = asSet(slices.Collect(maps.Keys(in)))
			}
		}
	}
	return best
}

// OutsideText returns all that a record says which an agent was shown.
func OutsideText(r *memory.Record) string {
	if raw, ok := r.Body.(*memory.Raw); ok {
		return raw.Said()
	}
	return memory.Whole(r.Body)
}

// DirectTypes are the types of notes that tell an agent what to do.
func DirectTypes() []string { return []string{ConstraintType, "preference", "convention"} }

// DirectKinds are the kinds that tell an agent what to do or what to be like.
func DirectKinds() []memory.Kind {
	return []memory.Kind{memory.KindValue, memory.KindDrive, memory.KindPlaybook}
}

// Directs reports whether a memory is of these. After outside words such a one waits for a person.
func Directs(r *memory.Record) bool {
	note, is := r.Body.(*memory.Note)
	return is && slices.Contains(DirectTypes(), note.Type) || slices.Contains(DirectKinds(), r.Header.Kind)
}
