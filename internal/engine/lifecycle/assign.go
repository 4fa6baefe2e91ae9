package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SpaceAssign says which project memories are of that an earlier version kept for all: from then on only readings in
// that project give them. Their signed space stays, and with it what is exchanged.
func (e *Lifecycle) SpaceAssign(ctx context.Context, in api.AssignRequest) (api.AssignReply, error) {
	var reply api.AssignReply
	if err := e.OwnerOnly("say which project memories are of"); err != nil {
		return reply, err
	}
	var err error
	if reply.Space, err = e.projectNamed(in.Space); err != nil {
		return reply, err
	}
	items, err := e.ofNoProject(ctx, in)
	if err != nil {
		return reply, err
	}
	value := reply.Space
	if value == core.DefaultSpace {
		value = ""
	}
	items = slices.DeleteFunc(items, func(it *store.Item) bool { return it.State.Project == value })
	reply.Assigned = len(items)
	if len(items) == 0 {
		return reply, nil
	}
	marks, err := e.Marks(ctx, core.Marking{Verb: memory.Assign, Value: value, Reason: in.Reason}, items...)
	if err != nil {
		return reply, err
	}
	if err := e.Append(ctx, store.Batch{Records: marks}); err != nil {
		return reply, err
	}
	reply.Claim = marks[0].Ref().String()
	reply.Hint = "their signed space stays " + core.DefaultSpace + ": remotes exchange them with it, as before"
	return reply, nil
}

// projectNamed returns the local name of a project's space.
func (e *Lifecycle) projectNamed(space string) (string, error) {
	if space == "" {
		if e.C.Place == nil || e.C.Place.Here == "" {
			return "", core.Invalid("space: this is in no project; name the space of one")
		}
		space = core.Or(e.C.Place.Own, e.C.Place.Here)
	}
	if err := core.CheckSpace(space); err != nil || space == core.AllSpaces {
		return "", core.Invalid("space: must be the space of a project, got %q", space)
	}
	_, name, full := strings.Cut(space, "/")
	if !full {
		name = space
	}
	if name == core.MeSpace {
		return "", core.Invalid("space: %s is no project", core.MeSpace)
	}
	return name, nil
}

// ofNoProject returns the memories that are meant, which all lie in the reader's own main space.
func (e *Lifecycle) ofNoProject(ctx context.Context, in api.AssignRequest) ([]*store.Item, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	main := me.Principal + "/" + core.DefaultSpace
	if in.All == (len(in.Refs) > 0) {
		return nil, core.Invalid("refs: name memories, or give all for all that belong to no project")
	}
	if !in.All {
		items, err := e.ResolveAll(ctx, in.Refs)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			switch {
			case !it.Ref.Kind.IsMemory():
				return nil, core.Invalid("%s is not a memory but a %s", it.Ref.Short(), it.Ref.Kind)
			case it.Record == nil:
				return nil, core.Conflict("%s was purged", it.Ref.Short())
			case it.Record.Header.Space != main:
				return nil, core.Invalid("%s is in the space %s: only what lies in your space %s is of no project",
					it.Ref.Short(), it.Record.Header.Space, core.DefaultSpace)
			}
		}
		return e.withWords(ctx, items, main)
	}
	var items []*store.Item
	for it, err := range e.Store.List(ctx, store.Query{Kinds: memory.Memories(), Spaces: []string{main}, Hidden: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil && it.State.Project == "" {
			items = append(items, it)
		}
	}
	return items, nil
}

// withWords returns memories with the words that they are made of, where these lie in the same space.
func (e *Lifecycle) withWords(ctx context.Context, items []*store.Item, space string) ([]*store.Item, error) {
	var ids []memory.ID
	for _, it := range items {
		for _, ref := range it.Record.Header.Provenance.From {
			if ref.Kind == memory.KindRaw && !slices.Contains(ids, ref.ID) {
				ids = append(ids, ref.ID)
			}
		}
	}
	raws, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, raw := range core.Present(raws) {
		if raw.Record != nil && raw.Record.Header.Space == space &&
			!slices.ContainsFunc(items, func(it *store.Item) bool { return it.Ref == raw.Ref }) {
			items = append(items, raw)
		}
	}
	return items, nil
}
