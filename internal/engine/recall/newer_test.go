package recall_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// The order of what is found is the same, however few are asked for: six commits of a shop, of which one answers.
func TestOrderDoesNotDependOnTheLimit(t *testing.T) {
	e := newPeople(t).Owner
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i, c := range []struct{ who, text string }{
		{"Mara", "Take orders over HTTP\n\nA server.py"},
		{"Mara", "Use a JSON file for orders\n\n" +
			"A file is easier to read and to back up than a database.\n\nA orders.py\nM server.py"},
		{"Jon", "List the orders of a customer\n\nM orders.py\nM server.py"},
		{"Ines", "Test the server with 10 writers at once\n\nA server_test.py"},
		{"Jon", "Replace the JSON file with SQLite\n\n4 of 10 writers lost orders, because each wrote the whole file.\n" +
			"SQLite keeps all of them.\n\nM orders.py"},
		{"Ines", "Show the total of an order with its taxes\n\nM server.py"},
	} {
		when := at.Add(time.Duration(i) * 24 * time.Hour)
		in := api.CaptureRequest{Speaker: c.who, Text: c.text, OccurredAt: when.Format(time.RFC3339)}
		if _, err := e.Capture(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	find := func(query string, limit int) (refs []string) {
		got, err := e.Search(t.Context(), api.SearchRequest{Query: query, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Results {
			refs = append(refs, r.Ref)
		}
		return refs
	}
	for _, query := range []string{"orders SQLite", "JSON file", "writers", "server orders"} {
		all := find(query, 10)
		for limit := 1; limit < len(all); limit++ {
			if got := find(query, limit); fmt.Sprint(got) != fmt.Sprint(all[:limit]) {
				t.Errorf("%q: the first %d are %v, of all %v", query, limit, got, all[:limit])
			}
		}
	}
}

// Of two conversations about one matter the later goes first, also where there are no others; of two that share a word
// the one that answers does.
func TestTheLaterOfTwoConversations(t *testing.T) {
	for _, tt := range []struct {
		older, newer, query string
		first               int
	}{
		{
			"We decided: orders are kept in SQLite, one file is easy to back up. Keep that in mind.",
			"Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on.",
			"where are orders kept", 1,
		},
		{
			"Replace the JSON file with SQLite: 4 of 10 writers lost orders, because each wrote the whole file.",
			"Show the total of an order with its taxes", "orders SQLite", 0,
		},
	} {
		e := newPeople(t).Owner
		var refs []string
		for i, text := range []string{tt.older, tt.newer} {
			in := api.CaptureRequest{Speaker: "user", Text: text, OccurredAt: fmt.Sprintf("2026-03-0%dT09:00:00Z", i+1)}
			in.Session = fmt.Sprint("s", i)
			got, err := e.Capture(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			refs = append(refs, got.Ref)
		}
		got, err := e.Search(t.Context(), api.SearchRequest{Query: tt.query})
		if err != nil || len(got.Results) == 0 || got.Results[0].Ref != refs[tt.first] {
			t.Errorf("%q: %v, %+v", tt.query, err, got.Results)
		}
	}
}
