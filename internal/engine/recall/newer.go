package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// When two conversations are about one matter: what was said later first. Nobody decided between them.
const (
	wellEnough  = 0.4 // of the score of the best, at the least
	sameMatter  = 0.2 // of the words of the shorter, which both have and hardly another one
	fewWords    = 12  // too few to tell
	mostMatters = 8   // conversations that are compared
	others      = 1   // of them that have a word: it is no word of one matter
	leastOthers = 1   // beside the two: without, which words are rare cannot be said

	// Then words that say something are compared, by more.
	sameFew     = 0.3
	leastShared = 3
	shortWord   = 3 // letters

	leastCompared = searchLimit // results that are looked at, however few are asked for
)

// A matter is what was found of one conversation, or one capture that stands for itself.
type matter struct {
	name   string
	score  float64
	newest *standing.Found
	terms  map[string]bool
	says   map[string]bool // terms without those that say nothing by themselves
}

// newerFirst puts the newest first of the conversations, and of commits, that answer a question well and are about
// the same matter as the best of them.
func (s *searching) newerFirst(all []*standing.Found) []*standing.Found {
	if !s.comparesMatters() || len(all) < 2 || all[0].Ref.Kind != memory.KindRaw {
		return all
	}
	matters := mattersOf(all)
	if len(matters) < 2 {
		return all
	}
	best := matters[0]
	var newer []*matter
	for _, m := range matters[1:] {
		if m.score >= wellEnough*best.score && m.oneWith(best, matters) &&
			standing.Happened(m.newest.Record).After(standing.Happened(best.newest.Record)) {
			newer = append(newer, m)
		}
	}
	if len(newer) == 0 {
		return all
	}
	slices.SortStableFunc(newer, func(a, b *matter) int {
		return standing.Happened(b.newest.Record).Compare(standing.Happened(a.newest.Record))
	})
	place := func(f *standing.Found) int {
		at := slices.IndexFunc(newer, func(m *matter) bool { return m.name == matterOf(f) })
		if at < 0 {
			return len(newer)
		}
		return at
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b *standing.Found) int { return place(a) - place(b) })
	return out
}

// comparesMatters reports whether a later conversation about the same matter goes first.
func (s *searching) comparesMatters() bool { return !s.onlyRaws() && !s.browses() && s.gathers == nil }

// mattersOf returns the best conversations with the words that were found of them.
func mattersOf(all []*standing.Found) (out []*matter) {
	for _, f := range all {
		if f.Record == nil || f.Ref.Kind != memory.KindRaw {
			continue
		}
		name := matterOf(f)
		at := slices.IndexFunc(out, func(m *matter) bool { return m.name == name })
		if at < 0 {
			if len(out) == mostMatters {
				continue
			}
			at = len(out)
			out = append(out, &matter{
				name: name, score: rank.Score(f.Factors), newest: f, terms: make(map[string]bool), says: make(map[string]bool),
			})
		}
		m := out[at]
		if standing.Happened(f.Record).After(standing.Happened(m.newest.Record)) {
			m.newest = f
		}
		text := memory.Whole(f.Record.Body)
		for _, t := range words.Terms(text) {
			m.terms[t] = true
		}
		for _, t := range words.Query(text) {
			if len(t) >= shortWord {
				m.says[t] = true
			}
		}
	}
	return out
}

// oneWith reports whether two are about the same matter: they share words that hardly another one has.
func (m *matter) oneWith(o *matter, all []*matter) bool {
	if len(all) < 2+leastOthers {
		shared := 0
		for t := range m.says {
			if o.says[t] {
				shared++
			}
		}
		return shared >= leastShared && float64(shared) >= sameFew*float64(min(len(m.says), len(o.says)))
	}
	least := min(len(m.terms), len(o.terms))
	if least < fewWords {
		return false
	}
	shared := 0
	for t := range m.terms {
		if !o.terms[t] {
			continue
		}
		also := 0
		for _, x := range all {
			if x != m && x != o && x.terms[t] {
				also++
			}
		}
		if also < others {
			shared++
		}
	}
	return float64(shared) >= sameMatter*float64(least)
}

// matterOf names the conversation of a turn, or what stands for itself.
func matterOf(f *standing.Found) string {
	if f.Record != nil {
		if in := conversationOf(f.Record); in != "" {
			return in
		}
	}
	return f.Ref.String()
}
