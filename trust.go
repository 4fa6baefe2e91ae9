package stemma

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// vouched is how far one memory can be believed for who stands behind it.
type vouched struct {
	trust.Result
	facts      trust.Facts
	said       *sayings
	tainted    bool // something external is behind it, and nobody independent confirms it
	actionable bool // an agent may act on it without asking
	binds      bool // approved by the one who looks, or by somebody introduced to him
	upstream   []TrustUpstream
}

// scoring computes scores for one request.
type scoring struct {
	*vouching
	ctx    context.Context
	s      store.Store
	strict bool // check signatures too
	held   map[memory.ID]*store.Item
	said   *sayings
	own    map[memory.ID]trust.Result // before any limit
	limits map[limitKey]*limit
}

type limitKey struct {
	id  memory.ID
	who string // whose memory rests on it
}

// limit is what the sources of a memory, and all behind them, are worth at most.
type limit struct {
	trust.Limit
	external bool
	flawed   []memory.ID // disputed, quarantined or forgotten ones among them
}

// vouch tells how far each of some records can be believed. Signatures were
// checked when records came; strict checks them again.
func (e *Engine) vouch(ctx context.Context, items []*store.Item, strict bool) (map[memory.ID]*vouched, error) {
	v, err := e.vouching(ctx)
	if err != nil {
		return nil, err
	}
	s := &scoring{
		vouching: v, ctx: ctx, s: e.store, strict: strict, held: make(map[memory.ID]*store.Item),
		own: make(map[memory.ID]trust.Result), limits: make(map[limitKey]*limit),
	}
	if err := s.gather(items); err != nil {
		return nil, err
	}
	out := make(map[memory.ID]*vouched, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			out[it.Ref.ID] = s.vouch(it)
		}
	}
	return out, nil
}

// mostBehind bounds how many records behind those asked for are read. What is
// not read counts as the worst.
const mostBehind = 20_000

// gather reads all that stands behind items, and what is said of it.
func (s *scoring) gather(items []*store.Item) error {
	var todo []memory.ID
	asked := make(map[memory.ID]bool)
	add := func(it *store.Item) {
		s.held[it.Ref.ID] = it
		for _, id := range behind(it.Record) {
			if !asked[id] && s.held[id] == nil {
				asked[id] = true
				todo = append(todo, id)
			}
		}
	}
	all := make([]*store.Item, 0, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			all = append(all, it)
			add(it)
		}
	}
	for len(todo) > 0 && len(all) < mostBehind {
		level, err := s.s.Get(s.ctx, todo...)
		if err != nil {
			return sorted(err)
		}
		todo = nil
		for _, it := range level {
			if it != nil && it.Record != nil && s.held[it.Ref.ID] == nil {
				all = append(all, it)
				add(it)
			}
		}
	}
	var err error
	s.said, err = s.vouching.said(s.ctx, s.s, all, len(items) == 1)
	return err
}

// behind gives what a record rests on and what its author had been shown.
func behind(r *memory.Record) []memory.ID {
	return append(r.Header.Provenance.Sources(), r.Header.Recalled...)
}

// facts are those of one record, without what limits it.
func (s *scoring) facts(r *memory.Record) trust.Facts {
	voice, fault := s.ring.Judge(r)
	f := trust.Facts{
		Signature: trust.Valid, Author: voice.Principal, Reputation: s.reputation(voice.Principal), Introductions: s.graph,
	}
	switch {
	case s.strict && len(r.Sigs) > 0 && verify(r) != nil:
		f.Signature = trust.Invalid
	case r.Header.Origin == memory.OriginImport || len(r.Sigs) == 0:
		f.Signature = trust.Absent // the signature is the importer's, not of who said so
	case fault == memory.DelegationInvalid:
		f.Signature = trust.UnknownKey
	case fault != memory.Sound:
		f.Signature = trust.Revoked
	case !s.knows(voice.Principal):
		f.Signature = trust.UnknownKey
	}
	for _, w := range s.said.verdicts[r.ID] {
		f.Verdicts = append(f.Verdicts, w.Verdict)
	}
	for _, a := range s.said.anchors[r.ID] {
		f.Anchors = append(f.Anchors, a.Anchor)
	}
	return f
}

// alone is the score of a record without what limits it.
func (s *scoring) alone(r *memory.Record) trust.Result {
	if got, ok := s.own[r.ID]; ok {
		return got
	}
	got := trust.Score(s.facts(r), trust.Seed())
	s.own[r.ID] = got
	return got
}

// external reports whether a record's words come from outside of who wrote what
// rests on it, and of who looks.
func (s *scoring) external(r *memory.Record, who string) bool {
	if o := r.Header.Origin; o == memory.OriginImport || o == memory.OriginTool {
		return true
	}
	p := s.controller(r)
	return p == "" || p != who && p != s.root
}

// limit gives what everything behind a record is worth at most to one who wrote
// what rests on it.
func (s *scoring) limit(r *memory.Record, who string) *limit {
	key := limitKey{r.ID, who}
	if l := s.limits[key]; l != nil {
		return l
	}
	l := &limit{Limit: trust.Limit{Score: trust.One, Level: trust.Consensus}}
	s.limits[key] = l // a lineage has no cycle; what was recalled cannot have one either
	for _, id := range behind(r) {
		it := s.held[id]
		if it == nil {
			if cites(r, id) { // a source that is not held, or purged: nobody can say what it was
				l.lower(trust.Limit{Level: trust.Unverified, Ref: memory.Ref{Kind: kindCited(r, id), ID: id}})
			}
			continue
		}
		if s.flaw(it) != "" {
			l.flaw(id)
		}
		if s.external(it.Record, who) {
			own := s.alone(it.Record)
			l.lower(trust.Limit{Score: own.Score, Level: own.Level, Ref: it.Ref, Authors: []string{s.controller(it.Record)}})
		}
		deeper := s.limit(it.Record, who)
		for _, f := range deeper.flawed {
			l.flaw(f)
		}
		if deeper.external {
			l.lower(deeper.Limit)
		}
	}
	return l
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
func (l *limit) lower(o trust.Limit) {
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

// flaw says what is not as it should be with something behind a memory; "" is
// nothing. A dispute counts where its witness does.
func (s *scoring) flaw(it *store.Item) string {
	switch st := &it.State; {
	case st.Quarantined:
		return "quarantined"
	case st.Review == memory.ReviewRejected:
		return "rejected"
	case st.Disputes == 0:
		return ""
	}
	switch n := s.alone(it.Record).Disputes; n {
	case 0:
		return ""
	case 1:
		return "disputed"
	default:
		return fmt.Sprintf("disputed by %d witnesses", n)
	}
}

func (l *limit) flaw(id memory.ID) {
	if !slices.Contains(l.flawed, id) {
		l.flawed = append(l.flawed, id)
	}
}

// vouch scores one record.
func (s *scoring) vouch(it *store.Item) *vouched {
	f := s.facts(it.Record)
	l := s.limit(it.Record, s.controller(it.Record))
	if l.external {
		f.Limit = &l.Limit
	}
	out := &vouched{Result: trust.Score(f, trust.Seed()), facts: f, said: s.said}
	out.tainted = out.Limited || s.external(it.Record, s.root) && out.ConfirmVoices == 0
	for _, id := range l.flawed {
		up := s.held[id]
		out.upstream = append(out.upstream, TrustUpstream{up.Ref.String(), up.Record.Headline(), s.flaw(up)})
	}
	voice := s.ring.Voice(it.Record)
	// strangers approve of what is theirs as they like
	by := ""
	if it.State.Review == memory.ReviewApproved {
		by = s.ring.Principal(it.State.ReviewedBy)
	}
	out.binds = s.knows(by)
	approved := out.binds && by == s.root
	out.actionable = it.State.Live() && out.Level != trust.Rejected && (approved ||
		!out.tainted && (voice.Owner && voice.Principal == s.root || out.Level.AtLeast(trust.Attested)))
	return out
}
