package storetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// dump writes down all that a store says about records, held or not, so that
// two stores, or one at two times, can be compared line by line.
func dump(t testing.TB, s store.Store, rs []*memory.Record) []string {
	t.Helper()
	ctx := t.Context()
	var out []string
	line := func(err error, format string, args ...any) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
		}
		out = append(out, fmt.Sprintf(format, args...))
	}
	st, err := s.Stats(ctx)
	st.Bytes = 0
	line(err, "stats %+v", st)
	spaces, err := s.Spaces(ctx)
	line(err, "spaces %v", spaces)
	for _, space := range spaces {
		n, err := store.Tally(ctx, s, []string{space.Name})
		maps.DeleteFunc(n, func(_ memory.Kind, n int) bool { return n == 0 })
		line(err, "tally of %s %v", space.Name, n)
		log, err := s.Since(ctx, space.Name, 0, len(rs)+1)
		line(err, "log of %s %v", space.Name, log)
		tree, err := s.Tree(ctx, space.Name)
		line(err, "tree of %s %d %s", space.Name, tree.Size(), ledger.EncodeHash(tree.Root()))
		for _, q := range []store.Query{
			{}, {Oldest: true, Hidden: true}, {Unused: true}, {Limit: 5}, {Kinds: memory.Claims(), Hidden: true},
			{Kinds: []memory.Kind{memory.KindBelief, memory.KindMark}},
		} {
			q.Spaces = []string{space.Name}
			var ids []memory.ID
			for it, err := range s.List(ctx, q) {
				if err != nil {
					t.Fatalf("List(%+v): %v", q, err)
				}
				ids = append(ids, it.Ref.ID)
			}
			line(nil, "list %+v %v", q, short(ids))
		}
	}
	quick, err := hidden(ctx, s)
	line(err, "hidden %v", quick)
	slow, err := hidden(ctx, struct{ store.Store }{s}) // from its lists
	if err != nil || !slices.Equal(quick, slow) {
		t.Errorf("the tables hide %v, the lists %v, %v", quick, slow, err)
	}
	items, err := s.Get(ctx, idsOf(rs)...)
	line(err, "items %d", len(items))
	for _, r := range rs {
		refs, err := store.ReplacedBy(ctx, s, r.ID, len(rs))
		if want := replaced(rs, items, r); err != nil || refs != nil && !slices.Equal(refsInOrder(refs), want) {
			t.Errorf("%s replaces %v, want %v, %v", r.ID.Short(), refsInOrder(refs), want, err)
		}
	}
	any, err := store.AnyRejected(ctx, s)
	if err != nil || !any && slices.ContainsFunc(items, func(it *store.Item) bool {
		return it != nil && it.State.Review == state.ReviewRejected
	}) {
		t.Errorf("there is a rejected memory, and the tables say there is none: %v", err)
	}
	for i, r := range rs {
		if it := items[i]; it != nil {
			line(
				nil, "%s seq %d came %d bytes %v state %s", it.Ref, it.Seq, it.Came.UnixMilli(),
				it.Record != nil, shown(it.State),
			)
		} else {
			line(nil, "%s is not held", r.Ref())
		}
		back, err := s.Edges(ctx, graph.Back, r.ID)
		line(err, "back of %s %v", r.Ref().Short(), arrows(back))
		forward, err := s.Edges(ctx, graph.Forward, r.ID)
		line(err, "forward of %s %v", r.Ref().Short(), perSpace(rs, forward))
		const digits = 3
		refs, err := s.Resolve(ctx, "", r.ID.String()[:digits], len(rs))
		slices.SortFunc(refs, func(a, b memory.Ref) int { return a.ID.Compare(b.ID) })
		line(err, "resolve %s %v", r.ID.String()[:digits], refs)
		if aliases := r.Header.Alias; len(aliases) > 0 {
			got, err := s.Aliased(ctx, r.Header.Space, aliases...)
			line(err, "aliased %v", got)
		}
	}
	return append(out, matches(t, s, rs)...)
}

// replaced walks from a record to all that it replaces, as far as it is held, and returns that and itself.
func replaced(rs []*memory.Record, items []*store.Item, r *memory.Record) []string {
	held := make(map[memory.ID]*memory.Record)
	for i, it := range items {
		if it != nil {
			held[rs[i].ID] = rs[i]
		}
	}
	var out []memory.Ref
	for todo := []*memory.Record{r}; len(todo) > 0; todo = todo[1:] {
		at := held[todo[0].ID]
		if at == nil || slices.Contains(out, at.Ref()) {
			continue
		}
		out = append(out, at.Ref())
		for _, old := range at.Header.Provenance.Supersedes {
			if held[old.ID] != nil {
				todo = append(todo, held[old.ID])
			}
		}
	}
	return refsInOrder(out)
}

func refsInOrder(refs []memory.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.String()
	}
	slices.Sort(out)
	return out
}

// hidden returns what is hidden; of what has come due the state says it.
func hidden(ctx context.Context, s store.Store) ([]string, error) {
	all, err := store.HiddenOf(ctx, s)
	var out []string
	for _, h := range all {
		if h.Due {
			items, err := s.Get(ctx, h.ID)
			if err != nil {
				return nil, err
			}
			if items[0] == nil || items[0].State.Live() {
				continue
			}
			h.Outranked, h.Forgotten = items[0].State.Outranked, items[0].State.Forgotten
		}
		out = append(out, fmt.Sprint(h.ID, h.Outranked, h.Forgotten))
	}
	slices.Sort(out)
	return out, err
}

// perSpace orders arrows by the space they come from and keeps their order
// within each: there is no order between the logs of two spaces.
func perSpace(rs []*memory.Record, edges []graph.Edge) []string {
	space := make(map[memory.ID]string)
	for _, r := range rs {
		space[r.ID] = r.Header.Space
	}
	slices.SortStableFunc(edges, func(a, b graph.Edge) int {
		return strings.Compare(space[a.From], space[b.From])
	})
	return arrows(edges)
}

// matches writes the results of word searches as sets: two stores may score differently.
func matches(t testing.TB, s store.Store, rs []*memory.Record) []string {
	t.Helper()
	var out []string
	for i := 0; i < len(rs); i += 10 {
		terms := words.Query(rs[i].Words())
		for _, m := range []store.Match{
			{}, {Hidden: true, Kinds: []memory.Kind{memory.KindBelief}}, {Spaces: []string{rs[i].Header.Space}},
		} {
			m.Terms, m.Limit = terms, len(rs)
			hits, err := s.Match(t.Context(), m)
			if err != nil {
				t.Fatalf("Match(%+v): %v", m, err)
			}
			var ids []memory.ID
			for _, h := range hits {
				ids = append(ids, h.ID)
			}
			out = append(out, fmt.Sprintf("match %v %v %v", terms, m.Kinds, short(sorted(ids))))
		}
	}
	return out
}

// same asks that two dumps agree.
func (p *place) same(what string, got, want []string) {
	p.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			p.Fatalf("after %s\n got %s\nwant %s", what, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		p.Fatalf("after %s: %d lines, want %d", what, len(got), len(want))
	}
}
