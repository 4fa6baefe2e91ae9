package recall

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// saidLater marks a person's turn that is newer than the memory above it and speaks of the same.
const saidLater = "said later, not reviewed"

// saidOtherwise marks a memory of which a person's later turn may say something else.
const saidOtherwise = "perhaps said otherwise since, "

// namesIt is how many words of the question a turn and a memory must share for the memory to be marked: with one they
// may speak of two things.
const namesIt = 2

// A laterTurn is a person's turn that is newer than the memory that answers best and speaks of the same.
type laterTurn struct {
	memory, turn *views.Found
	otherwise    bool // it does not say what the memory says, and names what is asked
}

// mark is what the memory is marked with.
func (l *laterTurn) mark() string {
	return saidOtherwise + views.Happened(l.turn.Record).Format("2006-01-02") + ": " + l.turn.Ref.Short()
}

// laterThan finds the newest turn after the memory that answers best in which the person said something with all the
// words of the question that the memory has: nothing newer about the same thing is hidden behind a memory.
func laterThan(query string, all []*views.Found, weak func(*views.Found) bool) *laterTurn {
	i := slices.IndexFunc(all, func(f *views.Found) bool { return f.Ref.Kind != memory.KindRaw && !weak(f) })
	if i < 0 {
		return nil
	}
	best := all[i]
	said := words.Query(views.Whole(best.Record))
	var shared []string
	for _, t := range words.Query(query) {
		if slices.Contains(said, t) {
			shared = append(shared, t)
		}
	}
	if len(shared) == 0 {
		return nil
	}
	since := views.Happened(best.Record)
	var out *laterTurn
	for _, f := range all {
		at := views.Happened(f.Record)
		if f.Ref.Kind != memory.KindRaw || !at.After(since) || out != nil && !at.After(views.Happened(out.turn.Record)) ||
			slices.Contains(best.Record.Header.Provenance.Sources(), f.Ref.ID) {
			continue
		}
		own, is := core.OwnWords(f.Record)
		if !is {
			continue
		}
		if has := stating(own, shared); has != nil {
			out = &laterTurn{best, f, len(shared) >= namesIt && slices.ContainsFunc(said, func(t string) bool {
				return !slices.Contains(has, t)
			})}
		}
	}
	return out
}

// stating returns the terms of a sentence of a text that asks nothing and has all of some terms, nil where there is
// none. What stands between fences is no sentence.
func stating(text string, terms []string) []string {
	var prose strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			prose.WriteString(part + "\n")
		}
	}
	for _, sentence := range sentences.Split(prose.String()) {
		if !sentences.Prose(sentence) || strings.HasSuffix(strings.TrimSpace(sentence), "?") {
			continue
		}
		has := words.Terms(sentence)
		if !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(has, t) }) {
			return has
		}
	}
	return nil
}
