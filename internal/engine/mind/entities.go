package mind

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Entities lists the names that live memories are about. The speaker whom no one named, "my wife" and marks of secrets
// are left out: they are no names.
func (e *Mind) Entities(ctx context.Context, in api.EntitiesRequest) (api.EntitiesReply, error) {
	reply := api.EntitiesReply{Entities: []api.Entity{}}
	all := make(map[string]*naming)
	like := nameKey(in.Like)
	err := e.eachNamed(ctx, func(it *store.Item, names []string) {
		for _, name := range names {
			key := nameKey(name)
			if !strings.Contains(key, like) || extract.Nameless(key) {
				continue
			}
			n := all[key]
			if n == nil {
				n = &naming{key: key}
				all[key] = n
			}
			n.add(it, name)
		}
	})
	if err != nil {
		return reply, err
	}
	reply.Total = len(all)
	list := make([]*naming, 0, len(all))
	for _, n := range all {
		list = append(list, n)
	}
	slices.SortFunc(
		list, func(a, b *naming) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key)) },
	)
	limit := cmp.Or(in.Limit, views.DefaultLimit)
	if limit > 0 && len(list) > limit {
		list, reply.More = list[:limit], true
	}
	for _, n := range list {
		reply.Entities = append(reply.Entities, n.entity())
	}
	return reply, nil
}

// Entity shows what live memories say of a name.
func (e *Mind) Entity(ctx context.Context, in api.NameRequest) (api.EntityReply, error) {
	reply := api.EntityReply{About: []api.Memory{}}
	key := nameKey(in.Name)
	if key == "" {
		return reply, core.Invalid("name: is blank")
	}
	one := naming{key: key}
	var items []*store.Item
	_, err := e.standing.Gather(e.trust.Reading(ctx), store.Query{Has: standing.AboutName(in.Name), Oldest: true}, 0,
		func(it *store.Item) (bool, error) {
			for _, name := range namesOf(it.Record) {
				if nameKey(name) == key {
					one.add(it, name)
					items = append(items, it)
				}
			}
			return true, nil
		})
	if err != nil {
		return reply, err
	}
	if one.count == 0 {
		return reply, e.noSuchName(ctx, in.Name)
	}
	reply.Entity = one.entity()
	slices.SortStableFunc(
		items, func(a, b *store.Item) int { return standing.Happened(a.Record).Compare(standing.Happened(b.Record)) },
	)
	if limit := cmp.Or(in.Limit, views.DefaultLimit); limit > 0 && len(items) > limit {
		items, reply.More = items[len(items)-limit:], true
	}
	about, err := e.views.Views(e.trust.Reading(ctx), items...)
	if err != nil {
		return reply, err
	}
	reply.About = append(reply.About, about...)
	reply.Links, err = e.linksBetween(ctx, items)
	return reply, err
}

// noSuchName says that nothing is about a name, and which names hold it.
func (e *Mind) noSuchName(ctx context.Context, name string) error {
	near := make(map[string]string)
	if err := e.eachNamed(ctx, func(_ *store.Item, names []string) {
		for _, n := range names {
			if k := nameKey(n); near[k] == "" && strings.Contains(k, nameKey(name)) {
				near[k] = n
			}
		}
	}); err != nil {
		return err
	}
	const most = 5
	var others []string
	for _, n := range near {
		others = append(others, n)
	}
	slices.Sort(others)
	if len(others) == 0 {
		return core.NotFound("nothing is about %q; `entities` shows the names", shorten.To(name, 80))
	}
	return core.NotFound(
		"nothing is about %q; there is %s", shorten.To(name, 80),
		strings.Join(others[:min(len(others), most)], ", "),
	)
}

// linksBetween returns the links that tie some memories to each other.
func (e *Mind) linksBetween(ctx context.Context, items []*store.Item) ([]api.LinkView, error) {
	among := make(map[memory.ID]bool, len(items))
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i], among[it.Ref.ID] = it.Ref.ID, true
	}
	links, err := e.standing.Tying(e.trust.Reading(ctx), ids...)
	if err != nil {
		return nil, err
	}
	links = slices.DeleteFunc(links, func(it *store.Item) bool {
		l := it.Record.Body.(*memory.Link)
		return !it.State.Live() || !among[l.Source.ID] || !among[l.Target.ID]
	})
	return e.standing.LinkViews(e.trust.Reading(ctx), links)
}

// eachNamed returns the live memories of the spaces that are read that speak of names, each with these
// names once, in one pass.
func (e *Mind) eachNamed(ctx context.Context, do func(it *store.Item, names []string)) error {
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	for it, err := range e.Store.List(ctx, store.Query{Spaces: spaces, Oldest: true, Named: true}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if names := namesOf(it.Record); len(names) > 0 {
			do(it, names)
		}
	}
	return nil
}

// namesOf returns the names that a memory is about, each once: a relationship is about its
// person.
func namesOf(r *memory.Record) []string {
	names := r.Header.About
	if b, ok := r.Body.(*memory.Relationship); ok {
		names = append(slices.Clone(names), b.Name)
	}
	if len(names) < 2 {
		return names
	}
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		key := nameKey(name)
		was := seen[key]
		seen[key] = true
		return was
	})
}

// isAbout reports whether a record speaks of a name; a blank name is any.
func isAbout(r *memory.Record, name string) bool {
	key := nameKey(name)
	return key == "" || slices.ContainsFunc(namesOf(r), func(n string) bool { return nameKey(n) == key })
}

// nameKey is a name by which spellings are compared.
func nameKey(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// naming collects the memories that mention one name.
type naming struct {
	key         string
	spellings   []string // in the order they were met
	spelled     map[string]int
	kinds       map[string]int
	typ         string
	count       int
	first, last time.Time
	texts       []string // some of those in which the name stands: they tell its kind
}

// How much of how many texts is read to tell the kind of a name.
const (
	kindTexts = 4
	kindBytes = 300
)

func (n *naming) add(it *store.Item, name string) {
	if n.spelled == nil {
		n.spelled, n.kinds = make(map[string]int), make(map[string]int)
	}
	n.count++
	if n.spelled[name]++; n.spelled[name] == 1 {
		n.spellings = append(n.spellings, name)
	}
	n.kinds[string(it.Ref.Kind)]++
	if len(n.texts) < kindTexts {
		n.texts = append(n.texts, strings.Clone(shorten.To(it.Record.Words(), kindBytes)))
	}
	at := standing.Happened(it.Record)
	if n.first.IsZero() || at.Before(n.first) {
		n.first = at
	}
	if at.After(n.last) {
		n.last = at
	}
	if b, ok := it.Record.Body.(*memory.Relationship); ok && b.Type != "" && nameKey(b.Name) == n.key {
		n.typ = b.Type
	}
}

func (n *naming) entity() api.Entity {
	e := api.Entity{
		Type: n.typ, Count: n.count, Kinds: n.kinds, FirstSeen: memory.At(n.first).String(),
		LastSeen: memory.At(n.last).String(),
	}
	for _, name := range n.spellings {
		if n.spelled[name] > n.spelled[e.Name] {
			e.Name = name
		}
	}
	if e.Kind = n.typ; e.Kind != "person" && e.Kind != "organisation" {
		e.Kind = extract.KindOf(e.Name, n.texts)
	}
	return e
}
