package storetest

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// truth computes every state from all records at once, without the derived data of a store:
// the result that a store must reach, however the records arrived. Only the places in the log
// and the times of arrival come from the store.
type truth struct {
	byID  map[memory.ID]*memory.Record
	edges []graph.Edge
	who   *state.Keyring
	now   time.Time
}

func truthOf(rs []*memory.Record, places map[memory.ID]state.Arrival, keeper string, now time.Time) *truth {
	w := &truth{byID: make(map[memory.ID]*memory.Record), who: state.NewKeyring(rs...), now: now}
	w.who.KeptBy = keeper
	w.who.Arrived = func(id memory.ID) (state.Arrival, bool) {
		a, held := places[id]
		return a, held
	}
	logs := make(map[string]map[int64]memory.ID)
	for id, a := range places {
		if logs[a.Space] == nil {
			logs[a.Space] = make(map[int64]memory.ID)
		}
		logs[a.Space][a.Seq] = id
	}
	w.who.Agrees = func(space string, size int64, root string) bool {
		var f ledger.Frontier
		for i := range size {
			id, held := logs[space][i+1]
			if !held {
				return false
			}
			f.Append(ledger.Hash(id))
		}
		return ledger.EncodeHash(f.Root()) == root
	}
	for _, r := range rs {
		w.byID[r.ID] = r
	}
	for _, r := range w.byID {
		for _, e := range graph.Edges(r) {
			if to := w.byID[e.To]; to != nil && store.Draws(r, e, to.Header.Kind) {
				w.edges = append(w.edges, e)
			}
		}
	}
	return w
}

func (w *truth) state(r *memory.Record) state.State {
	about := w.about(r.ID)
	s, _ := state.FoldAmong(r, about, w.now, w.who, func(of memory.Ref) (*memory.Record, []*memory.Record, error) {
		return w.byID[of.ID], w.about(of.ID), nil
	})
	for _, raw := range w.below(r) {
		run := r.Header.Provenance.Run
		s.AnyRaw = true
		s.ReachesRaw = s.ReachesRaw || run == "" || raw.Header.Provenance.Run != run
	}
	heads := state.Heads(w.family(r), w.who)
	against := func(h *memory.Record) bool {
		s := state.Fold(h, w.about(h.ID), w.now, w.who)
		return s.Review == state.ReviewRejected || s.Quarantined || s.Forgotten
	}
	heads = append(slices.DeleteFunc(slices.Clone(heads), against), slices.DeleteFunc(slices.Clone(heads),
		func(h *memory.Record) bool { return !against(h) })...)
	if s.Outranked = slices.Contains(heads[1:], r); len(heads) > 1 && slices.Contains(heads, r) {
		for _, h := range heads {
			due := state.Fold(h, w.about(h.ID), w.now, w.who).Due
			if !due.IsZero() && (s.Due.IsZero() || due.Time().Before(s.Due.Time())) {
				s.Due = due
			}
		}
	}
	return s
}

// about returns all that is said of a record.
func (w *truth) about(id memory.ID) (out []*memory.Record) {
	for _, e := range w.edges {
		switch e.Rel {
		case graph.Speaks, graph.LinkSource, graph.LinkTarget, graph.Supersedes:
			if e.To == id {
				out = append(out, w.byID[e.From])
			}
		}
	}
	return out
}

// below returns the raws that the lineage of r reaches.
func (w *truth) below(r *memory.Record) []*memory.Record {
	var raws []*memory.Record
	seen := map[memory.ID]bool{r.ID: true}
	for todo := []memory.ID{r.ID}; len(todo) > 0; todo = todo[1:] {
		for _, e := range w.edges {
			if e.From != todo[0] || e.Rel != graph.DerivedFrom || seen[e.To] {
				continue
			}
			seen[e.To] = true
			todo = append(todo, e.To)
			if src := w.byID[e.To]; src.Header.Kind == memory.KindRaw {
				raws = append(raws, src)
			}
		}
	}
	return raws
}

// family returns r and all that is tied to it by rightful revisions.
func (w *truth) family(r *memory.Record) []*memory.Record {
	all := []*memory.Record{r}
	for i := 0; i < len(all); i++ {
		for _, e := range w.edges {
			from, to := w.byID[e.From], w.byID[e.To]
			if e.Rel != graph.Supersedes || !from.Header.Kind.IsMemory() || !state.May(w.who.Voice(from), to, w.who) {
				continue
			}
			if from == all[i] && !slices.Contains(all, to) {
				all = append(all, to)
			}
			if to == all[i] && !slices.Contains(all, from) {
				all = append(all, from)
			}
		}
	}
	return all
}

// holds asks that the store's states are the true ones.
func (p *place) holds(what string, rs []*memory.Record) {
	p.Helper()
	places := make(map[memory.ID]state.Arrival)
	items := p.get(rs...)
	for i, it := range items {
		places[it.Ref.ID] = state.Arrival{Space: rs[i].Header.Space, Seq: int64(it.Seq), At: it.Came}
	}
	w := truthOf(rs, places, p.keeper, p.clock())
	for i, it := range items {
		if got, want := shown(it.State), shown(w.state(rs[i])); got != want {
			p.Errorf("%s: state of %s (record %d)\n got %s\nwant %s", what, it.Ref.Short(), i, got, want)
		}
	}
}
