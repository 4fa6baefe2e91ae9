package trust

import (
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// scoring computes scores for one request.
type scoring struct {
	*Context
	rd     *Reading
	apart  func(r *memory.Record, assigned, me string) (of string, not bool)
	strict bool // check signatures too
	held   map[memory.ID]*store.Item
	said   *sayings
	own    map[memory.ID]score.Result // before any limit
	plain  map[plain]score.Result
	limits map[limitKey]*limit
	at     time.Time                // as of when, zero is now
	gone   map[memory.ID]memory.Ref // purged, by who may
	events map[memory.ID]*event
	// verified are those of items that an agent verified last.
	verified map[memory.ID]*verified
	by       map[memory.ID]string // who controls the key of each record
	passages map[memory.ID]Passage
}

// Controller is Context.Controller; it judges each record once.
func (s *scoring) Controller(r *memory.Record) string {
	p, known := s.by[r.ID]
	if !known {
		p = s.Context.Controller(r)
		s.by[r.ID] = p
	}
	return p
}

// behind returns what a record rests on and what its author had been shown.
func behind(r *memory.Record) []memory.ID {
	return append(r.Header.Provenance.Sources(), r.Header.Recalled...)
}

// facts are those of one record, without what limits it.
func (s *scoring) facts(r *memory.Record) score.Facts {
	voice, fault := s.Ring.Judge(r)
	f := score.Facts{
		Signature: score.Valid, Author: voice.Principal, Reputation: s.Reputation(voice.Principal), Introductions: s.graph,
	}
	switch {
	case s.strict && len(r.Sigs) > 0 && core.Verify(r) != nil:
		f.Signature = score.Invalid
	case r.Header.Origin == memory.OriginImport && !core.Mine(r) || len(r.Sigs) == 0:
		f.Signature = score.Absent // the signature is the importer's, not of who said so
	case fault == state.DelegationInvalid:
		f.Signature = score.UnknownKey
	case fault != state.Sound:
		f.Signature = score.Revoked
	case !s.Knows(voice.Principal):
		f.Signature = score.UnknownKey
	}
	for _, w := range s.said.Verdicts[r.ID] {
		f.Verdicts = append(f.Verdicts, w.Verdict)
	}
	for _, a := range s.said.Anchors[r.ID] {
		f.Anchors = append(f.Anchors, a.Anchor)
	}
	return f
}

// alone is the score of a record without what limits it.
func (s *scoring) alone(r *memory.Record) score.Result {
	if got, ok := s.own[r.ID]; ok {
		return got
	}
	got := s.score(s.facts(r))
	s.own[r.ID] = got
	return got
}

// plain are facts of what nobody spoke of and nothing limits: most records have the same.
type plain struct {
	signature  score.Signature
	reputation int
}

// score is the score of facts. That of plain ones is worked out once.
func (s *scoring) score(f score.Facts) score.Result {
	if len(f.Verdicts)+len(f.Anchors) > 0 || f.Limit != nil {
		return score.Score(f, score.Seed())
	}
	of := plain{f.Signature, f.Reputation}
	got, known := s.plain[of]
	if !known {
		got = score.Score(f, score.Seed())
		s.plain[of] = got
	}
	got.Flags, got.Terms = slices.Clip(got.Flags), slices.Clip(got.Terms)
	return got
}

// external reports whether a record's words come from outside of who wrote what
// rests on it, and of who looks.
func (s *scoring) external(r *memory.Record, who string) bool {
	if s.foreign {
		return true
	}
	if core.Elsewhere(r) {
		return true
	}
	p := s.Controller(r)
	return p == "" || p != who && p != s.Root
}

// rewords reports whether a person corrected a memory in words of their own, which they captured. The correction cites
// what it replaces, and that says nothing in it: where its words come from does not make the person's external. A
// revision is no such correction: who says on what they were told lifts nothing. Nor is one that any of the old
// texts is in.
func (s *scoring) rewords(r, old *memory.Record) bool {
	h := &r.Header
	if h.Origin != memory.OriginOwner || h.Provenance.Context != core.ContextCorrect ||
		!names(h.Provenance.Supersedes, old.ID) || !s.Ring.Voice(r).Owner || sharesText(r, old) {
		return false
	}
	return slices.ContainsFunc(h.Provenance.From, func(ref memory.Ref) bool {
		it := s.held[ref.ID]
		if it == nil || ref.Kind != memory.KindRaw || s.flaw(it) != "" || it.Record.Header.Origin != memory.OriginOwner {
			return false
		}
		v := s.Ring.Voice(it.Record)
		return v.Owner && v.Principal == s.Controller(r) && slices.Contains(textsIn(it.Record), foldedText(r.Headline()))
	})
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

func cites(r *memory.Record, id memory.ID) bool { return names(r.Header.Provenance.From, id) }

func kindCited(r *memory.Record, id memory.ID) memory.Kind {
	for _, ref := range r.Header.Provenance.From {
		if ref.ID == id {
			return ref.Kind
		}
	}
	return ""
}

// decided reports whether a person who has a say here approved a memory: what they approved is theirs from then on.
func (s *scoring) decided(it *store.Item) bool {
	if it.State.Review != state.ReviewApproved || it.Doubt != "" || s.foreign {
		return false
	}
	by := s.Ring.Principal(it.State.ReviewedBy)
	return by != "" && by == s.Root || s.Knows(by) && by != s.Ring.Voice(it.Record).Principal
}
