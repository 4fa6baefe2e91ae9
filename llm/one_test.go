package llm

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOne(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	tests := []struct{ name, answer, want string }{
		{"object", ` {"a":1} `, `{"a":1}`},
		{"fence", "```json\n{\"a\":\"}\"}\n```\n", `{"a":"}"}`},
		{"fence without a word", "```\n{}\n```", `{}`},
		{"32 levels", deep(32), deep(32)},
		{"brackets in strings", `{"a":"` + strings.Repeat("[", 99) + `\""}`, `{"a":"` + strings.Repeat("[", 99) + `\""}`},
		{"one key in two objects", `{"a":{"b":1},"c":[{"b":2},{"b":3}]}`, `{"a":{"b":1},"c":[{"b":2},{"b":3}]}`},
		{"a value that is like a key", `{"a":"a","b":["a","a"]}`, `{"a":"a","b":["a","a"]}`},

		{"33 levels", deep(33), ""},
		{"a million levels", strings.Repeat(`{"a":[`, 20000), ""},
		{"two objects", `{"a":1}{"a":1}`, ""},
		{"two objects on lines", "{\"a\":1}\n{\"a\":1}", ""},
		{"text before", `Sure: {"a":1}`, ""},
		{"text behind", `{"a":1} as you asked`, ""},
		{"text beside the fence", "Sure:\n```json\n{}\n```", ""},
		{"text behind the fence", "```json\n{}\n``` done", ""},
		{"two fences", "```\n```json\n{}\n```\n```", ""},
		{"two fenced objects", "```\n{}\n```\n```\n{}\n```", ""},
		{"open fence", "```json\n{}", ""},
		{"words in the fence's line", "```json please\n{}\n```", ""},
		{"fence of one line", "```{}```", ""},
		{"array", `[{"a":1}]`, ""},
		{"string", `"{}"`, ""},
		{"null", `null`, ""},
		{"nothing", ``, ""},
		{"half", `{"a":`, ""},
		{"key twice", `{"a":1,"a":2}`, ""},
		{"key twice, escaped", `{"a":1,"\u0061":2}`, ""},
		{"key twice, in another case", `{"relation":"none","Relation":"update"}`, ""},
		{"key twice, in a case of its own", `{"k":1,"` + "\u212a" + `":2}`, ""},
		{"key twice, deep", `{"a":[{"b":{"c":1,"c":2}}]}`, ""},
		{"key twice, behind an object", `{"a":{"x":1},"a":2}`, ""},
		{"vast", `{"a":"` + strings.Repeat("x", maxAnswer) + `"}`, ""},
		{"not UTF-8", "{\"a\":\"\xff\"}", ""},
		{"NaN", `{"a":NaN}`, ""},
	}
	for _, tt := range tests {
		got, err := One(tt.answer)
		if string(got) != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, ErrNonsense) {
			t.Errorf("%s: got %.80s, %v, want %.80s", tt.name, got, err, tt.want)
		}
	}
}

func TestObjectRefusesWhatWasCut(t *testing.T) {
	if got, err := (Answer{Text: `{}`, Cut: true}).Object(); !errors.Is(err, ErrNonsense) {
		t.Errorf("got %s, %v, want ErrNonsense", got, err)
	}
	if got, err := (Answer{Text: `{}`}).Object(); err != nil || string(got) != `{}` {
		t.Errorf("got %s, %v, want {}", got, err)
	}
}

// answersToSpoil are what models answer, well and badly.
func answersToSpoil() []string {
	seeds := []string{
		"```json\n{\"a\":[1,{\"b\":null}]}\n```", `{"a":{"b":[true,"\ud83d\ude00\\\""]},"c":-1.5e9}`, `{} {}`,
		`{"a":1,"A":2}`, `{"é":"` + "\u212a" + `"}`,
	}
	for _, task := range []string{Detect, Extract, Process, Consolidate, Revise, Identity, Emotion} {
		a, err := Sim{}.Generate(
			context.Background(),
			Question{
				Task:  task,
				Parts: []Part{{"new", "Alice left Acme and must never smile."}, {"candidate 1", "Alice works at Acme and smiled."}},
			},
		)
		if err == nil {
			seeds = append(seeds, a.Text)
		}
	}
	return seeds
}

// holds says what is wrong with what One gave.
func holds(answer string) string {
	got, err := One(answer)
	if err != nil {
		if !errors.Is(err, ErrNonsense) || got != nil {
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
		if _, err := One(string(answer)); err == nil {
			taken++
		}
	}
	if taken < 100 || taken > 9_000 {
		t.Errorf("%d of 10,000 were taken: too few or too many for the test to say something", taken)
	}
}
