package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A proposal of a rule that ties only what agents of one owner wrote is let go when it was not settled within so many
// sessions in which something was written.
const (
	sessionsToSettle = 10
	notSettled       = "not settled within ten sessions"
	contextLetGo     = "let go"
)

// lettingGo is the body of a job that lets one proposal go.
type lettingGo struct {
	Link    memory.Ref `json:"link"`
	Session string     `json:"session,omitempty"` // in which it is let go: it may still take it up, and does not count
}

// written are the kinds that a session writes: captured words are kept for it by a hook.
func written() []memory.Kind {
	return slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool { return k == memory.KindRaw })
}

// waitingLinks returns the links of a space that rules made between agents' own memories, that are undecided, and of
// which nothing was said.
func (e *Lifecycle) waitingLinks(ctx context.Context, space string) ([]*store.Item, error) {
	shared, err := e.Shared(ctx)
	if err != nil || shared[space] {
		return nil, err // all who read it are asked
	}
	var made []*store.Item
	for it, err := range e.Store.List(ctx, store.Query{
		Kinds: []memory.Kind{memory.KindLink}, Spaces: []string{space}, Oldest: true,
	}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		l, ok := it.Record.Body.(*memory.Link)
		if ok && standing.ByRule(l.Detector) && it.State.Review != state.ReviewApproved && !standing.Applied(it) {
			made = append(made, it)
		}
	}
	return e.stillWaiting(ctx, made)
}

// stillWaiting returns those of some links of rules that wait for an agent.
func (e *Lifecycle) stillWaiting(ctx context.Context, links []*store.Item) (out []*store.Item, err error) {
	if len(links) == 0 {
		return nil, nil
	}
	ties, err := e.standing.Ties(e.trust.Reading(ctx), memory.Time{}, links)
	if err != nil {
		return nil, err
	}
	who, err := e.standing.Waits(e.trust.Reading(ctx))
	if err != nil {
		return nil, err
	}
	byRef := make(map[string]*store.Item, len(links))
	for _, it := range links {
		byRef[it.Ref.String()] = it
	}
	for i := range ties {
		t := &ties[i]
		if t.State != standing.LinkOpen || t.Differs {
			continue
		}
		it := byRef[t.Ref]
		own, err := who.AgentsOwn(e.trust.Reading(ctx), t.OldItem, t.NewItem)
		if err != nil {
			return nil, err
		}
		if own && who.ByAgent(it) {
			out = append(out, it)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	said, err := e.trust.Reading(ctx).Speaking(core.IDsOf(core.RefsOf(out)), memory.KindMark)
	if err != nil {
		return nil, err
	}
	about := make(map[memory.ID]bool) // somebody took it up, or took back that it was let go
	for _, m := range said {
		for _, ref := range memory.Subjects(m.Record.Body.(*memory.Mark)) {
			about[ref.ID] = true
		}
	}
	return slices.DeleteFunc(out, func(it *store.Item) bool { return about[it.Ref.ID] }), nil
}

// waitedLong returns those of some links since which this owner's agents wrote something in enough sessions: others
// than the one that made the link, and the one that asks. What counts is when records say that they were made, so
// that each store that has them counts the same.
func (e *Lifecycle) waitedLong(
	ctx context.Context, space, session string, links []*store.Item,
) ([]*store.Item, error) {
	oldest := links[0].Record.Header.At.Time()
	for _, it := range links {
		if at := it.Record.Header.At.Time(); at.Before(oldest) {
			oldest = at
		}
	}
	voice, err := e.voices(ctx)
	if err != nil {
		return nil, err
	}
	now, last := e.C.Now(), make(map[string]time.Time) // when each session wrote last
	for it, err := range e.Store.List(ctx, store.Query{
		Kinds: written(), Spaces: []string{space}, Hidden: true, After: oldest,
	}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil || it.Record.Header.Session == "" || it.Record.Header.Session == session {
			continue
		}
		h := &it.Record.Header
		v := voice(it.Record)
		if at := h.At.Time(); v.Mine && !v.Owner && !at.After(now) && at.After(last[h.Session]) {
			last[h.Session] = at
		}
	}
	return slices.DeleteFunc(slices.Clone(links), func(it *store.Item) bool {
		n, h := 0, &it.Record.Header
		for s, at := range last {
			if s != h.Session && at.After(h.At.Time()) {
				n++
			}
		}
		return n < sessionsToSettle
	}), nil
}

// letGo lets one proposal go, if it still waits.
func (w *Working) letGo(ctx context.Context, j *store.Job) (Outcome, error) {
	var l lettingGo
	if err := readBody(j, &l); err != nil {
		return Outcome{}, err
	}
	it, err := w.E.One(ctx, l.Link.ID)
	if err != nil || it == nil || it.Record == nil {
		return Outcome{note: "it is not held any more"}, err
	}
	waiting, err := w.E.stillWaiting(ctx, []*store.Item{it})
	if err == nil && len(waiting) > 0 {
		waiting, err = w.E.waitedLong(ctx, j.Space, l.Session, waiting)
	}
	if err != nil || len(waiting) == 0 {
		return Outcome{note: "it does not wait any more"}, err
	}
	mark, err := w.E.Sign(memory.Header{
		Origin: memory.OriginAgent, Space: j.Space, Session: l.Session, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: contextLetGo},
	}, &memory.Mark{Of: &it.Ref, Verb: memory.Forget, Reason: notSettled})
	return Outcome{Records: []*memory.Record{mark}, expect: []memory.ID{it.Ref.ID}}, err
}

// isLetGo reports whether a record is a mark that let a proposal go.
func isLetGo(r *memory.Record) bool {
	m, ok := r.Body.(*memory.Mark)
	return ok && m.Verb == memory.Forget && r.Header.Provenance.Context == contextLetGo
}

// letGo returns the marks that let a proposal go, nil of anything else.
func (u *undoing) letGo(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	if it.Ref.Kind != memory.KindLink || it.Record == nil || !it.State.Forgotten {
		return nil, nil
	}
	if may, err := u.e.May(ctx, it.Record); err != nil || !may {
		return nil, err
	}
	marks, err := u.marksOf(ctx, it.Ref, memory.Forget)
	return slices.DeleteFunc(marks, func(m *store.Item) bool { return !isLetGo(m.Record) }), err
}
