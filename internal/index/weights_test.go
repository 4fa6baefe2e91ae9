package index

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// said makes an entry of what somebody said.
func said(key int64, session uint64, text string) Entry {
	r := &memory.Record{Header: memory.Header{Kind: memory.KindRaw}, Body: &memory.Raw{Text: text}}
	return Describe(key, 1, session, r)
}

// first is the best hit of a question among what was said.
func first(t *testing.T, q Query, entries ...Entry) int64 {
	t.Helper()
	v, err := Of(0, entries, Wanted(q.Terms, q.Prefer))
	if err != nil {
		t.Fatal(err)
	}
	hits := searched(t, q, v)
	if len(hits) == 0 {
		t.Fatal("nothing found")
	}
	return hits[0].Key
}

// A long text has a word more often because it is long: it does not stand before a short one for that.
func TestALongTextDoesNotDrownAShortOne(t *testing.T) {
	short := "last week the violin was sold to a neighbour of mine in the next street " + strings.Repeat("and so on ", 10)
	long := strings.Repeat("a violin wants care"+strings.Repeat(" and whoever owns one knows what it means", 11)+" ", 6)
	if got := first(t, all(2, "violin"), said(1, 1, short), said(2, 2, long)); got != 1 {
		t.Errorf("%d words with 6 mentions stand before 44 words with one", len(strings.Fields(long)))
	}
}

// A short question is worth less than what says the same; a long text that ends in one is not.
func TestOnlyAShortQuestionIsWorthLess(t *testing.T) {
	tail := strings.Repeat(" and then some", 20)
	for _, tt := range []struct {
		text string
		want int64
	}{{"the river is deep", 2}, {"the river is deep" + tail, 1}} {
		got := first(t, all(2, "river"), said(2, 2, tt.text+"."), said(1, 1, tt.text+"?"))
		if got != tt.want && tt.want == 2 {
			t.Errorf("%.30q: the question is first", tt.text)
		}
		asks, says := questionWorth(uint32(len(strings.Fields(tt.text)))), float32(1)
		if (asks < says) != (tt.want == 2) {
			t.Errorf("%.30q: a question is worth %v of it", tt.text, asks)
		}
	}
	if a, b, c := questionWorth(32), questionWorth(48), questionWorth(64); a != questionFactor || b <= a || c != 1 {
		t.Errorf("worth at 32, 48 and 64 words: %v, %v, %v", a, b, c)
	}
}

// What has the kind of word that is asked for stands before its equals.
func TestPreferredWords(t *testing.T) {
	for mark, text := range map[string]string{
		TimeMark: "the bridge was painted in March", NumberMark: "the bridge has seven arches here",
	} {
		q := all(2, "bridg")
		entries := []Entry{said(1, 1, text), said(2, 2, "the bridge was painted with care")}
		if got := first(t, q, entries...); got != 2 {
			t.Errorf("%s: without a preference %d is first, want the newest", mark, got)
		}
		q.Prefer = mark
		if got := first(t, q, entries...); got != 1 {
			t.Errorf("%s: %d is first, want the one that has it", mark, got)
		}
	}
}

// What two turns say together counts nearly as if one had said it, unless one of them is long.
func TestBesideEachOther(t *testing.T) {
	own := func(session uint64, beside string) float64 {
		v := of(t, 0, []Entry{
			said(1, 1, "the violin is gone"), said(2, session, beside), said(3, 3, "a rare word"), said(4, 4, "nothing here"),
		}, "violin", "sell", "rare")
		for _, h := range searched(t, all(0, "violin", "sell", "rare"), v) {
			if h.Key == 1 {
				return h.Own
			}
		}
		t.Fatal("it is not found")
		return 0
	}
	// how much more it scores beside a text than far from it
	score := func(beside string) float64 { return own(1, beside) / own(2, beside) }
	same, more := score("the violin again"), score("sold for a song")
	if more <= same {
		t.Errorf("beside another term it scores %v, beside the same %v", more, same)
	}
	if long := score("sold" + strings.Repeat(" and more", 40)); long >= more {
		t.Errorf("beside a long text it scores %v, beside a short one %v", long, more)
	}
}
