//go:build !race

package made

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/eval"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// conversations are a few of a form.
func conversations(f Form) []eval.Conversation {
	sessions := map[Form]int{Talk: 50, Bursts: 50, Transcripts: 40}[f]
	return []eval.Conversation{Conversation(f, 1, sessions)}
}

func TestFormsAreWhatTheySay(t *testing.T) {
	for _, f := range Forms {
		var lengths, assistant []int
		same, all, several, asked := 0, 0, 0, 0
		for _, c := range conversations(f) {
			before := ""
			for _, r := range c.Records {
				raw := r.Body.(*memory.Raw)
				n := len(strings.Fields(raw.Text))
				if raw.Speaker == "assistant" {
					assistant = append(assistant, n)
				} else {
					lengths = append(lengths, n)
				}
				if all++; raw.Speaker == before {
					same++
				}
				before = raw.Speaker
			}
			for _, q := range c.Questions {
				if asked++; len(q.Evidence) > 1 {
					several++
				}
			}
		}
		slices.Sort(lengths)
		slices.Sort(assistant)
		t.Logf("%s: %d turns, median %d words, %d %% after the same speaker, %d questions, %d of several turns",
			f, all, lengths[len(lengths)/2], 100*same/all, asked, several)
		switch median := lengths[len(lengths)/2]; {
		case f == Transcripts && (median < 35 || assistant[len(assistant)/2] < 450):
			t.Errorf("transcripts: a person says %d words, the assistant %d", median, assistant[len(assistant)/2])
		case f == Bursts && (same*100 < all*40 || median > 14):
			t.Errorf("bursts: %d of %d turns follow one of the same speaker, of %d words", same, all, median)
		case several == 0:
			t.Errorf("%s: no question names several turns", f)
		}
		if one := Conversation(f, 1, 5); !reflect.DeepEqual(one, Conversation(f, 1, 5)) {
			t.Errorf("%s: the same seed gave other words", f)
		}
	}
}

// What search finds in each form, and that it is never less than plain BM25 finds.
func TestEveryForm(t *testing.T) {
	least := map[Form]float64{Talk: .9, Bursts: .76, Transcripts: .85}
	// of transcripts, in packs of 2000 true tokens: turns are given whole, and what clearly answers with its conversation
	const evidence = .87
	for _, f := range Forms {
		t.Run(string(f), func(t *testing.T) {
			r, err := eval.Run(t.Context(), conversations(f), eval.Options{
				Packs: f == Transcripts,
				Open: func(ctx context.Context, clock func() time.Time) (*engine.Engine, error) {
					dir := t.TempDir()
					c := engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, "keys"), Now: clock}
					return engine.Open(ctx, filepath.Join(dir, "made.db"), c)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range append(r.Search.Kinds, r.Search.All) {
				t.Logf("stemma %-12s %4d  R@5 %.3f R@10 %.3f R@20 %.3f", at.Of, at.Questions, at.Recall5, at.Recall10, at.Recall20)
			}
			for _, at := range append(r.Plain.Kinds, r.Plain.All) {
				t.Logf("plain  %-12s %4d  R@5 %.3f R@10 %.3f R@20 %.3f", at.Of, at.Questions, at.Recall5, at.Recall10, at.Recall20)
			}
			for _, p := range r.Packs {
				t.Logf("pack of %d: %.3f, plain %.3f, %.1f turns", p.Budget, p.Evidence, p.Plain, p.Turns)
			}
			if len(r.Packs) > 0 && (r.Packs[1].Evidence < evidence || r.Packs[1].Evidence < r.Packs[1].Plain) {
				t.Errorf("packs of %d hold %.3f of the evidence, want %.3f and not less than plain BM25's %.3f",
					r.Packs[1].Budget, r.Packs[1].Evidence, evidence, r.Packs[1].Plain)
			}
			if r.Search.All.Recall10 < least[f] || r.Search.All.Recall10 < r.Plain.All.Recall10 {
				t.Errorf("R@10 is %.3f, want %.3f and not less than plain BM25's %.3f", r.Search.All.Recall10, least[f],
					r.Plain.All.Recall10)
			}
		})
	}
}
