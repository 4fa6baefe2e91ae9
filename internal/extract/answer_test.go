package extract

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
)

// readAll reads a text as the answer to every question: it may be refused, and must not pass what cannot be kept.
func readAll(t *testing.T, answer string) (refused int) {
	t.Helper()
	refuse := func(drafts []Draft, n int, err error) {
		held(t, drafts, n)
		if err != nil {
			refused++
			if !errors.Is(err, llm.ErrNonsense) {
				t.Fatalf("%q: %v is not ErrNonsense", answer, err)
			}
			if len(drafts) > 0 {
				t.Fatalf("%q: drafts beside %v", answer, err)
			}
		}
		if len(drafts) > maxDrafts {
			t.Fatalf("%d drafts", len(drafts))
		}
	}
	_, d, err := ReadExtract(answer)
	refuse(d, 1, err)
	d, err = ReadProcess(answer, 3)
	refuse(d, 3, err)
	d, err = ReadConsolidate(answer, 3)
	refuse(d, 3, err)
	d, err = ReadIdentity(answer, 3)
	refuse(d, 3, err)
	_, err = ReadRevise(answer, 3)
	refuse(nil, 0, err)
	return refused
}

const goodMemory = `{"kind":"note","type":"decision","text":"Use Go","outcome":null,"outcome_type":"unknown",` +
	`"lessons":[],"valence":null,"arousal":null,"from":[2],"confidence":0.8}`

func TestReadProcess(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(goodMemory, old) {
			t.Fatalf("%s is not there", old)
		}
		return `{"memories":[` + strings.Replace(goodMemory, old, new, 1) + `]}`
	}
	for _, tt := range []struct {
		answer string
		want   int // drafts; -1 is nonsense
	}{
		{`{"memories":[` + goodMemory + `]}`, 1},
		{"```json\n" + `{"memories":[` + goodMemory + "]}\n```", 1},
		{`{"memories":[]}`, 0},
		{`{"memories":[` + goodMemory + `,` + goodMemory + `]}`, 1},
		{change(`"Use Go"`, `" "`), 0},
		{change(`[2]`, `[]`), 0},
		{change(`[2]`, `[3,1,3]`), 1},
		{change(`[2]`, `[0]`), -1}, {change(`[2]`, `[4]`), -1}, {change(`[2]`, `[-1]`), -1}, {
			change(`[2]`, `[1.5]`), -1,
		}, {change(`[2]`, `null`), -1},
		{change(`0.8`, `1.1`), -1}, {change(`0.8`, `-0.1`), -1}, {
			change(`0.8`, `1e999`), -1,
		}, {change(`0.8`, `null`), -1}, {change(`0.8`, `"high"`), -1},
		{change(`"note"`, `"belief"`), -1}, {change(`"note"`, `"raw"`), -1}, {
			change(`"decision"`, `"hunch"`), -1,
		}, {change(`"unknown"`, `"good"`), -1},
		{change(`"valence":null`, `"valence":2`), -1}, {change(`"arousal":null`, `"arousal":-1`), -1},
		{change(`"Use Go"`, `"`+strings.Repeat("a", maxAnswerText+1)+`"`), -1},
		{change(`"lessons":[],`, ``), -1}, {
			change(`"lessons":[]`, `"lessons":[],"approve":true`), -1,
		}, {change(`"lessons":[]`, `"lessons":[],"name":"x"`), -1},
		{`{}`, -1}, {`{"memories":null}`, -1}, {`[]`, -1}, {``, -1}, {`{"memories":[]} and more`, -1}, {
			`{"memories":[]}{"memories":[]}`, -1,
		},
	} {
		got, err := ReadProcess(tt.answer, 3)
		held(t, got, 3)
		if n := len(got); (err != nil) != (tt.want < 0) || err == nil && n != tt.want {
			t.Errorf("ReadProcess(%.200s) = %d drafts, %v; want %d", tt.answer, n, err, tt.want)
		}
	}
	got, _ := ReadProcess(change(`[2]`, `[3,1,3]`), 3)
	if got[0].From[0] != 0 || got[0].From[1] != 2 || got[0].Rule != ProcessVersion || got[0].Confidence != 800 {
		t.Errorf("the draft = %+v", got[0])
	}
	many := strings.Repeat(goodMemory+",", 29) + goodMemory
	for i := range 30 {
		many = strings.Replace(many, `"Use Go"`, `"Use Go `+strings.Repeat("x", i)+`"`, 1)
	}
	if got, err := ReadProcess(`{"memories":[`+many+`]}`, 3); err != nil || len(got) != maxDrafts {
		t.Errorf("of 30 memories %d are read, %v, want %d", len(got), err, maxDrafts)
	}
}

func TestReadOthers(t *testing.T) {
	for answer, want := range map[string]int{ // how many of the five readings refuse it
		`{"entities":[{"name":"A","kind":"person"}],"memories":[{"kind":"relationship","type":"person","text":"knows B",` +
			`"about":["A"],"confidence":1,"valid_from":"2026-01-02"}]}`: 4,
		`{"entities":[{"name":"A","kind":"alien"}],"memories":[]}`: 5,
		`{"entities":[],"memories":[{"kind":"belief","type":"fact","text":"x","about":[],"confidence":1,` +
			`"valid_from":"soon"}]}`: 5,
		`{"moves":[{"belief":1,"effect":"weakens","step":0.2,"reason":"r"}]}`: 4,
		`{"moves":[{"belief":4,"effect":"weakens","step":0.2,"reason":"r"}]}`: 5,
		`{"moves":[{"belief":1,"effect":"deletes","step":0.2,"reason":"r"}]}`: 5,
		`{"moves":[{"belief":1,"effect":"weakens","step":2,"reason":"r"}]}`:   5,
		`{"suggestions":[{"kind":"value","name":"Care","text":"Test first","type":"","priority":80,"intensity":null,` +
			`"from":[1,2],"confidence":0.5}]}`: 4,
		`{"suggestions":[{"kind":"value","name":"Care","text":"Test first","type":"","priority":101,"intensity":null,` +
			`"from":[1,2],"confidence":0.5}]}`: 5,
		`{"beliefs":[{"text":"x","type":"fact","from":[1,2],"confidence":0.5}]}`: 4,
	} {
		if got := readAll(t, answer); got != want {
			t.Errorf("%s is refused by %d, want %d", answer, got, want)
		}
	}
}

// Every question is answered by the simulated model in a shape that is read.
func TestQuestionsAndAnswersFit(t *testing.T) {
	ask := func(q llm.Question) string {
		t.Helper()
		if !json.Valid(q.Schema) || strings.Contains(q.System, "Zebra") || !strings.HasSuffix(q.System, material) {
			t.Errorf("%s: the shape or the instructions are not as promised", q.Task)
		}
		a, err := (sim.Generator{}).Generate(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return a.Text
	}
	entities, drafts, err := ReadExtract(
		ask(AskExtract("Alice Zebra left Acme and joined StartupX. We decided to use Go.", noon, 1)),
	)
	if err != nil || len(entities) == 0 || len(drafts) == 0 {
		t.Errorf("extract: %v %v %v", entities, drafts, err)
	}
	held(t, drafts, 1)
	events := session(
		"user_prompt: Run the Zebra migration", "error: it failed with a timeout",
		"assistant_response: Fixed by a longer timeout, tests passed. Never run it without a backup.",
	)
	drafts, err = ReadProcess(ask(AskProcess(events, 1)), len(events))
	if err != nil || len(drafts) == 0 {
		t.Errorf("process: %v %v", drafts, err)
	}
	held(t, drafts, len(events))
	past := []Past{
		{Text: "Deploy on Friday failed"}, {Text: "Friday deploy failed again"},
		{Text: "Deploy on Friday failed at night. Zebra"},
	}
	if drafts, err = ReadConsolidate(ask(AskConsolidate(past, 1)), len(past)); err != nil {
		t.Errorf("consolidate: %v %v", drafts, err)
	}
	held(t, drafts, len(past))
	if moves, err := ReadRevise(
		ask(AskRevise(past[0], []string{"A deploy on Friday is safe", "Cats sleep"}, 1)), 2,
	); err != nil {
		t.Errorf("revise: %v %v", moves, err)
	}
	beliefs := []string{"Tests should come first", "I want to ship the release", "Alice enjoys puzzles"}
	if drafts, err = ReadIdentity(ask(AskIdentity(beliefs, 1)), len(beliefs)); err != nil {
		t.Errorf("identity: %v %v", drafts, err)
	}
	held(t, drafts, len(beliefs))
}

func TestMutatedAnswers(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	seeds := []string{
		`{"memories":[` + goodMemory + `]}`, `{"moves":[{"belief":1,"effect":"weakens","step":0.2,"reason":"r"}]}`,
		`{"entities":[{"name":"A","kind":"person"}],"memories":[{"kind":"belief","type":"fact","text":"x","about":["A"],` +
			`"confidence":1,"valid_from":null}]}`,
	}
	n := 3000
	for range n {
		b := []byte(seeds[r.Intn(len(seeds))])
		for range 1 + r.Intn(4) {
			switch i := r.Intn(len(b)); r.Intn(3) {
			case 0:
				b[i] = byte(r.Intn(256))
			case 1:
				b = append(b[:i], b[i+1:]...)
			default:
				b = append(b[:i], append([]byte(`"1,{}[]e-`)[r.Intn(9):][:1:1], b[i:]...)...)
			}
		}
		readAll(t, string(b))
	}
}
