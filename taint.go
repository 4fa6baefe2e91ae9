package stemma

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// TaintRequest names what may be false.
type TaintRequest struct {
	Target string `json:"target" jsonschema:"a ref, author:KEY or source:NAME"`
}

// TaintReply is what rests on something that may be false.
type TaintReply struct {
	Target   string     `json:"target"`
	Roots    []string   `json:"roots"`    // the records it names
	Affected []Affected `json:"affected"` // what would fall with them
	Survives []Affected `json:"survives"` // what also stands on independent sources
}

// Affected is one record that rests on a root, directly or not.
type Affected struct {
	Ref      string   `json:"ref"`
	Headline string   `json:"headline"`
	Path     []string `json:"path"`              // from the root to the record
	Grounds  []string `json:"grounds,omitempty"` // the independent sources it stands on
}

// Taint lists everything that rests on a record, on all of an author's, or on
// all that came from a source, with the way from there. It changes nothing.
func (e *Engine) Taint(ctx context.Context, in TaintRequest) (TaintReply, error) {
	reply := TaintReply{Target: in.Target, Roots: []string{}, Affected: []Affected{}, Survives: []Affected{}}
	roots, err := e.roots(ctx, in.Target)
	if err != nil {
		return reply, err
	}
	ids := make([]memory.ID, len(roots))
	for i, r := range roots {
		ids[i] = r.ID
		reply.Roots = append(reply.Roots, r.String())
	}
	if len(ids) == 0 {
		return reply, nil
	}
	b, err := lineage.Radius(ctx, e.store, ids...)
	if err != nil {
		return reply, sorted(err)
	}
	names, err := e.names(ctx, b, ids)
	if err != nil {
		return reply, err
	}
	for _, id := range b.Order {
		a := Affected{Ref: names[id].ref, Headline: names[id].headline}
		for _, step := range b.Path(id) {
			a.Path = append(a.Path, names[step].ref)
		}
		if !b.Survives[id] {
			reply.Affected = append(reply.Affected, a)
			continue
		}
		for _, g := range b.Grounds[id] {
			a.Grounds = append(a.Grounds, names[g].ref)
		}
		reply.Survives = append(reply.Survives, a)
	}
	return reply, nil
}

type named struct{ ref, headline string }

// names gives refs and headlines of everything a blast speaks of.
func (e *Engine) names(ctx context.Context, b *lineage.Blast, roots []memory.ID) (map[memory.ID]named, error) {
	ids := append(slices.Clone(roots), b.Order...)
	for _, g := range b.Grounds {
		ids = append(ids, g...)
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	names := make(map[memory.ID]named, len(ids))
	for i, it := range items {
		switch {
		case it == nil:
			names[ids[i]] = named{ids[i].String(), "(missing)"}
		case it.Record == nil:
			names[ids[i]] = named{it.Ref.String(), purgedText}
		default:
			names[ids[i]] = named{it.Ref.String(), it.Record.Headline()}
		}
	}
	return names, nil
}

// roots gives the records that a target names.
func (e *Engine) roots(ctx context.Context, target string) ([]memory.Ref, error) {
	what, name, _ := strings.Cut(target, ":")
	var wants func(*memory.Record) bool
	switch what {
	case "author":
		wants = func(r *memory.Record) bool { return r.Header.Author == name }
	case "source":
		wants = func(r *memory.Record) bool { return cameFrom(r, name) }
	default:
		it, err := e.resolve(ctx, target)
		if err != nil {
			return nil, err
		}
		return []memory.Ref{it.Ref}, nil
	}
	if name == "" {
		return nil, invalid("target: name the %s after the colon", what)
	}
	var roots []memory.Ref
	q := store.Query{Kinds: memory.Memories(), Hidden: true, Oldest: true}
	for it, err := range e.store.List(ctx, q) {
		if err != nil {
			return nil, sorted(err)
		}
		if it.Record != nil && wants(it.Record) {
			roots = append(roots, it.Ref)
		}
	}
	if len(roots) == 0 {
		return nil, notFound("nothing here is by %s", target)
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
