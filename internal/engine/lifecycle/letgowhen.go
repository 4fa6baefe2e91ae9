package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// LetGo lets the proposals of a space go that waited long enough, when the first memory of a session was written
// there. made are those that were just written. Each proposal is a job of its own: of several programs one does it.
// What goes wrong fails no writing: the next session does it.
func (e *Lifecycle) LetGo(ctx context.Context, made []*memory.Record) {
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
