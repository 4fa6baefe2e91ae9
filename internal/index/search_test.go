package index

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

func of(t *testing.T, log int, entries []Entry, terms ...string) *View {
	t.Helper()
	v, err := Of(log, entries, Wanted(terms, ""))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func searched(t *testing.T, q Query, views ...*View) []Hit {
	t.Helper()
	hits, err := Search(views, q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// The limit is the number of hits, and any limit gives the beginning of what no
// limit gives.
func TestLimitGivesTheBeginning(t *testing.T) {
	entries := numbered(500, func(i int) string {
		return strings.TrimSpace(strings.Repeat("river ", 1+i%5) + strings.Repeat("stone ", i%13))
	})
	v := of(t, 0, entries, "river")
	whole := keysOf(searched(t, all(0, "river"), v))
	if len(whole) != 500 {
		t.Fatalf("%d hits without a limit, want 500", len(whole))
	}
	for _, limit := range []int{1, 2, 63, 64, 65, 499, 500, 501, 10_000} {
		got := keysOf(searched(t, all(limit, "river"), v))
		if want := whole[:min(limit, len(whole))]; !slices.Equal(got, want) {
			t.Errorf("limit %d gives %d hits, not the first %d of all", limit, len(got), len(want))
		}
	}
}

// Of equals the newest come first.
func TestEqualsNewestFirst(t *testing.T) {
	v := of(t, 0, numbered(9, func(int) string { return "river" }), "river")
	if got, want := keysOf(searched(t, all(3, "river"), v)), []int64{9, 8, 7}; !slices.Equal(got, want) {
		t.Errorf("hits = %v, want %v", got, want)
	}
}

// However many of the best are hidden, as many as are asked for are found, and
// none of the hidden.
func TestHiddenOnesTakeNoPlace(t *testing.T) {
	const n = 3000
	entries := numbered(n, func(i int) string {
		if i%10 == 0 {
			return "river and much more that is said there beside it"
		}
		return "river river"
	})
	v := of(t, 0, entries, "river")
	asked := 0
	q := all(40, "river")
	q.Shown = func(keys []int64) ([]bool, error) {
		asked++
		out := make([]bool, len(keys))
		for i, k := range keys {
			out[i] = (k-1)%10 == 0 // the worst tenth
		}
		return out, nil
	}
	hits := searched(t, q, v)
	if len(hits) != 40 {
		t.Fatalf("%d hits, want 40", len(hits))
	}
	for i, h := range hits {
		if want := int64(n - 9 - 10*i); h.Key != want {
			t.Fatalf("hit %d is %d, want %d: the newest of those shown", i, h.Key, want)
		}
	}
	if asked > 8 {
		t.Errorf("asked %d times what is shown, want a few", asked)
	}
	q.Shown = func(keys []int64) ([]bool, error) { return make([]bool, len(keys)), nil }
	if hits := searched(t, q, v); len(hits) != 0 {
		t.Errorf("%d hits where all are hidden", len(hits))
	}
}

// What cannot be said to be shown ends the search.
func TestErrorOfShownIsGiven(t *testing.T) {
	q := all(1, "river")
	q.Shown = func([]int64) ([]bool, error) { return nil, ErrDamaged }
	if _, err := Search([]*View{of(t, 0, []Entry{entry(1, "river")}, "river")}, q); err == nil {
		t.Error("no error, want that of Shown")
	}
}

// A hit names the terms it has, up to the 29th; later ones count in its score.
func TestTermsOfAHit(t *testing.T) {
	asked := manyWords(40)
	entries := []Entry{
		entry(1, asked[0]), entry(2, asked[28]), entry(3, asked[29]), entry(4, strings.Join(asked, " ")),
		entry(5, "something else"),
	}
	v := of(t, 0, entries, asked...)
	hits := make(map[int64]Hit)
	for _, h := range searched(t, all(0, asked...), v) {
		hits[h.Key] = h
	}
	for _, tt := range []struct {
		key  int64
		want []string
	}{{1, asked[:1]}, {2, asked[28:29]}, {3, nil}, {4, asked[:29]}} {
		h, found := hits[tt.key]
		if got := h.Has(asked); !found || !slices.Equal(got, tt.want) {
			t.Errorf("entry %d: found %v, has %v, want %v", tt.key, found, got, tt.want)
		}
	}
	if len(hits) != 4 {
		t.Errorf("%d hits, want 4", len(hits))
	}
	if a, b := hits[3].Score, hits[2].Score; math.Abs(a-b) > 1e-6 {
		t.Errorf("the 30th term scores %v, want %v as the 29th", a, b)
	}
	if got := (Hit{Terms: math.MaxUint32}).Has(asked[:2]); !slices.Equal(got, asked[:2]) {
		t.Errorf("of two terms it has %v", got)
	}
}

// The mark of a subject is no 32nd term.
func TestSubjectIsNoTerm(t *testing.T) {
	asked := manyWords(33)
	about := entry(1, asked[0])
	about.Terms = append([]Term{{subjectMark + asked[0], 0}}, about.Terms...)
	v := of(t, 0, []Entry{about, entry(2, asked[0])}, asked...)
	hits := searched(t, all(0, asked...), v)
	if len(hits) != 2 || hits[0].Key != 1 {
		t.Fatalf("hits = %v, want first the one that is about it", hits)
	}
	if got, want := hits[0].Score/hits[1].Score, subjectFactor; math.Abs(got-want) > 1e-5 {
		t.Errorf("a subject is worth %v, want %v", got, want)
	}
	if got := hits[0].Terms; got != 1 {
		t.Errorf("terms %b, want only the first", got)
	}
}

// Views are searched as if they were one: where the log was cut changes no score.
func TestViewsAreSearchedAsOne(t *testing.T) {
	entries := numbered(60, func(i int) string { return vocabulary[i%7] + " " + vocabulary[i%5] })
	for i := range entries {
		entries[i].Session, entries[i].Asks = uint64(1+i%3), i%4 == 0
	}
	asked := []string{"a", "ab", "river"}
	want := searched(t, all(0, asked...), of(t, 0, entries, asked...))
	for _, cut := range [][]int{{30}, {1, 59}, {0, 20, 20, 40}, {10, 11, 12, 13}} {
		var views []*View
		from := 0
		for _, to := range append(cut, len(entries)) {
			views, from = append(views, of(t, 0, entries[from:to], asked...)), to
		}
		if got := searched(t, all(0, asked...), views...); !slices.Equal(got, want) {
			t.Errorf("cut at %v: other hits than of one segment", cut)
		}
	}
}

// Records propagate to their neighbours in the session, not to those of another log.
func TestPropagationStaysInTheLog(t *testing.T) {
	said := func(key int64, text string) Entry {
		e := entry(key, text)
		e.Session = 7
		return e
	}
	first, second := []Entry{said(1, "river")}, []Entry{said(2, "nothing")}
	for _, tt := range []struct {
		log  int
		want []int64
	}{{0, []int64{1, 2}}, {1, []int64{1}}} {
		got := keysOf(searched(t, all(0, "river"), of(t, 0, first, "river"), of(t, tt.log, second, "river")))
		if !slices.Equal(got, tt.want) {
			t.Errorf("the second in log %d: hits %v, want %v", tt.log, got, tt.want)
		}
	}
}

// A mark and a subject are no words, and letters and digits of a term are all
// that is looked for.
func TestAskable(t *testing.T) {
	long := strings.Repeat("x", words.MaxBytes)
	for _, tt := range []struct{ in, want []string }{
		{nil, nil},
		{[]string{"river", "river", "bridge"}, []string{"river", "bridge"}},
		{[]string{CodeMark, TypeMark("constraint"), subjectMark + "rosa"}, []string{"code", "typeconstraint", "rosa"}},
		{[]string{"", "*", `"`, "\x00", " ", "\xff"}, nil},
		{[]string{"ri\xffver", "r-i-v-e-r", "鱼"}, []string{"river", "鱼"}},
		{[]string{long, long + "x"}, []string{long}},
		{manyWords(500), manyWords(mostTerms)},
	} {
		if got := Askable(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("Askable(%.60q) = %.60q, want %.60q", tt.in, got, tt.want)
		}
	}
}

// Describe says once what a record is found by.
func TestDescribe(t *testing.T) {
	at := memory.At(mustTime(t, "2026-03-05T10:00:00Z"))
	for _, tt := range []struct {
		what   string
		header memory.Header
		body   memory.Body
		want   string // terms with their weights
		length int
		asks   bool
	}{
		{"words, the speaker and the date", memory.Header{}, &memory.Raw{
			Text: "Boats and a boat", Speaker: "Rosa", OccurredAt: at,
		},
			"2026:1 5:1 @rosa:0 a:2 and:2 boat:4 march:1 rosa:2", 5, false},
		{"a question", memory.Header{}, &memory.Raw{Text: "boats? \"", OccurredAt: at}, "2026:1 5:1 boat:2 march:1", 1, true},
		{"a type and a tag", memory.Header{
			Kind: memory.KindNote, Tags: []string{"Sea side"},
		}, &memory.Note{Type: "decision", Summary: "boats?"},
			"=tag:Sea side:0 =type:decision:0 =unsure:0 boat:2 sea:1 side:1", 1, false},
		{"a name, of which its author is sure", memory.Header{
			Kind: memory.KindEpisode, About: []string{"Bea"}, Confidence: 800,
		}, &memory.Episode{Objective: "boats"}, "=named:0 @bea:0 bea:2 boat:2", 2, false},
		{"a person", memory.Header{Kind: memory.KindRelationship, Confidence: 1000},
			&memory.Relationship{Name: "Bea"}, "=named:0 =type::0 @bea:0 bea:2", 1, false},
		{"no words", memory.Header{Tags: []string{"sea"}}, &memory.Raw{Text: "!!!", OccurredAt: at}, "=tag:sea:0", 0, false},
	} {
		e := Describe(5, 3, 9, &memory.Record{Header: tt.header, Body: tt.body})
		var got []string
		for _, term := range e.Terms {
			got = append(got, fmt.Sprintf("%s:%d", term.Text, term.Weight))
		}
		if g := strings.Join(got, " "); g != tt.want || e.Length != tt.length || e.Asks != tt.asks {
			t.Errorf("%s: %q, %d words, asks %v; want %q, %d, %v", tt.what, g, e.Length, e.Asks, tt.want, tt.length, tt.asks)
		}
		if e.Key != 5 || e.Kind != 3 || e.Session != 9 {
			t.Errorf("%s: entry %+v is of another record", tt.what, e)
		}
	}
}

// Hits that are not shown are given where somebody asks for them, no more than a search bears, and push none out that
// is shown.
func TestPassedHitsAreBounded(t *testing.T) {
	const hidden, shown = 3 * mostPassed, 4
	var entries []Entry
	for i := range hidden + shown {
		terms := []Term{{"river", 2}}
		if i < shown {
			terms = []Term{{"river", 1}}
		}
		entries = append(entries, Entry{Key: int64(i + 1), Kind: 1, Length: 10, Terms: terms})
	}
	v, err := Of(1, entries, Wanted([]string{"river"}, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 1, shown, shown + 1} {
		for _, passed := range []bool{true, false} {
			q := all(limit, "river")
			q.Passed = passed
			q.Shown = func(keys []int64) ([]bool, error) {
				may := make([]bool, len(keys))
				for i, k := range keys {
					may[i] = k <= shown
				}
				return may, nil
			}
			hits, err := Search([]*View{v}, q)
			if err != nil {
				t.Fatal(err)
			}
			got := map[bool]int{}
			for _, h := range hits {
				got[h.Hidden]++
			}
			want := map[bool]int{false: min(cmp.Or(limit, shown), shown)}
			if passed {
				want[true] = mostPassed
			}
			if !maps.Equal(got, want) {
				t.Errorf("limit %d, passed %v: %v by hidden, want %v", limit, passed, got, want)
			}
		}
	}
}
