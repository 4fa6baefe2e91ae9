package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestWhatNoRuleDraftsIsKeptAsItWasSaid(t *testing.T) {
	for text, want := range map[string][]string{
		"Orders are kept in SQLite.":                       {"belief: Orders are kept in SQLite"},
		"Write to customers formally, never by first name": {"note: Write to customers formally, never by first name"},
		"Orders are kept in SQLite. Write to customers formally.": {
			"belief: Orders are kept in SQLite", "note: Write to customers formally.",
		},
		"Das Lager schließt um 18 Uhr":   {"note: Das Lager schließt um 18 Uhr"},
		"port=8080":                      {"note: port=8080"},
		"Which port do we use?":          {"note: Which port do we use?"},
		"line one\n\tport: 1\nline two":  {"note: line one port: 1 line two"},
		"  \n ":                          nil,
		"[private]":                      nil,
		"[REDACTED:aws-key] [private]":   nil,
		"[x] done":                       {"note: [x] done"},
		"the key is [REDACTED:aws-key]":  {"belief: The key is [REDACTED:aws-key]"},
		"Thanks! Orders are in Postgres": {"belief: Orders are in Postgres"},
	} {
		var got []string
		for _, d := range Kept("", text, time.Time{}) {
			got = append(got, string(d.Kind)+": "+d.Text)
		}
		if len(got) != len(want) {
			t.Errorf("%q: %q, want %q", text, got, want)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}

func TestADocumentIsKeptAsOneNote(t *testing.T) {
	for name, sentence := range map[string]string{
		"what rules draft":    "The store of service %d is kept in Berlin. ",
		"what no rule drafts": "Write the backup of service %d to the tape before noon. ",
	} {
		var text strings.Builder
		for i := range 500 {
			fmt.Fprintf(&text, sentence, i)
		}
		drafts := Kept("", text.String(), time.Time{})
		if len(drafts) == 0 || len(drafts) > mostKept {
			t.Fatalf("%s: %d drafts", name, len(drafts))
		}
		last := drafts[len(drafts)-1]
		if last.Rule != AsSaid || !strings.Contains(last.Body, " 499 ") {
			t.Errorf("%s: the last is %+v, want a note of the whole", name, last)
		}
	}
}
