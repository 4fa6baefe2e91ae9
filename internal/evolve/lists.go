package evolve

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/words"
)

//go:embed words.txt
var wordsFile string

// lists are the words that the rules know, by the name of their list: a word, or several with blanks between, and what
// it is worth, or the number of the line for words of which each line is a group.
var lists = sync.OnceValue(func() map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	group := 0.0
	for line := range strings.Lines(wordsFile) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		if all[name] == nil {
			all[name] = map[string]float64{}
		}
		group++
		for word := range strings.FieldsSeq(rest) {
			word, worth, given := strings.Cut(word, "=")
			value := group
			if given {
				value, _ = strconv.ParseFloat(worth, 64)
			}
			all[name][strings.ReplaceAll(word, "_", " ")] = value
		}
	}
	for form, base := range bases() {
		if form != base {
			all["form"][form] = 1
		}
	}
	for _, name := range []string{
		"sole", "home", "job", "with", "today", "state", "role", "attribute", "numbered", "light", "plain",
	} {
		for w, v := range all[name] { // as keys, so that one form stands for all
			all[name][keyOf(w)] = v
		}
	}
	return all
})

// where are the lists by the words that stand in them. Several words that are read as one are in phrase too, and the
// first of them in begun.
var where = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for list, words := range lists() {
		for w := range words {
			all[w] = append(all[w], list)
			if first, _, more := strings.Cut(w, " "); more && slices.Contains(phrased, list) {
				all[w], all[first] = append(all[w], phrase), append(all[first], begun)
			}
		}
	}
	return all
})

const phrase, begun = "a phrase", "begins a phrase"

// phrased are the lists of what marks how something is said.
var phrased = strings.Fields("now also ended more instead since stop replace takes left over do says")

// Is reports whether a word stands in a list of the file of words.
func Is(list, word string) bool { return slices.Contains(where()[word], list) }

func (t token) is(list string) bool { return slices.Contains(t.in, list) }

// forms returns the forms of a regular English verb besides its base.
func forms(w string) []string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "e"):
		return []string{w + "s", w + "d"}
	case strings.HasSuffix(w, "y") && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return []string{w[:n-1] + "ies", w[:n-1] + "ied"}
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "x"),
		strings.HasSuffix(w, "o"):
		return []string{w + "es", w + "ed"}
	}
	double := w + w[n-1:]
	return []string{w + "s", w + "ed", double + "ed"}
}

// bases are the regular verbs by their forms.
var bases = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(wordsFile) {
		if rest, is := strings.CutPrefix(line, "verb "); is {
			for w := range strings.FieldsSeq(rest) {
				for _, form := range append(forms(w), w) {
					all[form] = w
				}
			}
		}
	}
	return all
})

// keyOf is what stands for all forms of a word, or of each of several.
func keyOf(text string) string {
	fields := strings.Fields(text)
	for i, w := range fields {
		if base, known := bases()[strings.ToLower(w)]; known {
			w = base
		}
		if terms := words.Terms(w); len(terms) == 1 {
			fields[i] = terms[0]
		}
	}
	return strings.Join(fields, " ")
}
