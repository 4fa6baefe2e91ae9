package recall

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// muchBetter is how many times as well captured words must answer to be given beside a memory
// that answers.
const muchBetter = 1.5

// memoriesFirst leaves out captured words where a memory answers, unless they answer much
// better: turns of a conversation, in which what was so once stands beside what is so now.
func memoriesFirst(query string, all []*views.Found, fit func(*views.Found) fit) []*views.Found {
	weak := func(f *views.Found) bool { return fit(f) != fitBears }
	aboveTurns(all, fit)
	best := 0.0
	for _, f := range all {
		if f.Ref.Kind != memory.KindRaw && !weak(f) {
			best = max(best, rank.Score(f.Factors))
		}
	}
	above, later := laterTurn(query, all, weak)
	out := slices.DeleteFunc(all, func(f *views.Found) bool {
		if f.Ref.Kind == memory.KindRaw && f.Replaces { // of what stands below it, the person said otherwise there
			if f.Marks = append(f.Marks, saidLater); f == later {
				later = nil
			}
			return false
		}
		return f == later || f.Ref.Kind == memory.KindRaw && rank.Score(f.Factors) <= muchBetter*best
	})
	if later != nil {
		later.Marks, later.Answers = append(later.Marks, saidLater), true
		out = slices.Insert(out, slices.Index(out, above)+1, later)
	}
	return out
}

// aboveTurns notes that memories answer which rank above each turn that bears on the question, where no memory bears on
// it: of a turn less is asked, and it must not take the place of what was remembered. What meaning put there answers
// nothing.
func aboveTurns(all []*views.Found, fit func(*views.Found) fit) {
	first := -1 // the turn that bears on it
	for i, f := range all {
		switch {
		case fit(f) != fitBears:
		case f.Ref.Kind != memory.KindRaw:
			return
		case first < 0:
			first = i
		}
	}
	for _, f := range all[:max(first, 0)] {
		f.Answers = f.Answers || f.Ref.Kind != memory.KindRaw && fit(f) == fitWeak
	}
}

// saidLater marks a person's turn that is newer than the memory above it and speaks of the same.
const saidLater = "said later, not reviewed"

// laterTurn returns the memory that answers best, and the newest turn after it in which the person said something with
// all the words of the question that the memory has: nothing newer about the same thing is hidden behind a memory.
func laterTurn(query string, all []*views.Found, weak func(*views.Found) bool) (best, later *views.Found) {
	i := slices.IndexFunc(all, func(f *views.Found) bool { return f.Ref.Kind != memory.KindRaw && !weak(f) })
	if i < 0 {
		return nil, nil
	}
	best = all[i]
	var shared []string
	has := words.Terms(views.Whole(best.Record))
	for _, t := range words.Query(query) {
		if slices.Contains(has, t) {
			shared = append(shared, t)
		}
	}
	if len(shared) == 0 {
		return best, nil
	}
	since := views.Happened(best.Record)
	for _, f := range all {
		if f.Ref.Kind != memory.KindRaw || !views.Happened(f.Record).After(since) ||
			later != nil && !views.Happened(f.Record).After(views.Happened(later.Record)) ||
			slices.Contains(best.Record.Header.Provenance.Sources(), f.Ref.ID) {
			continue
		}
		if own, is := core.OwnWords(f.Record); is && states(own, shared) {
			later = f
		}
	}
	return best, later
}

// states reports whether one sentence of a text that asks nothing has all of some terms. What stands between fences is
// no sentence.
func states(text string, terms []string) bool {
	var prose strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			prose.WriteString(part + "\n")
		}
	}
	text = prose.String()
	return slices.ContainsFunc(sentences.Split(text), func(sentence string) bool {
		if !sentences.Prose(sentence) || strings.HasSuffix(strings.TrimSpace(sentence), "?") {
			return false
		}
		has := words.Terms(sentence)
		return !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(has, t) })
	})
}
