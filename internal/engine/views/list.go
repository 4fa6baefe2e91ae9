package views

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// DefaultLimit is how many records a list shows by default.
const DefaultLimit = 50

// List returns memories, the newest first.
func (e *Views) List(ctx context.Context, in api.ListRequest) (api.ListReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	reply := api.ListReply{Memories: []api.Memory{}}
	kinds, err := ListKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	if in.Unprocessed {
		kinds = []memory.Kind{memory.KindRaw}
	}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	q := store.Query{
		Kinds: kinds, Spaces: spaces, Session: in.Session, Hidden: in.All, Unused: in.Unprocessed, Oldest: in.Oldest,
	}
	switch { // of claims the index of words does not know all
	case slices.ContainsFunc(kinds, func(k memory.Kind) bool { return !k.IsMemory() }):
	case in.Tag != "":
		q.Mark = index.TagMark(in.Tag)
	case in.Type != "":
		q.Mark = index.TypeMark(in.Type)
	}
	give := in.Each
	if give == nil {
		give = func(some []api.Memory) error {
			reply.Memories = append(reply.Memories, some...)
			return nil
		}
	}
	if limit > 0 && in.Tag == "" && in.Type == "" {
		q.Few = limit + 1 // and whether there are more
	}
	var items []*store.Item
	n := 0
	show := func() error {
		some, err := e.listed(rd, &in, items)
		items = nil
		rd.Drop()
		if err == nil && len(some) > 0 {
			err = give(some)
		}
		return err
	}
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return reply, core.Classify(err)
		}
		if !listRequestWants(&in, it) {
			continue
		}
		if limit > 0 && n == limit {
			reply.More = true
			break
		}
		items, n = append(items, it), n+1
		if len(items) == shownAtOnce {
			if err := show(); err != nil {
				return reply, err
			}
		}
	}
	if err := show(); err != nil || n > 0 {
		return reply, err
	}
	return reply, e.KnownType(rd, in.Type, spaces)
}

// KnownType refuses a type that no memory of some spaces has, unless it is one that memories can always have.
func (e *Views) KnownType(rd *trust.Reading, of string, spaces []string) error {
	if of == "" || slices.Contains(memory.NoteTypes, of) || slices.Contains(memory.RelationshipTypes, of) {
		return nil
	}
	if k := memory.Kind(of); k.Known() {
		return core.Invalid("type: %s is a kind: give it as kind", of)
	}
	for it, err := range e.Store.List(rd, store.Query{
		Spaces: spaces, Kinds: memory.Memories(), Mark: index.TypeMark(of), Hidden: true,
	}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record != nil && typeOf(it.Record.Body) == of {
			return nil
		}
	}
	return core.Invalid("type: no memory here has the type %q; those of notes are %s", shorten.To(of, 40),
		strings.Join(memory.NoteTypes, ", "))
}

// listed shows some records as a list does.
func (e *Views) listed(rd *trust.Reading, in *api.ListRequest, items []*store.Item) ([]api.Memory, error) {
	if !in.Brief {
		return e.Views(rd, items...)
	}
	e.receipts.NoteOutside(rd, "list", items[:min(len(items), receipts.MostNoted)])
	var out []api.Memory
	for _, it := range items {
		m := View(it)
		m.Tier, m.Review, m.Source = "", "", ""
		out = append(out, m)
	}
	return out, nil
}

// shownAtOnce is how many records of a long list are rated together.
const shownAtOnce = 1000

// wants applies the filters that look inside a record.
func listRequestWants(in *api.ListRequest, it *store.Item) bool {
	if in.Tag == "" && in.Type == "" {
		return true
	}
	r := it.Record
	return r != nil && (in.Tag == "" || slices.Contains(r.Header.Tags, in.Tag)) &&
		(in.Type == "" || typeOf(r.Body) == in.Type)
}

func ListKinds(kind string) ([]memory.Kind, error) {
	if kind == "" {
		all := memory.Memories()
		return slices.DeleteFunc(all, func(k memory.Kind) bool { return k == memory.KindRaw }), nil
	}
	if k := memory.Kind(kind); k.Known() {
		return []memory.Kind{k}, nil
	}
	return nil, core.Invalid("kind: %q is not one of raw, %s", shorten.To(kind, 40), core.KindList())
}
