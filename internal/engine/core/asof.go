package core

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// AsOf returns an item as it was known at a time; nil if no one knew of it. What
// was said of it later has not been said.
func (e *Core) AsOf(ctx context.Context, it *store.Item, at time.Time) (*store.Item, error) {
	if it.Record == nil || it.Record.Header.At.Time().After(at) {
		return nil, nil
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	p := &past{ctx: ctx, s: e.Store, at: at, known: make(map[memory.ID]*store.Item), ring: ring}
	if p.known[it.Ref.ID] = it; e.OfNoProject(it.Record.Header.Space) {
		p.reads = e.inPlace
	}
	state, err := store.Current(p, it.Record, at)
	if err != nil {
		return nil, err
	}
	then := *it
	then.State = state
	return &then, nil
}

// past is a store as it was at a time: store.Rows over what had been recorded.
type past struct {
	ctx   context.Context
	s     store.Store
	at    time.Time
	known map[memory.ID]*store.Item
	ring  *state.Keyring
	reads func(space string) bool // whose links count in other spaces too; nil is of none
}

var _ store.Rows = (*past)(nil)

func (p *past) item(id memory.ID) (*store.Item, error) {
	if it, ok := p.known[id]; ok {
		return it, nil
	}
	items, err := p.s.Get(p.ctx, id)
	if err != nil {
		return nil, err
	}
	if items[0] != nil && items[0].Doubt == store.Forged {
		items[0] = nil
	}
	p.known[id] = items[0]
	return items[0], nil
}

// Record returns what had been recorded by then.
func (p *past) Record(id memory.ID) (*memory.Record, error) {
	it, err := p.item(id)
	if err != nil || it == nil || it.Record == nil || it.Record.Header.At.Time().After(p.at) {
		return nil, err
	}
	return it.Record, nil
}

// Pointing returns the records that draw one of these arrows to id.
func (p *past) Pointing(id memory.ID, rels ...graph.Relation) ([]memory.ID, error) {
	edges, err := p.s.Edges(p.ctx, graph.Forward, id)
	var out []memory.ID
	for _, edge := range edges {
		if !slices.Contains(rels, edge.Rel) || slices.Contains(out, edge.From) {
			continue
		}
		from, err := p.item(edge.From)
		if err != nil {
			return nil, err
		}
		if from == nil || from.Record == nil || !slices.Contains(graph.Edges(from.Record), edge) {
			continue // the arrow is in no record
		}
		out = append(out, edge.From)
	}
	return out, err
}

// ByAuthor is not asked for by a look back.
func (p *past) ByAuthor(string) ([]memory.ID, error) { return nil, nil }

// State returns what follows now: what a record rests on does not change. Which
// of two rival revisions counts does, and is not said here.
func (p *past) State(id memory.ID) (state.State, bool, error) {
	it, err := p.item(id)
	if err != nil || it == nil {
		return state.State{}, false, err
	}
	s := it.State
	s.Outranked = false
	return s, true, nil
}

// PutState keeps nothing: the past is not written.
func (p *past) PutState(*memory.Record, state.State) error { return nil }

// Voices returns the present keyring: a key that was stolen since counts as stolen.
func (p *past) Voices() (state.Voices, error) {
	if p.reads != nil {
		return state.Within(p.ring, p.reads), nil
	}
	return p.ring, nil
}
