package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What begins an answer in which nothing bears on the question.
const (
	nothingKnown = "nothing is known that answers this; what follows only shares words with it"
	perhapsKnown = "nothing is known that answers this in these words; what follows may, in other words"
	unknown      = "nothing is known that answers this in these words"
)

// How many memories are given where no words bear on the question: of those that share words with it, and of those
// that meaning alone found. A search gives as many of the latter as it may give results.
const (
	mostWeak    = 2
	mostPerhaps = 3
)

// behind puts what meaning found after the first half of the rest, where words know the question.
func (s *searching) behind(all []*standing.Found) []*standing.Found {
	if s.known < wordsKnow {
		return all
	}
	return rank.Behind(all, func(f *standing.Found) bool { return s.fit(f) == fitPerhaps && f.C.Meaning > byMeaning })
}

// bearsOn tells what bears on a question from what only shares words with it. What does not bear on it is not given
// while something does; of what meaning found, the best.
type bearsOn struct {
	search   *searching
	none     bool            // nothing bears on it
	sessions map[string]bool // conversations in which something does: what stands beside it may answer
	fits     map[memory.ID]fit
	perhaps  int // given because of their meaning
	weak     int // given where nothing bears
}

// bears looks at what was found and not left out.
func (p *packing) bears(said *packSettled) *bearsOn {
	b := &bearsOn{search: p.search, sessions: make(map[string]bool), fits: make(map[memory.ID]fit)}
	if p.search == nil {
		return b
	}
	b.none = true
	for _, f := range p.found {
		if f.Record == nil || said.dropped(f.Ref.ID) != "" {
			continue
		}
		if fit := p.search.fit(f); fit != fitBears && !said.answers[f.Ref.ID] {
			b.fits[f.Ref.ID] = fit
			continue
		}
		b.none = false
		b.sessions[conversationOf(f.Record)] = true
	}
	return b
}

// takes reports whether something that was found is given, and as what.
func (b *bearsOn) takes(it *store.Item) (fit, bool) {
	if b.search == nil {
		return fitBears, true
	}
	fit := b.fits[it.Ref.ID]
	in := conversationOf(it.Record)
	switch {
	case fit == fitBears:
		return fit, true
	case in != "" && b.sessions[in]: // it stands beside what answers
		return fitBears, true
	case fit == fitPerhaps:
		b.perhaps++
		return fit, b.perhaps <= mostPerhaps
	case b.none:
		b.weak++
		return fit, b.weak <= mostWeak
	}
	return fit, false
}

// isWeak reports whether something that was found only shares words with the question.
func (b *bearsOn) isWeak(id memory.ID) bool { return b.fits[id] == fitWeak }

// note says first that nothing bears on the question.
func (b *bearsOn) note() string { return noteOf(b.none, b.perhaps > 0, b.weak > 0) }

func noteOf(none, perhaps, weak bool) string {
	switch {
	case none && perhaps:
		return perhapsKnown
	case none && weak:
		return nothingKnown
	}
	return ""
}

// resultFit is the fit of a result that is given, with the conversation that it is of.
func resultFit(r *api.Result) (fit, string) {
	session := ""
	if r.Type == string(memory.KindRaw) {
		session = r.Session
	}
	switch {
	case r.Perhaps:
		return fitPerhaps, session
	case r.Weak:
		return fitWeak, session
	}
	return fitBears, session
}

// onlyBearing leaves out what does not bear on the question while something does. Of what meaning found it gives so
// many at most, and apart after all that bears. Where nothing bears, it says so.
func onlyBearing(all []api.Result, most int, apart bool) (kept []api.Result, note string) {
	at, none := thoseThatBear(len(all), most, func(i int) (fit, string) { return resultFit(&all[i]) })
	kept = make([]api.Result, len(at)) // programs are given a list, also where it is empty
	perhaps := false
	for n, i := range at {
		kept[n] = all[i]
		perhaps = perhaps || all[i].Perhaps
	}
	if apart {
		place := func(r *api.Result) int {
			switch fit, _ := resultFit(r); {
			case fit == fitPerhaps:
				return 1
			case fit == fitWeak && none:
				return 2
			}
			return 0 // a turn stands where it was found beside what answers
		}
		slices.SortStableFunc(kept, func(a, b api.Result) int { return place(&a) - place(&b) })
	}
	return kept, noteOf(none, perhaps, len(at) > 0)
}

// onlyWhatBears reports whether an answer gives only what bears on the question.
func (s *searching) onlyWhatBears() bool {
	return !s.in.All && !s.onlyRaws() && !s.browses() && s.like == nil
}

// bearing leaves out of what was found what does not bear on the question while something does.
func (s *searching) bearing(all []*standing.Found) (kept []*standing.Found) {
	at, _ := thoseThatBear(len(all), len(all), func(i int) (fit, string) {
		if all[i].Record == nil {
			return fitBears, ""
		}
		session := ""
		if all[i].Ref.Kind == memory.KindRaw {
			session = all[i].Record.Header.Session
		}
		return s.fit(all[i]), session
	})
	for _, i := range at {
		kept = append(kept, all[i])
	}
	return kept
}

// thoseThatBear returns which of so many are given, by their places: what bears on the question, what was said beside
// it, and the best of what meaning found; what only shares words comes last, where nothing bears. none is that nothing
// does.
func thoseThatBear(n, most int, look func(i int) (fit, string)) (given []int, none bool) {
	sessions := make(map[string]bool)
	none = n > 0
	for i := range n {
		if fit, session := look(i); fit == fitBears {
			none = false
			sessions[session] = true
		}
	}
	var weak []int
	for i := range n {
		fit, session := look(i)
		switch {
		case fit == fitBears || session != "" && sessions[session]:
			given = append(given, i)
		case fit == fitPerhaps && most > 0:
			most--
			given = append(given, i)
		case fit == fitWeak && none && len(weak) < mostWeak:
			weak = append(weak, i)
		}
	}
	return append(given, weak...), none
}
