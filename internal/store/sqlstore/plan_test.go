package sqlstore

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// plan gives how SQLite would run a query.
func plan(tb testing.TB, s *Store, query string, args ...any) string {
	tb.Helper()
	for len(args) < strings.Count(query, "?") {
		args = append(args, nil) // plans are made before values are known
	}
	var lines []string
	err := s.read.each(tb.Context(), func(rows *sql.Rows) error {
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
		p := pages{s: s, q: q, kind: kind, after: firstKey(1), before: firstKey(2), size: firstPage}
		query, _ := p.query()
		return query
	}
	match := func(m store.Match) string {
		m.Terms = []string{"bridg"}
		query, _, err := s.matchQuery(t.Context(), m, m.Terms)
		if err != nil {
			t.Fatal(err)
		}
		return query
	}
	space := chain(t, 1)[0].Header.Space
	for name, query := range map[string]string{
		"get":           spread(itemColumns+itemTables+"WHERE r.id IN (…)", 64),
		"edges back":    spread(edgesBack, 8),
		"edges forward": spread(edgesForward, 8),
		"list":          page(store.Query{}, allMemories),
		"list unused":   page(store.Query{Unused: true, Oldest: true}, kindNumbers[memory.KindRaw]),
		"list a kind":   page(store.Query{}, kindNumbers[memory.KindNote]),
		"list session":  page(store.Query{Session: "x"}, allMemories),
		"match":         match(store.Match{}),
		"match hidden":  match(store.Match{Hidden: true, Kinds: []memory.Kind{memory.KindNote}, Spaces: []string{space}}),
	} {
		got := plan(t, s, query)
		for line := range strings.Lines(got) {
			line = strings.TrimSpace(line)
			scans := strings.HasPrefix(line, "SCAN ") && line != "SCAN h" && !strings.HasPrefix(line, "SCAN words VIRTUAL TABLE")
			sorts := strings.Contains(line, "TEMP B-TREE") && !strings.HasPrefix(name, "match")
			if scans || sorts || strings.Contains(line, "AUTOMATIC") {
				t.Errorf("%s: %q in the plan\n%s", name, line, got)
			}
		}
	}
}

// TestMatchTakesHitsFirst asks that the full-text index is the outer loop, and
// that hits are looked up only until there are enough.
func TestMatchTakesHitsFirst(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	query, args, err := s.matchQuery(t.Context(), store.Match{}, []string{"bridg"})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(plan(t, s, query, append(args, 1)...), "\n")
	want := []string{
		"SCAN words VIRTUAL TABLE", "USE TEMP B-TREE FOR ORDER BY", "SCAN h",
		"SEARCH r USING INTEGER PRIMARY KEY", "SEARCH s USING INTEGER PRIMARY KEY",
	}
	i := 0
	for _, line := range got {
		if i < len(want) && strings.HasPrefix(line, want[i]) {
			i++
		}
	}
	if last := got[len(got)-1]; i < len(want) || strings.Contains(last, "ORDER BY") {
		t.Errorf("the plan of Match is\n%s\nwant these in order, and no sorting after:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
