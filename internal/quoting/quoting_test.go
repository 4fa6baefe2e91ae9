package quoting_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/quoting"
)

func TestSpans(t *testing.T) {
	const words = "We keep orders\nin  PostgreSQL. The gateway… retries. Ende: größer."
	for _, tt := range []struct{ given, want string }{
		{words, "0-70"},
		{"We keep orders in PostgreSQL.", "0-30"},
		{"We keep orders … retries.", "0-14,46-54"},
		{"… in PostgreSQL. … größer. …", "15-30,61-70"},
		{"We keep orders … We keep orders", ""},
		{"retries. … We keep", ""},
		{"We keep no orders", ""},
		{"We keep … no … orders", ""},
		{"", ""},
		{"…", ""},
	} {
		spans, ok := quoting.Spans(words, tt.given)
		if got := quoting.Written(spans); ok != (tt.want != "") || ok && got != tt.want {
			for _, s := range spans {
				t.Logf("%q", words[s.From:s.To])
			}
			t.Errorf("%q: %s, want %s", tt.given, got, tt.want)
		}
	}
	if _, ok := quoting.Spans("", ""); ok {
		t.Error("no words have a span")
	}
}

func TestIsPack(t *testing.T) {
	for head, want := range map[string]bool{
		"{\n  \"query\": \"orders\"": true, `{"results":[]}`: true,
		`{"payload":"e30=`: false, `{ "signatures": [`: false, "Dear Ada": false, "": false, "[]": false, "{}": false,
	} {
		if quoting.IsPack([]byte(head)) != want {
			t.Errorf("%s: not %v", head, want)
		}
	}
}

// Only one word said over and over takes long, and then is refused.
func TestManyRepeats(t *testing.T) {
	words := strings.Repeat("a ", 30_000)
	of := []quoting.Source{{Ref: "raw:1", Words: words, Spans: []quoting.Span{{To: len(words)}}}}
	if _, err := quoting.Quotations(of, strings.Repeat("a ", 100_000)); err == nil {
		t.Error("not refused")
	}
	words = "k l m n o " + strings.Repeat("a b c d e ", 6_000)
	of[0].Words, of[0].Spans[0].To = words, len(words)
	if _, err := quoting.Quotations(of, strings.Repeat("k l m n o. ", 90_000)); err == nil {
		t.Error("not refused")
	}
	if got, err := quoting.Quotations(of, "k l m n o a"); err != nil || len(got) != 1 {
		t.Errorf("%v: %v", got, err)
	}
}

// Words that the pack left out are not quoted, and their negation counts.
func TestOnlyGivenWordsAreQuoted(t *testing.T) {
	const words = "It is not so. The index made the search slower on the big table. Jana measured it twice on Monday."
	at := strings.Index(words, "The index")
	of := []quoting.Source{{Ref: "raw:1", Words: words, Spans: []quoting.Span{{at, at + 51}}}}
	got, err := quoting.Quotations(of,
		"The index made the search slower on the big table. Jana measured it twice on Monday.")
	if err != nil || len(got) != 2 || got[0].Verdict != quoting.Quotes || got[1].Verdict != quoting.None {
		t.Errorf("%+v: %v", got, err)
	}
	of[0].Denied = "reject, of the memory"
	got, err = quoting.Quotations(of, "The index made the search slower on the big table.")
	if err != nil || got[0].Verdict != quoting.Negated || got[0].Why != of[0].Denied {
		t.Errorf("%+v: %v", got, err)
	}
}
