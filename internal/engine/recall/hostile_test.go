package recall_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// asked are words of which every plain query is made; near, or and not are
// operators elsewhere.
var asked = strings.Fields("river bridge stone harbour painted winter near boats candle market")

// around are signs that mean something to FTS5, SQL, tsquery, shells, regular
// expressions and terminals, and stop words that are operators. Between words
// they are nothing.
var around = strings.Fields(`" "" ' '' ( ) (( )) * ** : :: :* ^ ^^ - -- --- + ++ & && | || ! !! <-> < > = ; , . .. ` +
	`... / /* */ // \ \\ \' \" % %% _ __
	{ } [ ] {} [] $ $$ ? @ # ~ ¬ ≠ … « » “ ” 。 、 ! ？ AND OR NOT and or not`)

// glued are signs right before and right behind a word.
var glued = [][2]string{
	{"", ""}, {`"`, `"`}, {"-", ""}, {"+", ""}, {"^", ""}, {"", "*"}, {"", ":*"}, {"(", ")"}, {"{", "}"}, {"'", "'"},
	{"%", "%"},
	{`\`, ""}, {"", ";"}, {"!", ""}, {"<", ">"}, {"~", ""}, {"", "?"}, {"*", "*"}, {"$", ""}, {"@", ""}, {"#", ""},
	{"", ",,"},
}

// unseen are bytes that no word has: control characters and no text at all.
var unseen = []string{
	"\x00", "\x01", "\x1b[31m", "\x7f", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\u2028", "\ufffd",
	"\u202e", "\r\n", "\t",
}

// A questioner makes queries up.
type questioner struct{ *rand.Rand }

func (q questioner) of(list []string) string { return list[q.IntN(len(list))] }

// pair returns a query of plain words, and one of the same words with operators
// around them.
func (q questioner) pair() (plain, hostile string) {
	words := make([]string, 1+q.IntN(3))
	var out []string
	noise := func() {
		for q.IntN(3) == 0 {
			if q.IntN(6) == 0 {
				out = append(out, q.of(unseen))
			} else {
				out = append(out, q.of(around))
			}
		}
	}
	for i := range words {
		words[i] = q.of(asked)
		noise()
		g := glued[q.IntN(len(glued))]
		w := words[i]
		if q.IntN(8) == 0 {
			w = strings.ToUpper(w)
		}
		out = append(out, g[0]+w+g[1])
	}
	noise()
	return strings.Join(words, " "), strings.Join(out, " ")
}

// operators are whole constructions of query languages.
var operators = []string{
	`NEAR(river bridge, 5)`, `terms:river`, `{terms}: river`, `river NOT bridge`, `"river" + "bridge"`,
	`river AND (bridge OR`, `'; DROP TABLE records; --`,
	`' UNION SELECT id, text FROM payloads --`, `river:*A & !bridge`, `river <-> bridge`, `river | `,
	`to_tsquery('x')`, `$1`, `?1`, `:name`, `%s%n`, `{{.}}`, `${HOME}`,
	`<script>alert(1)</script>`, `rank:bm25(10)`, `* FROM sqlite_master`, `\x00`, `"" ""`, `(`, `)`, `"`, `*`, ``, ` `,
}

// any returns text of any kind.
func (q questioner) any() string {
	switch q.IntN(5) {
	case 0: // bytes
		b := make([]byte, q.IntN(60))
		for i := range b {
			b[i] = byte(q.IntN(256))
		}
		return string(b)
	case 1: // any character there is
		var b strings.Builder
		for range q.IntN(30) {
			b.WriteRune(rune(q.IntN(utf8.MaxRune + 1)))
		}
		return b.String()
	case 2: // constructions, one into another
		return q.of(operators) + q.of([]string{"", " ", "\x00", "(", `"`}) + q.of(operators)
	case 3: // words and signs with nothing between
		var b strings.Builder
		for range 1 + q.IntN(12) {
			b.WriteString(q.of([]string{q.of(asked), q.of(around), q.of(unseen), "鱼", "é", "42"}))
		}
		return b.String()
	default: // the same again and again
		return strings.Repeat(q.of([]string{q.of(asked) + " ", q.of(around), q.of(operators), "鱼", "a.b_c-"}), q.IntN(300))
	}
}

// Operators are words like any: a record that says NOT is found by not, and
// nothing is left out because of one.
func TestOperatorsAreWords(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		both := capture(t, e, "the river and the bridge")
		river := capture(t, e, "the river alone")
		near := capture(t, e, "near the harbour")
		for _, tt := range []struct {
			query string
			want  []string
		}{
			{"river NOT bridge", []string{both, river}},
			{"river -bridge", []string{both, river}},
			{"river AND bridge", []string{both, river}},
			{`"river bridge"`, []string{both, river}},
			{"NEAR(river bridge)", []string{both, river, near}},
			{"terms:river", []string{both, river}},
			{"riv*", nil},
			{"NOT", nil},
		} {
			wantRefs(t, tt.query, search(t, e, api.SearchRequest{Query: tt.query}), tt.want...)
		}
		if got := refs(search(t, e, api.SearchRequest{Query: "bridge river"})); len(got) == 0 || got[0] != both {
			t.Errorf("found %v, want first the one that has both", shortened(got))
		}
	})
}

// Bad requests are refused with the name of what is wrong.
func TestBadSearchesAreRefused(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	capture(t, e, "words")
	for _, tt := range []struct {
		in   api.SearchRequest
		says string
	}{
		{api.SearchRequest{Limit: -1}, "limit"},
		{api.SearchRequest{Limit: 1001}, "limit"},
		{api.SearchRequest{Kind: "thought"}, "kind"},
		{api.SearchRequest{Kind: "raw,thought"}, "kind"},
		{api.SearchRequest{Tier: "certain"}, "tier"},
		{api.SearchRequest{Since: "soon"}, "since"},
		{api.SearchRequest{Until: "31/12/2026"}, "until"},
		{api.SearchRequest{AsOf: "whenever"}, "as_of"},
		{api.SearchRequest{ValidAt: "2026-13-01"}, "valid_at"},
	} {
		tt.in.Query = "words"
		_, err := e.Search(t.Context(), tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.says) || !isInvalid(err) {
			t.Errorf("search %+v: %v, want it invalid because of %s", tt.in, err, tt.says)
		}
	}
	for _, in := range []api.ContextRequest{{Level: "huge"}, {Budget: 99}, {Budget: 50_001}, {Budget: -1}} {
		if _, err := e.Context(t.Context(), in); !isInvalid(err) {
			t.Errorf("context %+v: %v, want it invalid", in, err)
		}
	}
	for _, in := range []api.LoadRequest{{Level: "huge"}, {Budget: 99}, {Budget: 50_001}, {Budget: -1}} {
		if _, err := e.Load(t.Context(), in); !isInvalid(err) {
			t.Errorf("load %+v: %v, want it invalid", in, err)
		}
	}
}
