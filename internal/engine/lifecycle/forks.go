package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// forks returns the memories of the spaces that are read that have rival revisions, no more than a
// number where that is above 0.
func (e *Lifecycle) forks(ctx context.Context, limit int) (out []api.ForkView, more bool, err error) {
	outranked, err := e.outranked(ctx)
	if err != nil || len(outranked) == 0 {
		return nil, false, err
	}
	base, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return nil, false, err
	}
	reads, err := e.Reads(ctx)
	if err != nil {
		return nil, false, err
	}
	seen := make(map[memory.ID]bool)
	for _, it := range outranked {
		if seen[it.Ref.ID] || !undecided(it) || !reads(it.Record.Header.Space) {
			continue
		}
		heads, err := e.rivals(ctx, it)
		if err != nil {
			return nil, false, err
		}
		for _, h := range heads {
			seen[h.Ref.ID] = true
		}
		if len(heads) < 2 {
			continue // the others were decided about
		}
		if limit > 0 && len(out) == limit {
			return out, true, nil
		}
		f := api.ForkView{Shown: forkEnd(heads[0], base)}
		for _, h := range heads[1:] {
			f.Siblings = append(f.Siblings, forkEnd(h, base))
		}
		out = append(out, f)
	}
	return out, false, nil
}

// outranked returns the revisions that are hidden because a rival is shown.
func (e *Lifecycle) outranked(ctx context.Context) ([]*store.Item, error) {
	hidden, err := store.HiddenOf(ctx, e.Store)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ids []memory.ID
	for _, h := range hidden {
		if h.Outranked || h.Due {
			ids = append(ids, h.ID)
		}
	}
	var out []*store.Item
	for part := range slices.Chunk(ids, core.ExportPage) {
		items, err := e.Store.Get(ctx, part...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, it := range items {
			if it != nil && it.Record != nil && it.State.Outranked {
				out = append(out, it)
			}
		}
	}
	return out, nil
}

// undecided reports whether no one has decided about a revision yet.
func undecided(it *store.Item) bool {
	s := &it.State
	return it.Record != nil && s.SupersededBy.IsZero() && !s.Forgotten && s.Review != state.ReviewRejected
}

// rivals returns the rival revisions of a memory, the shown one first.
func (e *Lifecycle) rivals(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	seen := map[memory.ID]bool{it.Ref.ID: true}
	all := []*store.Item{it}
	for level := []memory.ID{it.Ref.ID}; len(level) > 0; {
		next, err := e.rivalRevisions(ctx, level, seen)
		if err != nil {
			return nil, err
		}
		found, err := e.Store.Get(ctx, next...)
		if err != nil {
			return nil, core.Classify(err)
		}
		all, level = append(all, found...), next
	}
	all = slices.DeleteFunc(all, func(it *store.Item) bool { return it == nil || !undecided(it) })
	slices.SortStableFunc(all, func(a, b *store.Item) int {
		switch {
		case a.State.Outranked == b.State.Outranked:
			return a.Ref.ID.Compare(b.Ref.ID)
		case a.State.Outranked:
			return 1
		}
		return -1
	})
	return all, nil
}

func forkEnd(it *store.Item, base *trust.Context) api.LinkEnd {
	return api.LinkEnd{
		Ref: it.Ref.String(), Headline: it.Record.Headline(), Text: standing.Beyond(it.Record),
		Speaker: standing.Speaker(it.Record.Body), At: standing.At(it.Record),
		CreatedAt: it.Record.Header.At.String(), By: base.By(it.Record),
	}
}

// Forks counts the memories of the spaces that are read that have rival revisions, up to a number.
func (e *Lifecycle) Forks(ctx context.Context, most int) (int, error) {
	out, _, err := e.forks(ctx, most)
	return len(out), err
}

// resolveFork says a memory again in the place of all its rival revisions.
func (e *Lifecycle) resolveFork(ctx context.Context, it *store.Item, in api.ResolveRequest) (api.ResolveReply, error) {
	var reply api.ResolveReply
	heads, err := e.rivals(ctx, it)
	if err != nil {
		return reply, err
	}
	if len(heads) < 2 {
		return reply, core.Invalid(
			"%s has no revision beside it; `conflicts` lists what there is to decide about",
			it.Ref.Short(),
		)
	}
	if in.Merge == "" {
		return reply, core.Invalid(
			"merge: %s has %d rival revisions; give the text that replaces all of them", it.Ref.Short(),
			len(heads)-1,
		)
	}
	// the type of the words comes from the named revision, if it is still current
	if i := slices.IndexFunc(heads, func(h *store.Item) bool { return h.Ref == it.Ref }); i > 0 {
		heads[0], heads[i] = heads[i], heads[0]
	}
	var others []string
	for _, h := range heads[1:] {
		others = append(others, h.Ref.String())
	}
	w, err := e.Revise(
		ctx,
		api.ReviseRequest{Ref: heads[0].Ref.String(), Merge: others, From: others, Draft: api.Draft{Text: in.Merge}},
	)
	reply.Memory = &w
	return reply, err
}
