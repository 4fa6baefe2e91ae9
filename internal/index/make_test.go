package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// vocabulary is few words, so that records share them, and some whose
// beginnings are alike, as a block keeps them.
var vocabulary = strings.Fields(
	"a ab abc abcd river rivers bridge bridges bridging stone 鱼 鱼河 é 1 12 123 =code =type:decision @rosa @winter",
)

// anyEntries draws the entries of neighbouring records.
func anyEntries(most int) *rapid.Generator[[]Entry] {
	return rapid.Custom(func(t *rapid.T) []Entry {
		entries := make([]Entry, rapid.IntRange(0, most).Draw(t, "entries"))
		key := int64(0)
		for i := range entries {
			key += rapid.Int64Range(1, 1<<40).Draw(t, "step")
			e := Entry{
				Key: key, Kind: rapid.IntRange(0, 300).Draw(t, "kind"), Asks: rapid.Bool().Draw(t, "asks"),
				Length: rapid.IntRange(0, 70_000).Draw(t, "length"),
				past:   pastOf(rapid.Bool().Draw(t, "imported"), rapid.Int64Range(-5, lastWeek+5).Draw(t, "week")),
			}
			if n := rapid.IntRange(0, 4).Draw(t, "session"); n > 0 {
				e.Session = uint64(n) << 60 // their first bytes are 0
			}
			for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 0, 8, rapid.ID).Draw(t, "terms") {
				e.Terms = append(e.Terms, Term{w, rapid.SampledFrom([]int{0, 1, 2, 3, 64, 131_072}).Draw(t, "weight")})
			}
			slices.SortFunc(e.Terms, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
			entries[i] = e
		}
		return entries
	})
}

// numbered returns n entries of one log, each with the words that of says.
func numbered(n int, of func(i int) string) []Entry {
	out := make([]Entry, n)
	for i := range out {
		out[i] = entry(int64(i+1), of(i))
	}
	return out
}

// entry is a record of plain words, each as a term.
func entry(key int64, text string) Entry {
	e := Entry{Key: key}
	weights := make(map[string]int)
	for w := range strings.FieldsSeq(text) {
		weights[w] += wordWeight
		e.Length++
	}
	for w, n := range weights {
		e.Terms = append(e.Terms, Term{w, n})
	}
	slices.SortFunc(e.Terms, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
	return e
}

// all is a query for terms of every kind.
func all(limit int, terms ...string) Query {
	any := func(int) bool { return true }
	return Query{Terms: terms, Kind: any, Propagates: any, Limit: limit}
}

// keysOf names hits by their keys.
func keysOf(hits []Hit) []int64 {
	out := []int64{}
	for _, h := range hits {
		out = append(out, h.Key)
	}
	return out
}

// manyWords is n words that no other list has.
func manyWords(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%03d", i)
	}
	return out
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
