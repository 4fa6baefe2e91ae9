package evolve_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// A pair is two memories and what a reader of both says of them.
// testdata/pairs/README.md says what the fields and the labels mean.
type pair struct {
	ID     string   `json:"id"`
	Old    string   `json:"old"`
	New    string   `json:"new"`
	Label  string   `json:"label"`
	About  []string `json:"about"`
	Topic  string   `json:"topic"`
	Source string   `json:"source"`
	OldBy  string   `json:"old_by"`
	Note   string   `json:"note"`
}

// The labels, the letter an id begins with, and how many pairs there must be.
var labels = map[string]struct {
	letter string
	least  int
}{
	"update":     {"u", 110},
	"contradict": {"c", 110},
	"none":       {"n", 150},
	"extend":     {"e", 60},
	"derive":     {"d", 50},
}

const (
	leastPairs  = 480
	longestText = 400 // bytes
)

// readPairs returns one half: "tune" or "held".
func readPairs(t *testing.T, half string) []pair {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "pairs", half+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		var p pair
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("%s.jsonl:%d: %v", half, i+1, err)
		}
		if dec.More() {
			t.Fatalf("%s.jsonl:%d: more than one object", half, i+1)
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// plain is a text without case, spaces and punctuation, to compare by.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func TestPairsAreWellFormed(t *testing.T) {
	for _, half := range []string{"tune", "held"} {
		for _, p := range readPairs(t, half) {
			kind, known := labels[p.Label]
			if !known {
				t.Errorf("%s %s: label %q is none of the five", half, p.ID, p.Label)
			}
			if !strings.HasPrefix(p.ID, kind.letter+"-") {
				t.Errorf("%s %s: the id of a pair labelled %s begins with %s-", half, p.ID, p.Label, kind.letter)
			}
			if p.About == nil {
				t.Errorf("%s %s: about is missing; it may be empty", half, p.ID)
			}
			if p.Topic == "" {
				t.Errorf("%s %s: no topic", half, p.ID)
			}
			if p.Source != "" && p.Source != "seed" {
				t.Errorf("%s %s: source = %q, want none or seed", half, p.ID, p.Source)
			}
			for _, text := range append([]string{p.Old, p.New, p.Topic}, p.About...) {
				if text == "" || text != strings.TrimSpace(text) || len(text) > longestText {
					t.Errorf("%s %s: %q is empty, padded or too long", half, p.ID, text)
				}
			}
			for _, name := range p.About {
				if text := p.Old + " " + p.New + " " + p.OldBy; !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
					t.Errorf("%s %s: about %q, who does not occur", half, p.ID, name)
				}
			}
			if p.Label != "none" && plain(p.Old) == plain(p.New) {
				t.Errorf("%s %s: %s, but both say %q", half, p.ID, p.Label, p.Old)
			}
		}
	}
}

func TestPairsAreEnough(t *testing.T) {
	all, byOthers := 0, 0
	count := map[string]int{}
	for _, half := range []string{"tune", "held"} {
		inHalf := map[string]int{}
		for _, p := range readPairs(t, half) {
			all++
			count[p.Label]++
			inHalf[p.Label]++
			if p.OldBy != "" {
				byOthers++
			}
		}
		for label, want := range labels {
			if got := inHalf[label]; got < want.least*2/5 {
				t.Errorf("%s has %d pairs labelled %s, want at least %d", half, got, label, want.least*2/5)
			}
		}
	}
	for label, want := range labels {
		if got := count[label]; got < want.least {
			t.Errorf("%d pairs are labelled %s, want at least %d", got, label, want.least)
		}
	}
	if all < leastPairs {
		t.Errorf("%d pairs, want at least %d", all, leastPairs)
	}
	if byOthers*12 < all {
		t.Errorf("in %d of %d pairs the old was said by another person, want one in twelve", byOthers, all)
	}
}

func TestNoPairIsListedTwice(t *testing.T) {
	ids, texts := map[string]string{}, map[string]string{}
	topics, sides := map[string]string{}, map[string]string{}
	for _, half := range []string{"tune", "held"} {
		for _, p := range readPairs(t, half) {
			at := half + " " + p.ID
			if first, twice := ids[p.ID]; twice {
				t.Errorf("%s: the id is that of %s", at, first)
			}
			ids[p.ID] = at
			key := plain(p.Old) + "|" + plain(p.New)
			if first, twice := texts[key]; twice {
				t.Errorf("%s says the same as %s", at, first)
			}
			texts[key], texts[plain(p.New)+"|"+plain(p.Old)] = at, at
			if first, known := topics[p.Topic]; known && first != half {
				t.Errorf("%s: topic %q stands in both halves", at, p.Topic)
			}
			topics[p.Topic] = half
			for _, text := range []string{p.Old, p.New} {
				if first, known := sides[plain(text)]; known && first != half {
					t.Errorf("%s: %q stands in both halves", at, text)
				}
				sides[plain(text)] = half
			}
		}
	}
}
