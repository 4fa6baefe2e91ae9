package sqlstore

import (
	"context"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// TestCheck makes one kind of damage after the other, each in a store of its
// own, and asks Check to see it.
func TestCheck(t *testing.T) {
	for _, tt := range []struct{ name, damage, says string }{
		{
			"other bytes",
			`UPDATE payloads SET bytes = CAST(replace(CAST(bytes AS TEXT), 'first', 'worst') AS BLOB) WHERE key = (SELECT ` +
				`min(key) FROM payloads)`,
			"have the id",
		},
		{
			"bytes that are none",
			"UPDATE payloads SET bytes = x'00' WHERE key = (SELECT max(key) FROM payloads)", "read a record",
		},
		{"no bytes", "DELETE FROM payloads WHERE key = (SELECT max(key) FROM payloads)", "nobody purged"},
		{"no edge", "DELETE FROM edges WHERE src = (SELECT max(src) FROM edges)", "edges are stored"},
		{"another edge", "UPDATE edges SET rel = 2", "edges are stored"},
		{"no state", "DELETE FROM state WHERE key = (SELECT max(key) FROM state)", "does not follow"},
		{"a forgotten flag", "UPDATE state SET flags = 0", "does not follow"},
		{"no words", "DELETE FROM segment_parts WHERE part = 1", "search cannot find"},
		{"other words", "UPDATE segment_parts SET bytes = x'0001' WHERE part = 1", "search cannot find"},
		{"no index", "DELETE FROM segments", "search cannot find"},
		{
			"a segment without an end", "UPDATE segments SET last = last + 274877906944; DELETE FROM segment_parts",
			"search cannot find",
		},
		{"another alias", "UPDATE aliases SET alias = x'00'", "by the id it had elsewhere"},
		{"another author", "UPDATE records SET author = 77 WHERE key = (SELECT max(key) FROM records)", "author"},
		{"another kind", "UPDATE records SET kind = 5 WHERE kind = 1", "is listed as"},
		{"a gap", "UPDATE spaces SET last = last + 1", "the log should have"},
		{"a stray state", "INSERT INTO state (key, flags) VALUES (7, 0)", "belong to no record"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, tempSQLite(t), Options{})
			appendAll(t, s, chain(t, 3))
			a := storetest.NewOwner("elsewhere")
			appendAll(t, s, []*memory.Record{a.Raw(t, "words from elsewhere", storetest.Known("elsewhere:1"))})
			indexAll(t, s)
			healthy(t, s)
			unguard(t, s)
			exec(t, s, tt.damage)
			var all []string
			for err := range s.Check(t.Context()) {
				all = append(all, err.Error())
			}
			if got := strings.Join(all, "\n"); got == "" || !strings.Contains(got, tt.says) {
				t.Errorf("Check gives %q, want %q in it", got, tt.says)
			}
		})
	}
}

func TestPurgedRecord(t *testing.T) {
	for name, spec := range map[string]func(testing.TB) string{"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres} {
		t.Run(name, func(t *testing.T) {
			s := open(t, spec(t), Options{})
			rs := chain(t, 2)
			appendAll(t, s, rs)
			purge := storetest.NewOwner("chain").On("main")
			ref := rs[0].Ref()
			mark := purge.Make(t, &memory.Mark{Of: &ref, Verb: memory.Purge})
			appendAll(t, s, []*memory.Record{mark})
			exec(t, s, "DELETE FROM payloads WHERE key = (SELECT min(key) FROM payloads)")
			items, err := s.Get(t.Context(), rs[0].ID, rs[1].ID)
			if err != nil {
				t.Fatal(err)
			}
			if it := items[0]; it == nil || it.Record != nil || !it.State.Purged || it.Ref != ref {
				t.Errorf("Get of a purged record gives %+v, want its ref, no record and a purged state", it)
			}
			if es, err := s.Edges(t.Context(), graph.Back, rs[1].ID); err != nil || len(es) != 1 || es[0].To != rs[0].ID {
				t.Errorf("edges to a purged record are %v, %v, want the one", es, err)
			}
			next := purge.Make(t, &memory.Note{Type: "insight", Summary: "what rests on it"}, func(h *memory.Header) {
				h.Provenance.From = []memory.Ref{ref}
			})
			appendAll(t, s, []*memory.Record{next})
			for it, err := range s.List(t.Context(), store.Query{Hidden: true}) {
				if err != nil || it == nil {
					t.Fatalf("List gives %v, %v", it, err)
				}
			}
			if st, err := s.Stats(t.Context()); err != nil || st.Purged != 1 {
				t.Errorf("Stats tells of %d purged records, %v, want 1", st.Purged, err)
			}
			healthy(t, s)
		})
	}
}

func TestView(t *testing.T) {
	for name, spec := range map[string]func(testing.TB) string{"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres} {
		t.Run(name, func(t *testing.T) {
			s := open(t, spec(t), Options{})
			a := storetest.NewOwner("view")
			raw := a.Raw(t, "we closed the bridge")
			ep := a.Make(t, &memory.Episode{Objective: "close the bridge"}, func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.From = memory.ViaPromote, []memory.Ref{raw.Ref()}
			})
			belief := a.Make(t, &memory.Belief{Statement: "bridges close in winter"}, func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.From = memory.ViaConsolidate, []memory.Ref{ep.Ref(), raw.Ref()}
			})
			gone := a.Make(t, &memory.Note{Type: "insight", Summary: "nothing"})
			ref := gone.Ref()
			forget := a.Make(t, &memory.Mark{Of: &ref, Verb: memory.Forget})
			appendAll(t, s, []*memory.Record{raw, ep, belief, gone, forget})
			rows, err := s.readers.Query(`SELECT memory_type || ' ' || id || ' ' || source_type || ' ' || CAST(derived_from ` +
				`AS TEXT) || ' ' ||
				CAST(source_episodes AS TEXT) || ' ' || created_at FROM memory_provenance ORDER BY memory_type`)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			var got []string
			for rows.Next() {
				var line string
				if err := rows.Scan(&line); err != nil {
					t.Fatal(err)
				}
				got = append(got, strings.ReplaceAll(line, ", ", ","))
			}
			q := func(rs ...*memory.Record) string {
				var refs []string
				for _, r := range rs {
					refs = append(refs, `"`+r.Ref().String()+`"`)
				}
				return "[" + strings.Join(refs, ",") + "]"
			}
			want := []string{
				"belief " + belief.ID.String() + " consolidation " + q(ep, raw) + " " + q(ep) + " " + belief.Header.At.String(),
				"episode " + ep.ID.String() + " promote " + q(raw) + " [] " + ep.Header.At.String(),
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("memory_provenance gives\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// indexAll makes a segment of the records that wait.
func indexAll(t testing.TB, s *Store) {
	t.Helper()
	err := s.Change(t.Context(), "index", func(ctx context.Context, w *session.Session) error {
		return s.noting(ctx, w, func() error { return catchUpOne(ctx, w, 1) })
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unguard takes away what keeps others from changing what is signed, as one who
// has the file can.
func unguard(t *testing.T, s *Store) {
	t.Helper()
	if s.d == session.Postgres {
		exec(t, s, "ALTER TABLE records DISABLE TRIGGER USER; ALTER TABLE payloads DISABLE TRIGGER USER; ALTER TABLE "+
			"signatures DISABLE TRIGGER USER;"+
			"GRANT ALL ON records, payloads, signatures TO CURRENT_USER")
		return
	}
	for _, table := range []string{"records", "payloads", "signatures"} {
		exec(t, s, "DROP TRIGGER "+table+"_kept; DROP TRIGGER "+table+"_stay; DROP TRIGGER "+table+"_new")
	}
}
