package removal

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Taint lists everything that rests on a record, on all of an author's, or on
// all that came from a source, with the way from there. It changes nothing.
func (e *Removal) Taint(ctx context.Context, in api.TaintRequest) (api.TaintReply, error) {
	reply := api.TaintReply{Target: in.Target, Roots: []string{}, Affected: []api.Affected{}, Survives: []api.Affected{}}
	_, roots, err := e.target(ctx, in.Target)
	if err != nil {
		return reply, err
	}
	most := in.Limit
	switch {
	case most == 0:
		most = mostShown
	case most < 0:
		most = len(roots) + mostAffected
	}
	for _, r := range roots[:min(most, len(roots))] {
		reply.Roots = append(reply.Roots, r.String())
	}
	ids := core.IDsOf(roots)
	b, err := lineage.Radius(ctx, e.Store, ids...)
	if err != nil {
		return reply, core.Classify(err)
	}
	var falls, stays []memory.ID
	for _, id := range b.Order {
		if b.Survives[id] {
			stays = append(stays, id)
		} else {
			falls = append(falls, id)
		}
	}
	reply.Falls, reply.Stays = len(falls), len(stays)
	if reply.Affected, err = e.affected(ctx, b, ids, falls, most); err != nil {
		return reply, err
	}
	reply.Survives, err = e.affected(ctx, b, ids, stays, most)
	return reply, err
}

// mostAffected is more records than any store here holds.
const mostAffected = 1 << 40

type named struct{ ref, headline string }

// named returns refs and headlines of records.
func (e *Removal) named(ctx context.Context, ids []memory.ID) (map[memory.ID]named, error) {
	names := make(map[memory.ID]named, len(ids))
	var todo []memory.ID
	for _, id := range ids {
		if _, asked := names[id]; !asked {
			names[id] = named{id.String(), "(missing)"}
			todo = append(todo, id)
		}
	}
	for part := range slices.Chunk(todo, core.ExportPage) {
		items, err := e.Store.Get(ctx, part...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for i, it := range items {
			switch {
			case it == nil:
			case it.Record == nil:
				names[part[i]] = named{it.Ref.String(), views.PurgedText}
			default:
				names[part[i]] = named{it.Ref.String(), it.Record.Headline()}
			}
		}
	}
	return names, nil
}

// roots returns the records that a target names. An author's records include those of the keys
// that the author delegated.
func (e *Removal) roots(ctx context.Context, target string) ([]memory.Ref, error) {
	what, name, _ := strings.Cut(target, ":")
	wants := func(*memory.Record) bool { return true }
	list := func() iter.Seq2[*store.Item, error] { return e.wroteFor(ctx, name, memory.Memories()) }
	switch what {
	case "author":
	case "source":
		wants = func(r *memory.Record) bool { return cameFrom(r, name) }
		list = func() iter.Seq2[*store.Item, error] {
			return e.Store.List(ctx, store.Query{
				Kinds: []memory.Kind{memory.KindRaw}, Hidden: true, Oldest: true, Says: name,
			})
		}
	default:
		it, err := e.Lookup(ctx, target)
		if err != nil {
			return nil, err
		}
		return []memory.Ref{it.Ref}, nil
	}
	if name == "" {
		return nil, core.Invalid("target: name the %s after the colon", what)
	}
	var roots []memory.Ref
	for it, err := range list() {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil && wants(it.Record) {
			roots = append(roots, it.Ref)
		}
	}
	if len(roots) == 0 {
		return nil, core.NotFound("nothing here is by %s", target)
	}
	return roots, nil
}

// cameFrom reports whether a raw came through a channel, from a speaker, in a
// session, or from an import of that name.
func cameFrom(r *memory.Record, name string) bool {
	raw, ok := r.Body.(*memory.Raw)
	if !ok {
		return false
	}
	return raw.Source == name || raw.Speaker == name || r.Header.Session == name ||
		slices.ContainsFunc(r.Header.Alias, func(a string) bool { return strings.HasPrefix(a, name+":") })
}
