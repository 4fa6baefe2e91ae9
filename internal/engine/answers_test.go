package engine_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
)

// packOf makes a store of the memories in testdata, and returns what a recall of all of them gives, with its proofs.
func packOf(t *testing.T, e *engine.Engine) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/answers/memories.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(string(raw)), "\n")
	for _, text := range all {
		capture(t, e, text)
	}
	pack, err := e.Recall(t.Context(), api.RecallRequest{Query: string(raw), Budget: 50_000, Proofs: true})
	if err != nil {
		t.Fatal(err)
	}
	given := make(map[string]bool)
	for _, r := range pack.Results {
		given[r.Text] = true
		for _, turn := range append(r.Before, r.After...) {
			given[turn.Text] = true
		}
	}
	for _, text := range all {
		if !given[text] {
			t.Fatalf("not given: %s", text)
		}
	}
	out, err := json.Marshal(pack)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// judged is a sentence of a made answer: s rests on words that were given, n quotes none, d is a quotation that is
// denied, a is one that was altered, m is one that only the meaning denies: what the answer adds is named.
type judged struct{ want, got, text, adds string }

// answersOf reads made answers, and returns how each sentence was judged.
func answersOf(t *testing.T, pack []byte, name string) (all []judged, answers int) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "answers", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range strings.Split(string(raw), "=== ")[1:] {
		answers++
		title, body, _ := strings.Cut(one, "\n")
		text, labels, _ := strings.Cut(body, "\n--- ")
		got, err := audit.Pack(t.Context(), bytes.NewReader(pack), strings.NewReader(text), audit.Options{})
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		want := strings.Fields(labels)
		if len(want) != len(got.Sentences) {
			t.Errorf("%s: %d sentences, want %d: %+v", title, len(got.Sentences), len(want), got.Sentences)
			continue
		}
		for i := range got.Sentences {
			s := &got.Sentences[i]
			all = append(all, judged{want[i], s.Verdict, title + ": " + s.Text, s.Adds})
		}
	}
	return all, answers
}

// An answer's sentence rests on words only where it quotes them, and nothing about the quotation denies or alters it.
func TestAnswersRestOnWhatTheyQuote(t *testing.T) {
	pack := packOf(t, open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{}))
	for _, file := range []string{"first.txt", "second.txt"} {
		all, answers := answersOf(t, pack, file)
		count, right, denied := make(map[string]int), 0, 0
		for _, j := range all {
			rests := j.got == "quotes" || j.got == "part"
			count[j.want]++
			switch {
			case j.want == "s" && rests:
				right++
			case j.want == "s":
				t.Logf("%s: not found: %s (%s)", file, j.text, j.got)
			case j.want == "m":
				if j.adds == "" {
					t.Errorf("%s: nothing says what is added: %s", file, j.text)
				}
			case rests:
				t.Errorf("%s: rests on nothing, called %s: %s", file, j.got, j.text)
			case j.want == "d":
				denied++
			}
		}
		t.Logf("%s: %d answers, %d sentences: %d of %d quotations found, %d denied, %d altered, %d quote nothing; %d denied "+
			"by meaning alone", file, answers, len(all), right, count["s"], denied, count["a"], count["n"], count["m"])
		if float64(right) < .9*float64(count["s"]) {
			t.Errorf("%s: %d of %d quotations found", file, right, count["s"])
		}
	}
}

// An entry that carries a proof is shown to be what its author signed.
func TestPackProvesItsEntries(t *testing.T) {
	pack := packOf(t, open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{}))
	got, err := audit.Pack(t.Context(), bytes.NewReader(pack), nil, audit.Options{})
	if err != nil || got.Exit() != report.ExitOK || len(got.Entries) < 24 {
		t.Fatalf("%d entries, exit %d: %v %+v", len(got.Entries), got.Exit(), err, got.Entries)
	}
}
