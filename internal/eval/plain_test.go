package eval

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

func said(alias, speaker, text, caption string) api.Foreign {
	return api.Foreign{Alias: []string{alias}, Body: &memory.Raw{Text: text, Speaker: speaker, Caption: caption}}
}

func TestPlainFindsTextCaptionAndSpeaker(t *testing.T) {
	p := newPlain([]api.Foreign{
		said("1", "Ada", "The frogs are back.", ""),
		said("2", "Ben", "Look!", "two frogs on a leaf"),
		said("3", "Ben", "Nothing else is new today.", ""),
		said("4", "Ben", "Nothing else is new today.", ""),
	})
	for question, want := range map[string]string{
		"frogs":                    "1 2", // the shorter first
		"a leaf":                   "2",
		"What does Ada say?":       "1",
		"Nothing":                  "3 4", // of equals the earlier first
		"Is there a dragon there?": "",
	} {
		if got := strings.Join(p.search(question), " "); got != want {
			t.Errorf("search(%q) = %q, want %q", question, got, want)
		}
	}
}

// Three turns of 2, 4 and 3 terms; frog stands in two of them, pond in one.
func TestPlainIsBM25(t *testing.T) {
	p := newPlain([]api.Foreign{
		said("1", "", "frog pond", ""), said("2", "", "frog frog frog leaf", ""), said("3", "", "reed reed reed", ""),
	})
	// ln(1 + (3-2+0.5)/(2+0.5)) and ln(1 + (3-1+0.5)/(1+0.5))
	if frog, pond := p.rarity("frog"), p.rarity("pond"); !near(frog, 0.47000) || !near(pond, 0.98083) {
		t.Errorf("frog weighs %v, pond %v, want 0.47000 and 0.98083", frog, pond)
	}
	// of 1, 0.47 × 2.2 / (1 + 1.2 × (0.25 + 0.75 × 2/3)) = 0.54421, of 2, 0.47 × 6.6 / (3 + 1.2
	// × (0.25 + 0.75 × 4/3)) = 0.68934
	for alias, want := range map[string]float64{"1": 0.54421, "2": 0.68934, "3": 0} {
		i := slices.IndexFunc(p.turns, func(b bag) bool { return b.alias == alias })
		if got := p.score(&p.turns[i], []string{"frog"}); !near(got, want) {
			t.Errorf("turn %s scores %v, want %v", alias, got, want)
		}
	}
}

// Equals are given in their order.
func TestPlainKeepsTheOrderOfEquals(t *testing.T) {
	var turns []api.Foreign
	var want []string
	for i := range 3 * Limit {
		turns = append(turns, said(strconv.Itoa(i), "", "frog"+strings.Repeat(" leaf", i%3), ""))
		if i%3 == 0 {
			want = append(want, strconv.Itoa(i))
		}
	}
	if got := newPlain(turns).search("frog"); len(got) != len(turns) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
