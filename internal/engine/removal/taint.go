package removal

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Taint lists everything that rests on a record, on all of an author's, or on
// all that came from a source, with the way from there. It changes nothing.
func (e *Removal) Taint(ctx context.Context, in api.TaintRequest) (api.TaintReply, error) {
	reply := api.TaintReply{Target: in.Target, Roots: []string{}, Affected: []api.Affected{}, Survives: []api.Affected{},
		Followed: []api.Followed{}}
	target, err := e.spelled(ctx, in.Target)
	if err != nil {
		return reply, err
	}
	most := in.Limit
	switch {
	case most == 0:
		most = mostShown
	case most < 0:
		most = mostAffected
	}
	roots, err := e.roots(ctx, target, most)
	if err != nil {
		return reply, err
	}
	for _, r := range roots {
		reply.Roots = append(reply.Roots, r.String())
	}
	if len(roots) == most { // of further ones, only those can matter that derivations reach or leave
		if roots, err = e.tied(ctx, target); err != nil {
			return reply, err
		}
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
	reply.AffectedCount, reply.SurvivesCount = len(falls), len(stays)
	if reply.Affected, err = e.affected(ctx, b, ids, falls, most); err != nil {
		return reply, err
	}
	if reply.Survives, err = e.affected(ctx, b, ids, stays, most); err != nil {
		return reply, err
	}
	all := slices.Concat(ids, b.Order)
	followed, err := e.views.Followed(e.trust.Reading(ctx), all[:min(len(all), mostReaching)], min(most, mostFollowed))
	reply.Followed = append(reply.Followed, followed...)
	return reply, err
}

// Falling returns how many others a quarantine of several records would hide: what rests on nothing but them.
func (e *Removal) Falling(ctx context.Context, refs []string) (int, error) {
	ids := make([]memory.ID, len(refs))
	for i, ref := range refs {
		it, err := e.Lookup(ctx, ref)
		if err != nil {
			return 0, err
		}
		ids[i] = it.Ref.ID
	}
	b, err := lineage.Radius(ctx, e.Store, ids...)
	if err != nil {
		return 0, core.Classify(err)
	}
	n := 0
	for _, id := range b.Order {
		if !b.Survives[id] && !slices.Contains(ids, id) {
			n++
		}
	}
	return n, nil
}

const (
	mostFollowed = 1000   // commits that are named
	mostReaching = 10_000 // records of which it is asked which commits followed them
)

// mostAffected is more records than any store here holds.
const mostAffected = 1 << 40

type titled struct{ ref, headline string }

// titles returns refs and headlines of records.
func (e *Removal) titles(ctx context.Context, ids []memory.ID) (map[memory.ID]titled, error) {
	names := make(map[memory.ID]titled, len(ids))
	var todo []memory.ID
	for _, id := range ids {
		if _, asked := names[id]; !asked {
			names[id] = titled{id.String(), "(missing)"}
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
				names[part[i]] = titled{it.Ref.String(), standing.PurgedText}
			default:
				names[part[i]] = titled{it.Ref.String(), it.Record.Headline()}
			}
		}
	}
	return names, nil
}

// roots returns the records that a target names, so many at most. An author's records include
// those of the keys that the author delegated.
func (e *Removal) roots(ctx context.Context, target string, most int) ([]memory.Ref, error) {
	list, err := e.named(ctx, target, store.Query{Few: most})
	if err != nil {
		return nil, err
	}
	var roots []memory.Ref
	for ref, err := range list {
		if err != nil {
			return nil, err
		}
		if roots = append(roots, ref); len(roots) == most {
			break
		}
	}
	if len(roots) == 0 {
		return nil, core.NotFound("nothing here is by %s", target)
	}
	return roots, nil
}

// tied returns those of the records that a target names from which something was derived, or which were
// derived themselves, in the order of roots.
func (e *Removal) tied(ctx context.Context, target string) ([]memory.Ref, error) {
	list, err := e.named(ctx, target, store.Query{Tied: true})
	if err != nil {
		return nil, err
	}
	var roots []memory.Ref
	for ref, err := range list {
		if err != nil {
			return nil, err
		}
		roots = append(roots, ref)
	}
	return roots, nil
}

// named lists the records that a target names, as q asks for.
func (e *Removal) named(ctx context.Context, target string, q store.Query) (iter.Seq2[memory.Ref, error], error) {
	what, name, _ := strings.Cut(target, ":")
	if name == "" && (what == "author" || what == "source") {
		return nil, core.Invalid("target: name the %s after the colon", what)
	}
	wants, list := func(*memory.Record) bool { return true }, iter.Seq2[*store.Item, error](nil)
	switch q.Hidden, q.Oldest = true, true; what {
	case "author":
		q.Kinds = memory.Memories()
		list = e.wroteFor(ctx, name, q)
	case "source":
		wants = func(r *memory.Record) bool { return cameFrom(r, name) }
		q.Kinds, q.Says = []memory.Kind{memory.KindRaw}, name
		list = e.Store.List(ctx, q)
	default:
		it, err := e.Lookup(ctx, target)
		if err != nil {
			return nil, err
		}
		return func(yield func(memory.Ref, error) bool) { yield(it.Ref, nil) }, nil
	}
	return func(yield func(memory.Ref, error) bool) {
		for it, err := range list {
			switch {
			case err != nil:
				yield(memory.Ref{}, core.Classify(err))
				return
			case it.Record == nil || !wants(it.Record):
			case !yield(it.Ref, nil):
				return
			}
		}
	}, nil
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
