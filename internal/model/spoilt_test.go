package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
)

// answersToSpoil are what models answer, well and badly.
func answersToSpoil() []string {
	seeds := []string{
		"```json\n{\"a\":[1,{\"b\":null}]}\n```", `{"a":{"b":[true,"\ud83d\ude00\\\""]},"c":-1.5e9}`, `{} {}`,
		`{"a":1,"A":2}`, `{"é":"` + "\u212a" + `"}`,
	}
	for _, task := range []string{llm.Detect, llm.Extract, llm.Process, llm.Consolidate, llm.Revise, llm.Identity,
		llm.Emotion} {
		a, err := sim.Generator{}.Generate(
			context.Background(),
			llm.Question{
				Task: task,
				Parts: []llm.Part{{Name: "new", Text: "Alice left Acme and must never smile."},
					{Name: "candidate 1", Text: "Alice works at Acme and smiled."}},
			},
		)
		if err == nil {
			seeds = append(seeds, a.Text)
		}
	}
	return seeds
}

// holds says what is wrong with what model.One gave.
func holds(answer string) string {
	got, err := model.One(answer)
	if err != nil {
		if !errors.Is(err, llm.ErrNonsense) || got != nil {
			return "an error of another kind, or an object with it"
		}
		return ""
	}
	var object map[string]json.RawMessage
	if !utf8.Valid(got) || json.Unmarshal(got, &object) != nil || object == nil || !strings.Contains(answer, string(got)) {
		return "what it took is no object of the answer: " + string(got)
	}
	return ""
}

func FuzzOne(f *testing.F) {
	for _, seed := range answersToSpoil() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		if wrong := holds(answer); wrong != "" {
			t.Errorf("%q: %s", answer, wrong)
		}
	})
}

func TestOneTakesTenThousandSpoiltAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seeds := answersToSpoil()
	pieces := []string{
		"{", "}", "[", "]", `"`, "\\", ",", ":", "null", "```", "\n", `"a":`, `{"a":1}`, "\xff", "\x00", "1e999",
		"\\ud800",
	}
	taken := 0
	for range 10_000 {
		answer := []byte(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(4) {
			at := random.IntN(len(answer) + 1)
			switch random.IntN(4) {
			case 0:
				answer = append(answer[:at:at], append([]byte(pieces[random.IntN(len(pieces))]), answer[at:]...)...)
			case 1:
				answer = answer[:at]
			case 2:
				if at < len(answer) {
					answer[at] = byte(random.Uint32())
				}
			case 3:
				end := min(len(answer), at+random.IntN(9))
				answer = append(answer[:at:at], answer[end:]...)
			}
		}
		if wrong := holds(string(answer)); wrong != "" {
			t.Errorf("%q: %s", answer, wrong)
		}
		if _, err := model.One(string(answer)); err == nil {
			taken++
		}
	}
	if taken < 100 || taken > 9_000 {
		t.Errorf("%d of 10,000 were taken: too few or too many for the test to say something", taken)
	}
}

func TestBoundsTakeTheSecondAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := model.Bounds{}.Checked(sim.Generator{Script: sim.NewScript(sim.Busy)})
		began := time.Now()
		a, err := g.Generate(t.Context(), llm.Question{
			Task:  llm.Detect,
			Parts: []llm.Part{{Name: "new", Text: "Alice left Acme"}, {Name: "candidate 1", Text: "Alice works at Acme"}},
		})
		if took := time.Since(began); err != nil || a.Text == "" || took < time.Second || took > 4*time.Second {
			t.Errorf("%+v, %v after %v", a, err, took)
		}
		if u := g.Usage(); u.Calls != 1 || u.Tries != 2 || len(u.Failures) != 0 || u.In != a.In || u.Out != a.Out ||
			!u.Since.Equal(began) || u.Today != a.In+a.Out {
			t.Errorf("usage %+v", u)
		}
	})
}

func TestCheckedFromManySides(t *testing.T) {
	e := model.Limits{Batch: 3}.Checked(llmtest.Hashed(32, 1))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			got, err := e.Embed(t.Context(), llm.Document, "a b", "", "c d", "e f", "g h")
			if err != nil || len(got) != 5 || len(got[4]) != 32 || got[1] != nil {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	wg.Wait()
}
