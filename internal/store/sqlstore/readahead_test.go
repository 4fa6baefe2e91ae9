package sqlstore

import (
	"context"
	"database/sql"
	"reflect"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// counting counts the statements that ask for rows.
type counting struct {
	session.Caller
	n int
}

func (c *counting) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c.n++
	return c.Caller.QueryContext(ctx, query, args...)
}

// What is read ahead is what would be read one by one, in a few statements, and is
// not asked for again.
func TestAhead(t *testing.T) { databases(t, testAhead) }

func testAhead(t *testing.T, spec string) {
	s := open(t, spec, Options{})
	a := storetest.NewOwner("ahead")
	const n = session.MostListed + 100
	rs := raws(t, n)
	links := chain(t, 20)
	appendAll(t, s, slices.Concat(rs, links))
	var claims []*memory.Record
	for i, r := range rs {
		if i%3 == 0 {
			claims = append(claims, a.Mark(t, memory.Forget, r))
		}
		if i%6 == 0 {
			claims = append(claims, a.Mark(t, memory.Recover, r), a.Mark(t, memory.Forget, r))
		}
	}
	claims = append(claims, a.Mark(t, memory.Purge, rs[1]))
	if _, err := s.Append(t.Context(), store.Batch{Records: claims, Purge: []memory.ID{rs[1].ID}}); err != nil {
		t.Fatal(err)
	}
	ids := []memory.ID{{1, 2, 3}, rs[0].ID} // one that is not held, one named twice
	for _, r := range slices.Concat(rs, links) {
		ids = append(ids, r.ID)
	}
	rels := []graph.Relation{graph.Speaks, graph.Supersedes}
	on := &counting{Caller: s.readers}
	got, want := newRows(t.Context(), s, session.New(s.d, on, false)), newRows(t.Context(), s, s.read)
	if err := got.Ahead(ids, rels...); err != nil {
		t.Fatal(err)
	}
	if most := 8; on.n > most {
		t.Errorf("%d statements for %d records, want %d at most", on.n, len(ids), most)
	}
	asked := on.n
	look := func(id memory.ID) {
		t.Helper()
		g, err := got.Record(id)
		must(t, err)
		w, err := want.Record(id)
		must(t, err)
		if !reflect.DeepEqual(g, w) {
			t.Fatalf("record %v, want %v", g, w)
		}
		gs, gis, err := got.State(id)
		must(t, err)
		ws, wis, err := want.State(id)
		must(t, err)
		if gs != ws || gis != wis {
			t.Fatalf("state %+v, %v, want %+v, %v", gs, gis, ws, wis)
		}
	}
	for _, id := range ids[1:] {
		look(id)
		for _, rels := range [][]graph.Relation{rels, {graph.DerivedFrom}} {
			g, err := got.Pointing(id, rels...)
			must(t, err)
			w, err := want.Pointing(id, rels...)
			must(t, err)
			if !slices.Equal(g, w) {
				t.Fatalf("%d point at it, want %d", len(g), len(w))
			}
			if rels[0] == graph.Speaks {
				for _, speaker := range g {
					look(speaker)
				}
			}
		}
	}
	if on.n != asked {
		t.Errorf("%d statements for what was read ahead, want none", on.n-asked)
	}
	look(ids[0])
	if err := got.Ahead(ids[1:fewAhead], rels...); err != nil || on.n != asked+1 {
		t.Errorf("%d statements for what is not held, %v, want 1", on.n-asked, err)
	}
}
