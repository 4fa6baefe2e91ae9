package trust

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

type limitKey struct {
	id  memory.ID
	who string // whose memory rests on it
}

// limit is what the sources of a memory, and all behind them, are worth at most.
type limit struct {
	score.Limit
	external bool
	flawed   []memory.ID // disputed, quarantined or forgotten ones among them
	after    []memory.ID // outside words that an agent had been shown when it wrote this or what this rests on
	unsaid   bool        // and no person said there what it wrote
	repeats  bool        // and what it wrote is most of these words
}

// unlimited is of a record with nothing behind it.
var unlimited = &limit{Limit: score.Limit{Score: score.One, Level: score.Consensus}}

// limit returns what everything behind a record is worth at most to one who wrote
// what rests on it.
func (s *scoring) limit(r *memory.Record, who string) *limit {
	if len(behind(r)) == 0 {
		return unlimited
	}
	key := limitKey{r.ID, who}
	if l := s.limits[key]; l != nil {
		return l
	}
	l := new(limit)
	*l = *unlimited
	s.limits[key] = l // a lineage has no cycle; what was recalled cannot have one either
	for _, id := range r.Header.Provenance.Sources() {
		it := s.held[id]
		if it == nil {
			// not held, or purged and no words: no one can say what it was
			if s.gone[id].Kind != memory.KindRaw && cites(r, id) {
				l.lower(score.Limit{Level: score.Unverified, Ref: memory.Ref{Kind: kindCited(r, id), ID: id}, Missing: true})
			}
			continue
		}
		if s.flaw(it) != "" {
			l.flaw(id)
		}
		outside := s.external(it.Record, who)
		deeper := s.limit(it.Record, who)
		if s.decided(it) || (outside || deeper.external || len(deeper.after) > 0) && s.rewords(r, it.Record) {
			outside, deeper = false, &limit{flawed: deeper.flawed}
		}
		if of := ext.ExposureOf(r); of != ext.NotExposed && stated(it.Record) { // it is a part of what was said
			deeper = &limit{
				flawed: deeper.flawed, after: deeper.after, unsaid: of != ext.SaidThere, repeats: of == ext.Repeats,
			}
			if deeper.repeats {
				s.repeats(l, deeper.after)
			}
		}
		l.expose(deeper)
		if outside {
			l.rests(s, it)
		}
		for _, f := range deeper.flawed {
			l.flaw(f)
		}
		if deeper.external {
			l.lower(deeper.Limit)
		}
	}
	after, what := s.exposed(r, who)
	l.expose(&limit{after: after, unsaid: what != ext.NotExposed && what != ext.SaidThere, repeats: what == ext.Repeats})
	if what == ext.Repeats {
		s.repeats(l, after)
	}
	return l
}

// rests takes a record of outside words into account.
func (l *limit) rests(s *scoring, it *store.Item) {
	own := s.alone(it.Record)
	l.lower(score.Limit{Score: own.Score, Level: own.Level, Ref: it.Ref, Authors: []string{s.Controller(it.Record)}})
}

// repeats takes into account that words are most of those of some records.
func (s *scoring) repeats(l *limit, after []memory.ID) {
	for _, id := range after {
		if it := s.held[id]; it != nil {
			l.rests(s, it)
		} else {
			l.lower(score.Limit{Level: score.Unverified, Ref: memory.Ref{Kind: memory.KindRaw, ID: id}})
		}
	}
}

// expose takes into account what an agent had been shown.
func (l *limit) expose(o *limit) {
	for _, id := range o.after {
		if !slices.Contains(l.after, id) {
			l.after = append(l.after, id)
		}
	}
	l.unsaid, l.repeats = l.unsaid || o.unsaid, l.repeats || o.repeats
}

// lower takes a further limit into account.
func (l *limit) lower(o score.Limit) {
	if !l.external || o.Score < l.Score {
		l.Ref, l.Missing = o.Ref, o.Missing
	}
	l.external = true
	l.Score = min(l.Score, o.Score)
	if !o.Level.AtLeast(l.Level) {
		l.Level = o.Level
	}
	for _, a := range o.Authors {
		if a != "" && !slices.Contains(l.Authors, a) {
			l.Authors = append(l.Authors, a)
		}
	}
}

// An event is what the lineage of a record reaches through valid sources: captured words, and
// the runs that captured those which are evidence for the record.
type event struct {
	words bool
	runs  [2]string // two that differ are enough
	n     int
}

// add takes in words that a run captured. The words of a record's own run are its own text, and
// those of a statement are no evidence for it or for what is made of it.
func (ev *event) add(own, run string) {
	ev.words = true
	if (run == "" || run != own) && (ev.n == 0 || ev.n == 1 && ev.runs[0] != run) {
		ev.runs[ev.n] = run
		ev.n++
	}
}

// stated reports whether captured words are what an agent remembered: its own statement. It is evidence for nothing,
// whichever run makes a memory of it.
func stated(r *memory.Record) bool {
	said := r.Header.Provenance.Context
	return r.Header.Origin == memory.OriginAgent && (said == core.ContextRemember || said == core.ContextCorrect)
}

// states reports whether a record is what its author said: words of its own run are among its sources. Other words that
// it names with them, as `remember` with from does, are its lineage. They are no evidence that it says what they say.
func (s *scoring) states(r *memory.Record) bool {
	run := r.Header.Provenance.Run
	if strings.HasPrefix(run, core.ContextRemember+"/") { // also when its words were purged
		return true
	}
	return run != "" && slices.ContainsFunc(r.Header.Provenance.From, func(ref memory.Ref) bool {
		it := s.held[ref.ID]
		return ref.Kind == memory.KindRaw && it != nil && it.Record != nil && it.Record.Header.Provenance.Run == run
	})
}

// eventOf returns what the lineage of a record reaches. A purged record counts as the words
// that it was.
func (s *scoring) eventOf(r *memory.Record) *event {
	if ev := s.events[r.ID]; ev != nil {
		return ev
	}
	ev, own := new(event), r.Header.Provenance.Run
	s.events[r.ID] = ev // a lineage has no cycle
	statement := s.states(r)
	for _, ref := range r.Header.Provenance.From {
		if gone, purged := s.gone[ref.ID]; purged {
			if raw := ref.Kind == memory.KindRaw; gone.Kind == ref.Kind && raw && statement {
				ev.words = true
			} else if gone.Kind == ref.Kind {
				ev.add(own, "purged:"+ref.ID.String())
			}
			continue
		}
		it := s.held[ref.ID]
		if it == nil || it.Ref.Kind != ref.Kind || s.flaw(it) != "" {
			continue
		}
		if ref.Kind == memory.KindRaw {
			if statement || stated(it.Record) {
				ev.words = true
				continue
			}
			ev.add(own, it.Record.Header.Provenance.Run)
			continue
		}
		below := s.eventOf(it.Record)
		ev.words = ev.words || below.words
		for _, run := range below.runs[:below.n] {
			ev.add(own, run)
		}
	}
	return ev
}

// reaches reports whether there are words behind a record, and whether any are evidence for it.
func (s *scoring) reaches(r *memory.Record) (any, evidence bool) {
	ev := s.eventOf(r)
	return ev.words, ev.n > 0
}

func (l *limit) flaw(id memory.ID) {
	if !slices.Contains(l.flawed, id) {
		l.flawed = append(l.flawed, id)
	}
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
	outside := func(yield func(Passage) bool) {
		for _, id := range after {
			if it := s.held[id]; it != nil && !yield(s.passage(it.Record)) {
				return
			}
		}
	}
	if Repeating(said, outside, nil) {
		return after, ext.Repeats
	}
	return after, ext.HadRead
}

// passage returns the terms of a record that agents were shown, each worked out once: many were shown the same.
func (s *scoring) passage(r *memory.Record) Passage {
	p, known := s.passages[r.ID]
	if !known {
		p = PassageOf(OutsideText(r))
		if s.passages == nil {
			s.passages = map[memory.ID]Passage{}
		}
		s.passages[r.ID] = p
	}
	return p
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
				todo = slices.Insert(slices.Clone(todo), 1, l.after...)
				continue
			case up != nil:
				name = sourceName(up.Record, s.NameOf(s.Controller(up.Record)))
			default:
				name = sourceName(it.Record, s.NameOf(s.Controller(it.Record)))
			}
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
