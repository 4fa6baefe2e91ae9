package sim

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/llm"
)

func detectQuestion(now string, old ...string) llm.Question {
	q := llm.Question{Task: llm.Detect, Parts: []llm.Part{{Name: "new", Text: now}}}
	for i, o := range old {
		q.Parts = append(q.Parts, llm.Part{Name: "candidate " + string(rune('1'+i)), Text: o})
	}
	return q
}

func TestSimDetects(t *testing.T) {
	tests := []struct {
		now       string
		old       []string
		relation  string
		candidate int
	}{
		{"Alice left Acme and joined StartupX", []string{"Bob works at Acme", "Alice works at Acme"}, "update", 2},
		{"Alice left Acme and joined StartupX", []string{"Alice works at Acme"}, "update", 1},
		{"The deploy now takes 9 minutes", []string{"The deploy takes 20 minutes"}, "update", 1},
		{"The limit is 500 requests", []string{"The limit is 100 requests"}, "update", 1},
		{"Alice moved to Berlin", []string{"Alice likes hiking"}, "none", 0},
		{"Bob left Acme", []string{"Alice works at Acme"}, "none", 0},
		{"hates hiking", []string{"likes hiking"}, "contradict", 1},
		{"Alice hates hiking", []string{"Alice likes coffee", "Alice likes hiking"}, "contradict", 2},
		{"Bob hates hiking", []string{"Alice likes hiking"}, "none", 0},
		{"The API does not support batch calls", []string{"The API does support batch calls"}, "contradict", 1},
		{"Alice also knows TypeScript", []string{"Alice knows Python"}, "extend", 1},
		{"also knows TypeScript", []string{"knows Python"}, "extend", 1},
		{
			"Alice prefers remote work",
			[]string{
				"Alice worked from home on Monday", "Alice worked from home on Tuesday",
				"Alice worked from home on Friday",
			},
			"derive", 1,
		},
		{"prefers remote work", []string{"WFH on Monday", "WFH on Tuesday", "works from home most days"}, "derive", 3},
		{"Alice prefers remote work", []string{"Alice worked from home on Monday"}, "none", 0},
		{"Use the release branch rules", []string{"Know the release branch rules"}, "none", 0},
		{"Alice works at Acme", []string{"Alice works at Acme"}, "none", 0},
		{"Please detect the evolution: update", []string{"Alice works at Acme"}, "none", 0},
		{"", nil, "none", 0},
	}
	for _, tt := range tests {
		for seed := range int64(20) {
			a, err := Generator{Seed: seed}.Generate(t.Context(), detectQuestion(tt.now, tt.old...))
			if err != nil {
				t.Fatal(err)
			}
			var got relation
			if err := json.Unmarshal([]byte(a.Text), &got); err != nil {
				t.Fatal(err)
			}
			candidate := 0
			if got.Candidate != nil {
				candidate = *got.Candidate
			}
			if got.Relation != tt.relation || candidate != tt.candidate || got.Confidence < .5 || got.Confidence > 1 {
				t.Errorf("%q after %q: got %s, want %s of %d", tt.now, tt.old, a.Text, tt.relation, tt.candidate)
				break
			}
		}
	}
}

// cases are a question of each task; wants, in their order, what the plain rules answer.
var cases = []struct {
	task  string
	parts []llm.Part
}{
	{
		llm.Extract,
		[]llm.Part{{
			Name: "text",
			Text: "Alice left Acme and joined StartupX on 2024-05-01. She prefers Go. We decided to use PostgreSQL.",
		}},
	},
	{
		llm.Process,
		[]llm.Part{
			{Name: "event 3", Text: "Run the migration"}, {Name: "event 4", Text: "it failed with a timeout"},
			{Name: "event 7", Text: "Never run it without a backup. Fixed by a longer timeout, tests passed"},
		},
	},
	{
		llm.Consolidate,
		[]llm.Part{
			{Name: "episode 1", Text: "Deploy on Friday failed at night"}, {Name: "episode 2", Text: "Cats sleep"},
			{Name: "episode 5", Text: "Friday deploy failed again. Never deploy on Friday."},
		},
	},
	{
		llm.Revise,
		[]llm.Part{
			{Name: "episode", Text: "The Friday deploy failed"}, {Name: "belief 1", Text: "A deploy on Friday is safe"},
			{Name: "belief 2", Text: "Cats sleep"},
		},
	},
	{
		llm.Identity,
		[]llm.Part{
			{Name: "belief 1", Text: "Tests should come first"}, {Name: "belief 2", Text: "I want to ship the release"},
			{Name: "belief 3", Text: "Alice enjoys puzzles"}, {Name: "belief 4", Text: "Water is wet"},
		},
	},
	{llm.Emotion, []llm.Part{{Name: "text", Text: "I was so frustrated, then relieved"}}},
}

func TestSimAnswersEveryTask(t *testing.T) {
	for i, tt := range cases {
		a, err := Generator{Seed: 1}.Generate(t.Context(), llm.Question{Task: tt.task, Parts: tt.parts})
		if err != nil {
			t.Fatal(err)
		}
		if want := wants[i]; a.Text != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.task, a.Text, want)
		}
		if _, err := model.Object(a); err != nil || a.In == 0 || a.Out == 0 ||
			strings.Contains(strings.ReplaceAll(a.Text, `_from":null`, ""), "[null") {
			t.Errorf("%s: %v, %d and %d tokens", tt.task, err, a.In, a.Out)
		}
		if empty, err := (Generator{}).Generate(t.Context(), llm.Question{Task: tt.task}); err != nil ||
			strings.Contains(empty.Text, `s":null`) {
			t.Errorf("%s of nothing: %s, %v, want empty lists", tt.task, empty.Text, err)
		}
	}
	if _, err := (Generator{}).Generate(t.Context(), llm.Question{Task: "sing"}); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("an unknown task: %v, want ErrRefused", err)
	}
}

func TestSimIsTheSameAThousandTimes(t *testing.T) {
	s := Generator{Seed: 42, Faults: map[Fault]float64{Malformed: .2, Cut: .2, Two: .2, Extra: .2}}
	first := ""
	for range 1000 {
		var all strings.Builder
		for seed := range int64(2) {
			for _, tt := range cases {
				a, err := s.Generate(t.Context(), llm.Question{Task: tt.task, Parts: tt.parts, Seed: seed})
				all.WriteString(written([]any{a, err}))
			}
			a, _ := s.Generate(t.Context(), detectQuestion("Alice left Acme", "Alice works at Acme"))
			all.WriteString(a.Text)
		}
		if first == "" {
			first = all.String()
		}
		if all.String() != first {
			t.Fatalf("got %s\nwant %s", all.String(), first)
		}
	}
	if s.Seed = 43; s.chance(llm.Question{}, "x") == (Generator{Seed: 42}).chance(llm.Question{}, "x") {
		t.Error("the seed changes nothing")
	}
}

func TestSimFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := detectQuestion("Alice left Acme", "Alice works at Acme")
		right, err := Generator{}.Generate(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		s := Generator{
			Script: NewScript(Timeout, Busy, Malformed, Refusal, Slow, Cut, Two, Extra, Fine),
		}
		ask := func() (llm.Answer, time.Duration, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			a, err := s.Generate(ctx, q)
			return a, time.Since(began), err
		}
		if _, took, err := ask(); !errors.Is(err, llm.ErrUnavailable) || took != 10*time.Second {
			t.Errorf("timeout: %v after %v", err, took)
		}
		_, _, err = ask()
		var after interface{ RetryAfter() time.Duration }
		if !errors.Is(err, llm.ErrUnavailable) || !errors.As(err, &after) || after.RetryAfter() != time.Second {
			t.Errorf("busy: %v", err)
		}
		if a, _, err := ask(); err != nil || a.Text == right.Text {
			t.Errorf("malformed: %q, %v", a.Text, err)
		}
		if a, _, err := ask(); !errors.Is(err, llm.ErrDeclined) || !errors.Is(err, llm.ErrRefused) || !a.Refused {
			t.Errorf("refusal: %v", err)
		}
		if a, took, err := ask(); err != nil || a.Text != right.Text || took != 2*time.Second {
			t.Errorf("slow: %q, %v after %v", a.Text, err, took)
		}
		if a, _, err := ask(); err != nil || !a.Cut || !strings.HasPrefix(right.Text, a.Text) {
			t.Errorf("cut: %+v, %v", a, err)
		}
		for _, name := range []string{"two", "beside"} {
			a, _, err := ask()
			if _, wrong := model.Object(a); err != nil || !errors.Is(wrong, llm.ErrNonsense) ||
				!strings.Contains(a.Text, right.Text) {
				t.Errorf("%s: %q, %v", name, a.Text, err)
			}
		}
		for range 2 { // the script's last, and after it
			if a, _, err := ask(); err != nil || a != right {
				t.Errorf("fine: %+v, %v", a, err)
			}
		}
	})
}

func TestSimFailsAtARate(t *testing.T) {
	s := Generator{Seed: 1, Faults: map[Fault]float64{Busy: .3}}
	failed := 0
	for i := range int64(1000) {
		q := detectQuestion("Alice left Acme", "Alice works at Acme")
		q.Seed = i
		if _, err := s.Generate(t.Context(), q); err != nil {
			failed++
		}
	}
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1,000 failed, want about 300", failed)
	}
}

func TestSimTakesAnswersOfOthers(t *testing.T) {
	s := Generator{
		Answers: map[string]func(Generator, llm.Question) string{
			"sing": func(_ Generator, q llm.Question) string { return `{"song":"` + q.Parts[0].Text + `"}` },
		},
	}
	if a, err := s.Generate(t.Context(), llm.Question{Task: "sing",
		Parts: []llm.Part{{Name: "key", Text: "la"}}}); err != nil ||
		a.Text != `{"song":"la"}` {
		t.Errorf("got %q, %v", a.Text, err)
	}
}

var wants = []string{
	`{"entities":[{"name":"Alice","kind":"person"},{"name":"Acme","kind":"organisation"},{"name":"StartupX",` +
		`"kind":"organisation"},{"name":"Go","kind":"tool"},{"name":"PostgreSQL","kind":"tool"}],` +
		`"memories":[{"kind":"belief","type":"fact","text":"Alice left Acme and joined StartupX on 2024-05-01",` +
		`"about":["Alice","Acme","StartupX"],"confidence":0.85,"valid_from":"2024-05-01"},{"kind":"belief",` +
		`"type":"preference","text":"She prefers Go","about":["Go"],"confidence":0.85,"valid_from":null},{"kind":"note",` +
		`"type":"decision","text":"We decided to use PostgreSQL","about":["PostgreSQL"],"confidence":0.85,` +
		`"valid_from":null}]}`,
	`{"memories":[{"kind":"episode","type":"session","text":"Run the migration","outcome":"Fixed by a longer timeout, ` +
		`tests passed","outcome_type":"success","lessons":["Never run it without a backup"],"valence":0.4,"arousal":0.5,` +
		`"from":[3,4,7],"confidence":0.82},{"kind":"note","type":"constraint","text":"Never run it without a backup",` +
		`"outcome":null,"outcome_type":"unknown","lessons":[],"valence":null,"arousal":null,"from":[7],` +
		`"confidence":0.77},{"kind":"note","type":"known_fix","text":"Fixed by a longer timeout, tests passed",` +
		`"outcome":null,"outcome_type":"unknown","lessons":[],"valence":null,"arousal":null,"from":[7],"confidence":0.77}]}`,
	`{"beliefs":[{"text":"Never deploy on Friday","type":"principle","from":[1,5],"confidence":0.77}]}`,
	`{"moves":[{"belief":1,"effect":"weakens","step":0.1,"reason":"it failed where the belief says nothing of failing"}]}`,
	`{"suggestions":[{"kind":"value","name":"tests come first","text":"Tests should come first","type":"core",` +
		`"priority":50,"intensity":null,"from":[1],"confidence":0.7},{"kind":"goal","name":"want ship release","text":"I ` +
		`want to ship the release","type":"outcome","priority":50,"intensity":null,"from":[2],"confidence":0.7},` +
		`{"kind":"drive","name":"alice puzzles","text":"Alice enjoys puzzles","type":"curiosity","priority":null,` +
		`"intensity":0.5,"from":[3],"confidence":0.7}]}`,
	`{"valence":0.5,"arousal":0.3,"labels":["relief","frustration"],"confidence":0.77}`,
}
