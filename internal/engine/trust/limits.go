package trust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
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
}

// unlimited is of a record with nothing behind it.
var unlimited = &limit{Limit: score.Limit{Score: score.One, Level: score.Consensus}}

// limit returns what everything behind a record is worth at most to one who wrote
// what rests on it.
func (s *scoring) limit(r *memory.Record, who string) *limit {
	ids := behind(r)
	if len(ids) == 0 {
		return unlimited
	}
	key := limitKey{r.ID, who}
	if l := s.limits[key]; l != nil {
		return l
	}
	l := new(limit)
	*l = *unlimited
	s.limits[key] = l // a lineage has no cycle; what was recalled cannot have one either
	for _, id := range ids {
		it := s.held[id]
		if it == nil {
			shown := slices.Contains(r.Header.Recalled, id) && s.Controller(r) == s.Root // by another store: see recalled
			// not held, or purged and no words: no one can say what it was
			if s.gone[id].Kind != memory.KindRaw && (cites(r, id) || shown) {
				l.lower(score.Limit{Level: score.Unverified, Ref: memory.Ref{Kind: kindCited(r, id), ID: id}})
			}
			continue
		}
		if s.flaw(it) != "" {
			l.flaw(id)
		}
		outside := s.external(it.Record, who) && !s.adopted(it)
		deeper := s.limit(it.Record, who)
		if (outside || deeper.external) && s.rewords(r, it.Record) {
			outside, deeper = false, &limit{flawed: deeper.flawed}
		}
		if outside {
			own := s.alone(it.Record)
			l.lower(score.Limit{Score: own.Score, Level: own.Level, Ref: it.Ref, Authors: []string{s.Controller(it.Record)}})
		}
		for _, f := range deeper.flawed {
			l.flaw(f)
		}
		if deeper.external {
			l.lower(deeper.Limit)
		}
	}
	return l
}

// adopted reports whether a person with a say here approved what they imported: it is their word then, comes from
// outside no more, and taints nothing.
func (s *scoring) adopted(it *store.Item) bool {
	if it.State.Review != state.ReviewApproved || it.Doubt != "" || it.Record.Header.Origin != memory.OriginImport ||
		s.foreign {
		return false
	}
	author, by := s.Controller(it.Record), s.Ring.Principal(it.State.ReviewedBy)
	return author != "" && author == s.Root && by != "" && (by == s.Root || s.Knows(by))
}

func cites(r *memory.Record, id memory.ID) bool { return names(r.Header.Provenance.From, id) }

func kindCited(r *memory.Record, id memory.ID) memory.Kind {
	for _, ref := range r.Header.Provenance.From {
		if ref.ID == id {
			return ref.Kind
		}
	}
	return ""
}

// lower takes a further limit into account.
func (l *limit) lower(o score.Limit) {
	if !l.external || o.Score < l.Score {
		l.Ref = o.Ref
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

// flaw says why a memory does not count as a source any more; "" is that it does. A
// dispute counts where its witness does.
func (s *scoring) flaw(it *store.Item) string {
	switch st := &it.State; {
	case it.Doubt == store.Forged:
		return "its signature does not hold"
	case st.Quarantined:
		return "quarantined"
	case st.Review == state.ReviewRejected:
		return "rejected"
	case st.Disputes == 0:
		return ""
	}
	own := s.alone(it.Record)
	switch n := own.Disputes; {
	case n == 0:
		return ""
	case slices.Contains(own.Flags, score.FlagRetracted):
		return "retracted by its author"
	case n == 1:
		return "disputed"
	default:
		return fmt.Sprintf("disputed by %d witnesses", n)
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
