package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A proposal of a rule that ties only what agents of one owner wrote is let go when nobody took it up in so many
// sessions in which something was written.
const (
	sessionsToSettle = 10
	nobodyTookItUp   = "nobody took it up in ten sessions"
	contextLetGo     = "let go"
)

// lettingGo is the body of a job that lets one proposal go.
type lettingGo struct {
	Link    memory.Ref `json:"link"`
	Session string     `json:"session,omitempty"` // in which it is let go: it may still take it up, and does not count
}

// letGo lets the proposals of a space go that waited long enough, when the first memory of a session was written
// there. made are those that were just written. Each proposal is a job of its own: of several programs one does it.
// What goes wrong fails no writing: the next session does it.
func (e *Lifecycle) letGo(ctx context.Context, made []*memory.Record) {
	if e.C.ReadOnly {
		return
	}
	seen := make(map[string]bool)
	for _, r := range made {
		h := &r.Header
		if seen[h.Space] || h.Session == "" || !h.Kind.IsMemory() || h.Kind == memory.KindRaw {
			continue
		}
		seen[h.Space] = true
		if begins, err := e.begins(ctx, h.Space, h.Session, made); err != nil || !begins {
			continue
		}
		_ = e.letGoIn(ctx, h.Space, h.Session)
	}
}

func recordsOf(items []*store.Item) []*memory.Record {
	out := make([]*memory.Record, len(items))
	for i, it := range items {
		out[i] = it.Record
	}
	return out
}

// begins reports whether a session wrote nothing in a space before some memories.
func (e *Lifecycle) begins(ctx context.Context, space, session string, made []*memory.Record) (bool, error) {
	q := store.Query{
		Kinds: written(), Spaces: []string{space}, Session: session, Hidden: true, Limit: len(made) + 1,
	}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return false, core.Classify(err)
		}
		if !slices.ContainsFunc(made, func(r *memory.Record) bool { return r.ID == it.Ref.ID }) {
			return false, nil
		}
	}
	return true, nil
}

// written are the kinds that a session writes: captured words are kept for it by a hook.
func written() []memory.Kind {
	return slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool { return k == memory.KindRaw })
}

// letGoIn lets the proposals of a space go that waited long enough.
func (e *Lifecycle) letGoIn(ctx context.Context, space, session string) error {
	waiting, err := e.waitingLinks(ctx, space)
	if err != nil || len(waiting) == 0 {
		return err
	}
	long, err := e.waitedLong(ctx, space, session, waiting)
	if err != nil || len(long) == 0 {
		return err
	}
	b := store.Batch{}
	var keys []string
	for _, it := range long {
		j, err := e.NewJob(taskLetGo, "let-go/"+it.Ref.ID.String(), space, lettingGo{it.Ref, session})
		if err != nil {
			return err
		}
		b.Jobs, keys = append(b.Jobs, j), append(keys, j.Key)
	}
	if err := e.Append(ctx, b); err != nil {
		return core.Classify(err)
	}
	for _, key := range keys { // one that another program has does not keep the others
		if _, err := e.RunPending(ctx, WorkOrder{Keys: []string{key}, Now: true}); err != nil {
			return err
		}
	}
	return nil
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
		if ok && views.ByRule(l.Detector) && it.State.Review != state.ReviewApproved && !views.Applied(it) {
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
	ties, err := e.views.Ties(ctx, memory.Time{}, links)
	if err != nil {
		return nil, err
	}
	who, err := e.views.Waits(ctx)
	if err != nil {
		return nil, err
	}
	byRef := make(map[string]*store.Item, len(links))
	for _, it := range links {
		byRef[it.Ref.String()] = it
	}
	for i := range ties {
		t := &ties[i]
		if t.State != views.LinkOpen || t.Differs {
			continue
		}
		it := byRef[t.Ref]
		own, err := who.AgentsOwn(ctx, t.OldItem, t.NewItem)
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
	said, err := trust.Speaking(ctx, e.Store, core.IDsOf(core.RefsOf(out)), memory.KindMark)
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
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	me, err := e.OwnKeys()
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
		v := who.Voice(it.Record)
		if at := h.At.Time(); !v.Owner && v.Principal == me.Principal && !at.After(now) && at.After(last[h.Session]) {
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
	}, &memory.Mark{Of: &it.Ref, Verb: memory.Forget, Reason: nobodyTookItUp})
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
