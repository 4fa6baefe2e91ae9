package trust

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on how words are compared with outside words.
const (
	passageTimes = 3  // a passage has so many words for each that is sought
	passageLeast = 24 // and at least so many
	mostOf       = 3  // of so many sought words
	areThere     = 2  // so many must be in a passage
	adds         = 2  // words that each of two sentences beside each other adds, to count as one
)

// Repeating reports whether most words of a text are those of outside words: of a sentence of it, most stand in one
// sentence of them, or in two beside each other. What a person said as much of in one turn is theirs.
func Repeating(text string, outside iter.Seq[string], turns []string) bool {
	var parts []map[string]bool
	var best []int
	all := 0
	for _, one := range sentences.Split(text) {
		if wanted := asSet(words.Query(one)); len(wanted) > 0 {
			parts, best = append(parts, wanted), append(best, 0)
			all += len(wanted)
		}
	}
	for passage := range outside {
		before := make([]map[string]bool, len(parts))
		for _, one := range sentences.Split(passage) {
			terms := words.Terms(one)
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
	repeated := 0
	for i, wanted := range parts {
		if best[i]*mostOf >= len(wanted)*areThere && best[i] > MostSaid(turns, slices.Collect(maps.Keys(wanted))) {
			repeated += len(wanted)
		}
	}
	return repeated*2 > all
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

// exposed returns which records that a record's author had been shown came from outside, and what its own words are
// to these. What it was shown is no source: it limits nothing but words that repeat it.
func (s *scoring) exposed(r *memory.Record, who string) (after []memory.ID, what ext.Exposure) {
	for _, id := range r.Header.Recalled {
		it := s.held[id]
		if it == nil { // another store holds it, or it was purged: who wrote this was shown it as external
			if s.gone[id].Kind != memory.KindRaw && s.Controller(r) == s.Root {
				after = append(after, id)
			}
			continue
		}
		if !s.decided(it) && (s.external(it.Record, who) || s.limit(it.Record, who).external) {
			after = append(after, id)
		}
	}
	if len(after) == 0 {
		return nil, ext.NotExposed
	}
	if what = ext.ExposureOf(r); what != ext.NotExposed {
		return after, what
	}
	said := memory.Whole(r.Body) // before programs kept what they found
	if raw, ok := r.Body.(*memory.Raw); ok {
		said = raw.Said()
	}
	outside := func(yield func(string) bool) {
		for _, id := range after {
			if it := s.held[id]; it != nil && !yield(OutsideText(it.Record)) {
				return
			}
		}
	}
	if Repeating(said, outside, nil) {
		return after, ext.Repeats
	}
	return after, ext.HadRead
}

// OutsideBefore returns which records that the author of a record had been shown came from outside.
func (e *Scores) OutsideBefore(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	s, err := e.Scoring(ctx, []*store.Item{it}, time.Time{}, false)
	if err != nil {
		return nil, err
	}
	after, _ := s.exposed(it.Record, s.Controller(it.Record))
	out := make([]*store.Item, 0, len(after))
	for _, id := range after {
		if held := s.held[id]; held != nil {
			out = append(out, held)
		}
	}
	return out, nil
}

// SourcesOf says in short where outside words come from, each place once.
func (e *Scores) SourcesOf(ctx context.Context, items []*store.Item) ([]string, error) {
	s, err := e.Scoring(ctx, items, time.Time{}, false)
	if err != nil {
		return nil, err
	}
	ids := make([]memory.ID, 0, len(items))
	for _, it := range core.Present(items) {
		ids = append(ids, it.Ref.ID)
	}
	return s.sources(ids), nil
}

// sources is SourcesOf. Of what one's own agent made of outside words these are the place.
func (s *scoring) sources(ids []memory.ID) (out []string) {
	seen := make(map[memory.ID]bool)
	for todo := ids; len(todo) > 0; todo = todo[1:] {
		id := todo[0]
		if seen[id] {
			continue
		}
		seen[id] = true
		name := OthersWords
		if it := s.held[id]; it != nil {
			l := unlimited
			if !s.external(it.Record, s.Root) {
				l = s.limit(it.Record, s.Controller(it.Record))
			}
			up := s.held[l.Ref.ID]
			switch {
			case len(l.after) > 0:
				todo = append(todo[:1:1], append(slices.Clone(l.after), todo[1:]...)...)
				continue
			case up != nil:
				name = s.SourceName(up.Record)
			default:
				name = s.SourceName(it.Record)
			}
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// OutsideText returns all that a record says which an agent was shown.
func OutsideText(r *memory.Record) string {
	if raw, ok := r.Body.(*memory.Raw); ok {
		return raw.Said()
	}
	return memory.Whole(r.Body)
}

// decided reports whether a person who has a say here approved a memory: what they approved is theirs from then on.
func (s *scoring) decided(it *store.Item) bool {
	if it.State.Review != state.ReviewApproved || it.Doubt != "" || s.foreign {
		return false
	}
	by := s.Ring.Principal(it.State.ReviewedBy)
	return by != "" && by == s.Root || s.Knows(by) && by != s.Ring.Voice(it.Record).Principal
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

// OthersWords names outside words of which no more is known.
const OthersWords = "words of others"

// SourceName says in short where outside words come from.
func (v *Context) SourceName(r *memory.Record) string {
	if from, is := strings.CutPrefix(r.Header.Provenance.Context, core.ContextOutside); is {
		return shorten.To(from, mostSource)
	}
	if raw, ok := r.Body.(*memory.Raw); ok && r.Header.Origin == memory.OriginTool {
		return core.Or(raw.Speaker, "a tool")
	}
	if r.Header.Origin == memory.OriginImport {
		return "an import"
	}
	return core.Or(v.NameOf(v.Controller(r)), OthersWords)
}

// mostSource is how many characters of a source a mark has.
const mostSource = 60
