package trust

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Rating is the reader's trust in one memory. It is computed only here, from verified records,
// and every operation takes its trust values from it.
type Rating struct {
	score.Result
	Facts    score.Facts
	Said     *sayings
	State    state.State // as it counts here: reviews by those who may review, and valid evidence
	Tier     state.Tier
	Doubt    store.Doubt // why nothing lifts it
	own      bool        // the reader's, or one of their agents'
	Member   bool        // by a member of its space for whom a keeper vouches whom the reader accepted
	External bool        // its words come from outside
	Tainted  bool        // something external is behind it, and no independent person confirms it
	Disputed bool        // by a witness that counts, or by its own author
	approved bool        // by a person who has a say here
	verified *verified   // where an agent verified it last
	bare     bool        // of all that it names as sources nothing counts any more
	stranger bool        // approved by somebody who has none
	Over     string      // that it does not hold now, in a few words
	By       string      // in a shared space: who wrote it and where, where another person did
	self     bool        // and that is who wrote it
	Outside  bool        // and so a reading here leaves it out: a person assigned it to that project
	Apart    string      // which other project it is of, or that it is of none, for a reader in one: "of no project"

	After []string // where the outside words come from that its author had been shown, unless a person approved it
	Held  bool     // it waits for a person because of them
	Words bool     // and its words are most of theirs

	Actionable bool // an agent may act on it without asking
	Upstream   []api.TrustUpstream
	Support    Support
	Fallen     map[memory.ID]string // what it names as a source and counts no longer, and why
}

// Rate returns the rating of each of some records. What counts here of their states is
// put into the items. Signatures were checked at the door; strict checks them again.
func (e *Scores) Rate(rd *Reading, items []*store.Item, strict bool) (map[memory.ID]*Rating, error) {
	return e.RateAt(rd, items, time.Time{}, strict)
}

// RateAt is Rate as of a time, for items as they were then; zero is now.
func (e *Scores) RateAt(
	rd *Reading, items []*store.Item, at time.Time, strict bool,
) (map[memory.ID]*Rating, error) {
	s, err := e.Scoring(rd, items, at, strict)
	if err != nil {
		return nil, err
	}
	return s.rateAll(items), nil
}

// RateVouched is Rate for one who needs no more than Section and Unbound of what nobody vouches
// for: what lies behind that cannot change them, and is read only where a memory that counts
// rests on it. Unread sources count as the worst, and so do the score, level and tier.
func (e *Scores) RateVouched(rd *Reading, items []*store.Item) (map[memory.ID]*Rating, error) {
	s, err := e.scoring(rd, time.Time{}, false)
	if err != nil {
		return nil, err
	}
	if err := s.gather(e, items, s.vouched); err != nil {
		return nil, err
	}
	return s.rateAll(items), nil
}

// vouched reports whether a memory may count: it is the reader's own, or a person approved it
// or may have confirmed it. No other gets above what is unverified, whatever lies behind it.
func (s *scoring) vouched(it *store.Item) bool {
	st := &it.State
	return st.Review == state.ReviewApproved || st.Confirms > 0 || !st.Due.IsZero() || !s.external(it.Record, s.Root) ||
		s.member(it.Record)
}

func (s *scoring) rateAll(items []*store.Item) map[memory.ID]*Rating {
	out := make(map[memory.ID]*Rating, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			if out[it.Ref.ID] == nil {
				out[it.Ref.ID] = s.Rate(it)
			}
			it.State, it.Tier = out[it.Ref.ID].State, &out[it.Ref.ID].Tier
		}
	}
	return out
}

// beyond returns all that a record says where its headline is not all of that.
func beyond(r *memory.Record) string {
	if text := memory.Whole(r.Body); text != r.Headline() {
		return text
	}
	return ""
}

// Rate returns the rating of one record.
func (s *scoring) Rate(it *store.Item) *Rating {
	r := it.Record
	f := s.facts(r)
	l := s.limit(r, s.Controller(r))
	decided := s.decided(it)
	if decided { // it is as if a person had said it
		l = &limit{Limit: unlimited.Limit, flawed: l.flawed}
	}
	if l.external {
		f.Limit = &l.Limit
	}
	out := &Rating{Result: s.score(f), Facts: f, Said: s.said, State: it.State, Doubt: it.Doubt}
	if out.verified = s.verified[r.ID]; out.verified.stands() { // an agent's word does not hide a person's
		out.State.AgentVerified, out.State.VerifiedBy = false, out.verified.person.Header.Author
	}
	out.External = s.external(r, s.Root) && !decided
	out.After = s.sources(l.after)
	out.Words = l.repeats
	out.Held = out.Words || len(l.after) > 0 && l.unsaid && Directs(r)
	out.By = s.writtenIn(r)
	out.Apart, out.Outside = s.apart(r, it.State.Project, s.Root)
	out.Tainted = out.Limited || out.External && out.ConfirmVoices == 0
	out.Disputed = out.DisputeVoices > 0 || slices.Contains(out.Flags, score.FlagRetracted)
	out.Member = it.Doubt == "" && !out.Disputed && s.member(r) && s.memberClean(r, map[memory.ID]bool{})
	for _, id := range l.flawed {
		up := s.held[id]
		out.Upstream = append(
			out.Upstream,
			api.TrustUpstream{Ref: up.Ref.String(), Headline: up.Record.Headline(), Text: beyond(up.Record), Why: s.flaw(up)},
		)
		if cites(r, id) {
			if out.Fallen == nil {
				out.Fallen = make(map[memory.ID]string)
			}
			out.Fallen[id] = s.flaw(up)
		}
	}
	s.review(it, out)
	out.State.AnyRaw, out.State.ReachesRaw = s.reaches(r)
	s.hold(it, out)
	rated := out.State
	from := len(r.Header.Provenance.From)
	out.bare = from > 0 && len(out.Fallen) == from
	if out.Support = (Support{from, from}); from > 1 {
		out.Support = s.support(r, out.Fallen)
	}
	switch {
	case out.bare: // nothing that it rests on is left for anybody to approve
		rated.Review = state.Initial(r).Review
	case out.approved:
		rated.Review = state.ReviewApproved
	}
	out.Tier = state.TierOf(r, &rated)
	confirmed := out.ConfirmVoices > 0 && out.Level.AtLeast(score.Attested) && !out.Tainted
	at := s.now
	if !s.at.IsZero() {
		at = s.at
	}
	out.Over = overAt(r, at)
	out.Actionable = out.State.Live() && out.Over == "" && out.Doubt == "" && out.Level != score.Rejected &&
		!out.Disputed && !s.foreign &&
		(out.approved && (!out.bare || binds(r)) || confirmed)
	return out
}

// review returns whether the review of a memory counts: the reader's does, and that of the
// people they introduced about others' memories. What a person typed about their own values,
// goals and drives is approved by that; a file that they import may be by anybody.
func (s *scoring) review(it *store.Item, out *Rating) {
	r := it.Record
	voice := s.Ring.Voice(r)
	out.own = voice.Principal != "" && voice.Principal == s.Root && !out.External
	if out.State.Review == state.ReviewApproved {
		by := s.Ring.Principal(out.State.ReviewedBy)
		if out.approved = s.decided(it); !out.approved {
			out.stranger, out.self = true, by != "" && by == voice.Principal
			out.State.Review = state.Initial(r).Review
			out.State.ReviewedBy, out.State.ReviewedAt = "", memory.Time{}
		}
		return
	}
	switch r.Header.Kind {
	case memory.KindValue, memory.KindGoal, memory.KindDrive:
		typed := out.own && voice.Owner && r.Header.Origin == memory.OriginOwner &&
			r.Header.Provenance.Context != core.EditContext
		out.approved = typed && out.State.Review == state.ReviewNone && !out.Tainted
	}
}

// hold caps scores that nothing may lift: an attachment cannot make an unknown key known, and
// the claims of a missing part are unknown.
func (s *scoring) hold(it *store.Item, out *Rating) {
	unknown := out.Facts.Signature == score.UnknownKey && out.ConfirmVoices == 0
	if (unknown || out.Doubt != "") && out.Level.AtLeast(score.Attested) {
		out.Level = score.Unverified
	}
	if out.Doubt == "" {
		return
	}
	if out.Doubt == store.Forged {
		out.Level = score.Rejected
	}
	out.approved = false
	out.State.AnyRaw, out.State.ReachesRaw = false, false
	if out.State.Review == state.ReviewApproved {
		out.State.Review = state.Initial(it.Record).Review
	}
}

const heldUntil = "held until "

// overAt says that what a memory says did not hold at a time; "" is that it did, or
// that it says nothing of times.
func overAt(r *memory.Record, at time.Time) string {
	h := &r.Header
	switch {
	case !h.ValidUntil.IsZero() && !at.Before(h.ValidUntil.Time()):
		return heldUntil + core.Day(h.ValidUntil)
	case !h.ValidFrom.IsZero() && at.Before(h.ValidFrom.Time()):
		return "holds from " + core.Day(h.ValidFrom)
	}
	return ""
}

// Counting returns, for each source behind a record, why it does not count; "" if it does,
// because every step on some path to it is valid.
func (s *scoring) Counting(root *memory.Record, items []*store.Item) map[memory.ID]string {
	out := make(map[memory.ID]string)
	reached := map[memory.ID]bool{}
	if root != nil {
		reached[root.ID] = true
		for todo := []*memory.Record{root}; len(todo) > 0; todo = todo[1:] {
			p := &todo[0].Header.Provenance
			for _, ref := range slices.Concat(p.From, p.Supersedes) {
				it := s.held[ref.ID]
				if reached[ref.ID] || it == nil || s.flaw(it) != "" {
					continue
				}
				reached[ref.ID] = true
				todo = append(todo, it.Record)
			}
		}
	}
	for _, it := range items {
		if it == nil || it.Record == nil || reached[it.Ref.ID] || s.held[it.Ref.ID] == nil {
			continue
		}
		why := s.flaw(it)
		if why == "" {
			why = "it supports only memories that do not count"
		}
		out[it.Ref.ID] = why
	}
	return out
}

// OutsideBefore returns which records that the author of a record had been shown came from outside.
func (e *Scores) OutsideBefore(rd *Reading, it *store.Item) ([]*store.Item, error) {
	s, err := e.Scoring(rd, []*store.Item{it}, time.Time{}, false)
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
func (e *Scores) SourcesOf(rd *Reading, items []*store.Item) ([]string, error) {
	s, err := e.Scoring(rd, items, time.Time{}, false)
	if err != nil {
		return nil, err
	}
	ids := make([]memory.ID, 0, len(items))
	for _, it := range core.Present(items) {
		ids = append(ids, it.Ref.ID)
	}
	return s.sources(ids), nil
}
