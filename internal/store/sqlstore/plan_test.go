package sqlstore

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// plan returns how SQLite would run a query.
func plan(tb testing.TB, s *Store, query string, args ...any) string {
	tb.Helper()
	for len(args) < strings.Count(query, "?") {
		args = append(args, nil) // plans are made before values are known
	}
	var lines []string
	err := s.read.Each(tb.Context(), func(rows *sql.Rows) error {
		var a, b, c int
		var line string
		err := rows.Scan(&a, &b, &c, &line)
		lines = append(lines, line)
		return err
	}, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestPlans asks that no query reads a table from end to end, nor sorts what an
// index has in order.
func TestPlans(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	appendAll(t, s, chain(t, 50))
	page := func(q store.Query, kind int) string {
		p := pages{s: s, q: q, kind: kind, after: session.FirstKey(1), before: session.FirstKey(2), size: firstPage}
		query, _ := p.query()
		return query
	}
	for name, query := range map[string]string{
		"get":           session.Spread(itemColumns+itemTables+"WHERE r.id IN (…)", 64),
		"survey":        surveyed,
		"survey's end":  surveyEnd,
		"read ahead":    session.Spread(manyRecords, 64),
		"pointing":      session.Spread(manyPointing, 64),
		"edges back":    session.Spread(edgesBack, 8),
		"edges forward": session.Spread(edgesForward, 8),
		"list":          page(store.Query{}, lists.AllMemories),
		"list unused":   page(store.Query{Unused: true, Oldest: true}, lists.KindNumbers()[memory.KindRaw]),
		"list a kind":   page(store.Query{}, lists.KindNumbers()[memory.KindNote]),
		"list session":  page(store.Query{Session: "x"}, lists.AllMemories),
		"segments":      "SELECT no, level, version, first, last FROM segments WHERE space = ?",
		"blocks": session.Spread(
			"SELECT part, bytes FROM segment_parts WHERE space = ? AND no = ? AND part IN (…)", 16,
		),
		"listed":        listed,
		"listed purged": listedPurge,
		"decided":       decided,
		"came due":      cameDue,
		"hidden":        session.Spread("SELECT key, flags, due FROM state WHERE key IN (…)", 64),
	} {
		got := plan(t, s, query)
		for line := range strings.Lines(got) {
			line = strings.TrimSpace(line)
			scans := strings.HasPrefix(line, "SCAN ") && line != "SCAN m" // what was made of one record
			sorts := strings.Contains(line, "TEMP B-TREE")
			if scans || sorts || strings.Contains(line, "AUTOMATIC") {
				t.Errorf("%s: %q in the plan\n%s", name, line, got)
			}
		}
	}
}

// TestPlanOfProcessed asks that what is hidden is found from the states, which few records have, and not from all
// raws.
func TestPlanOfProcessed(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	where, args := s.unmade(nil)
	got := plan(t, s, processed+where+")", args...)
	if !strings.Contains(got, "SEARCH d USING INTEGER PRIMARY KEY") {
		t.Errorf("records are not found by their keys:\n%s", got)
	}
}

// TestPlansOfPages asks that PostgreSQL, which chooses by what it knows of a table, reads a
// page of a kind that few records have in the order of its index, and does not read the
// whole kind to sort it.
func TestPlansOfPages(t *testing.T) {
	s := open(t, storetest.EmptyPostgres(t), Options{})
	appendAll(t, s, raws(t, 3000))
	notes := chain(t, 600)
	appendAll(t, s, notes)
	owner := storetest.NewOwner("chain")
	appendAll(t, s, []*memory.Record{owner.Mark(t, memory.Forget, notes[3])}) // some have a state
	exec(t, s, "ANALYZE")
	for name, q := range map[string]store.Query{"newest": {}, "oldest": {Oldest: true}} {
		p := pages{
			s: s, q: q, kind: lists.KindNumbers()[memory.KindNote],
			after: session.FirstKey(1), before: session.FirstKey(2), size: firstPage,
		}
		query, args := p.query()
		var plan strings.Builder
		err := s.read.Each(t.Context(), func(rows *sql.Rows) error {
			var line string
			err := rows.Scan(&line)
			plan.WriteString(line + "\n")
			return err
		}, "EXPLAIN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		if text := plan.String(); strings.Contains(text, "Sort Key: r.key") || strings.Contains(text, "Bitmap") {
			t.Errorf("the plan of a page of the %s sorts:\n%s", name, text)
		}
	}
}
