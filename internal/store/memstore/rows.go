package memstore

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// rows is the store as Refold sees it, under a lock already held.
type rows struct{ s *Store }

var _ store.Rows = rows{}

func (w rows) Record(id memory.ID) (*memory.Record, error) {
	if e := w.s.byID[id]; e != nil && !e.gone {
		return e.rec, nil
	}
	return nil, nil
}

func (w rows) Pointing(id memory.ID, rels ...graph.Relation) ([]memory.ID, error) {
	var out []memory.ID
	for _, edge := range w.s.forward(id) {
		if slices.Contains(rels, edge.Rel) && !slices.Contains(out, edge.From) {
			out = append(out, edge.From)
		}
	}
	return out, nil
}

func (w rows) ByAuthor(author string) ([]memory.ID, error) {
	var out []memory.ID
	for _, e := range w.s.log {
		if e.rec.Header.Author == author {
			out = append(out, e.rec.ID)
		}
	}
	return out, nil
}

func (w rows) State(id memory.ID) (state.State, bool, error) {
	if e := w.s.byID[id]; e != nil && e.state != nil {
		return *e.state, true, nil
	}
	return state.State{}, false, nil
}

func (w rows) PutState(r *memory.Record, s state.State) error {
	w.s.byID[r.ID].state = &s
	return nil
}

func (w rows) Voices() (state.Voices, error) { return w.s.keys, nil }

// forward returns the arrows that point at id, in the order of the log.
func (s *Store) forward(id memory.ID) []graph.Edge {
	return s.drawn(s.pointing[id])
}

// back returns the arrows that r draws, in the order it names them.
func (s *Store) back(r *memory.Record) []graph.Edge {
	return s.drawn(graph.Edges(r))
}

// drawn leaves out arrows that name another kind than the record's they point at.
func (s *Store) drawn(edges []graph.Edge) []graph.Edge {
	var out []graph.Edge
	for _, edge := range edges {
		to := s.byID[edge.To]
		if to == nil || store.Draws(s.byID[edge.From].rec, edge, to.rec.Header.Kind) {
			out = append(out, edge)
		}
	}
	return out
}

// stateOf returns the state now: a claim dated ahead may have come due since the
// last write.
func (s *Store) stateOf(e *entry) (state.State, error) {
	if e.state == nil {
		return state.Initial(e.rec), nil
	}
	now := s.now()
	if due := e.state.Due; !e.gone && !due.IsZero() && !now.Before(due.Time()) {
		return store.Current(rows{s}, e.rec, now)
	}
	return *e.state, nil
}

func (s *Store) item(e *entry) (*store.Item, error) {
	state, err := s.stateOf(e)
	it := &store.Item{Ref: e.rec.Ref(), Record: e.rec, State: state, Seq: e.seq, Came: e.came}
	if e.gone {
		it.Record, it.State.Purged = nil, true
	}
	return it, err
}
