package recall

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// nothingKnown begins an answer in which nothing bears on the question.
const nothingKnown = "nothing is known that answers this; what follows only shares words with it"

// mostWeak is how many memories are given where none bears on the question.
const mostWeak = 2

// bearsOn tells what bears on a question from what only shares words with it. What does not bear on it is not given
// while something does.
type bearsOn struct {
	search   *searching
	none     bool            // nothing bears on it
	sessions map[string]bool // conversations in which something does: what stands beside it may answer
	weak     map[memory.ID]bool
	given    int
}

// bears looks at what was found and not left out.
func (p *packing) bears(said *packSettled) *bearsOn {
	b := &bearsOn{search: p.search, sessions: make(map[string]bool), weak: make(map[memory.ID]bool)}
	if p.search == nil {
		return b
	}
	b.none = true
	for _, f := range p.found {
		if f.Record == nil || said.dropped(f.Ref.ID) != "" {
			continue
		}
		if p.search.weak(f) && !said.answers[f.Ref.ID] {
			b.weak[f.Ref.ID] = true
			continue
		}
		b.none = false
		b.sessions[conversationOf(f.Record)] = true
	}
	return b
}

// takes reports whether something that was found is given.
func (b *bearsOn) takes(it *store.Item) bool {
	switch {
	case b.search == nil:
		return true
	case b.none:
		b.given++
		return b.given <= mostWeak
	case !b.weak[it.Ref.ID]:
		return true
	}
	in := conversationOf(it.Record)
	return in != "" && b.sessions[in]
}

// onlyBearing leaves out what does not bear on the question while something does. Where nothing does, it says so.
func onlyBearing(all []api.Result) (kept []api.Result, note string) {
	at, none := thoseThatBear(len(all), func(i int) (bool, string) {
		if all[i].Type != string(memory.KindRaw) {
			return all[i].Weak, ""
		}
		return all[i].Weak, all[i].Session
	})
	if none {
		note = nothingKnown
	}
	kept = make([]api.Result, len(at)) // programs are given a list, also where it is empty
	for n, i := range at {
		kept[n] = all[i]
	}
	return kept, note
}

// onlyWhatBears reports whether an answer gives only what bears on the question.
func (s *searching) onlyWhatBears() bool { return !s.in.All && !s.onlyRaws() && !s.browses() }

// bearing leaves out of what was found what does not bear on the question while something does.
func (s *searching) bearing(all []*views.Found) (kept []*views.Found) {
	at, _ := thoseThatBear(len(all), func(i int) (bool, string) {
		if all[i].Record == nil {
			return false, ""
		}
		session := ""
		if all[i].Ref.Kind == memory.KindRaw {
			session = all[i].Record.Header.Session
		}
		return s.weak(all[i]), session
	})
	for _, i := range at {
		kept = append(kept, all[i])
	}
	return kept
}

// thoseThatBear returns which of so many are given, by their places: what bears on the question, and what was said
// beside it. none is that nothing does.
func thoseThatBear(n int, look func(i int) (weak bool, session string)) (given []int, none bool) {
	sessions := make(map[string]bool)
	none = n > 0
	for i := range n {
		if weak, session := look(i); !weak {
			none = false
			sessions[session] = true
		}
	}
	for i := range n {
		weak, session := look(i)
		if !weak || none && i < mostWeak || !none && session != "" && sessions[session] {
			given = append(given, i)
		}
	}
	return given, none
}
