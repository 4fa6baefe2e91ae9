package eval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/importers"
)

func read(t testing.TB, path string) []Conversation {
	t.Helper()
	all, err := Read(path, importers.LoCoMo)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRead(t *testing.T) {
	all := read(t, "testdata/pond.json")
	if len(all) != 1 || all[0].Name != "pond" || len(all[0].Records) != 8+2 || len(all[0].turns()) != 8 {
		t.Fatalf("read %+v, want pond with 8 turns and 2 notes", all)
	}
	want := []string{
		"single-hop: D1:3", "multi-hop: D2:2 D1:1", "temporal: D1:1", "open-domain: D2:3", "adversarial: D2:3",
	}
	if got := len(all[0].Questions); got != len(want) {
		t.Fatalf("%d questions, want %d: those that name a turn that exists", got, len(want))
	}
	for i, q := range all[0].Questions {
		got := q.Kind.String() + ": " + strings.ReplaceAll(strings.Join(q.Evidence, " "), "locomo:pond:", "")
		if got != want[i] {
			t.Errorf("question %d is %s, want %s", i+1, got, want[i])
		}
	}
}

// The published file holds all conversations in a list, each in groups.
func TestReadThePublishedForm(t *testing.T) {
	const talk = `"conversation": {"session_1": [{"dia_id": "D1:1", "speaker": "Ada", "text": "Good morning."}]}`
	const asked = `"qa": [{"question": "Who?", "evidence": ["D1:1"], "category": 4}]`
	path := write(t, `[{"sample_id": "a:session_2:b", `+talk+`, `+asked+`}, {`+talk+`, `+asked+`}]`)
	all := read(t, path)
	if len(all) != 2 || all[0].Name != "a:session_2:b" || all[1].Name != "talk-2" {
		t.Fatalf("read %+v, want a:session_2:b and talk-2", all)
	}
	for _, c := range all {
		if len(c.Records) != 1 || c.Questions[0].Evidence[0] != c.Records[0].Alias[0] {
			t.Errorf("%s: %+v", c.Name, c)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const said = `{"session_1": [{"dia_id": "D1:1", "text": "x"}]`
	for content, want := range map[string]string{
		``:                       "unexpected end",
		`not JSON`:               "invalid character",
		`{"qa": []}`:             "has no session_1",
		said + `}`:               "talk: has no questions (qa)",
		said + `, "qa": []}`:     "talk: has no questions (qa)",
		said + `, "qa": "none"}`: "cannot unmarshal",
		said + `, "qa": [{"question": "Who?", "evidence": ["D1:1"]}]}`: "question 1: category: must be " +
			"from 1 to 5, got 0",
		said + `, "qa": [{"question": "Who?", "evidence": ["D1:1"], "category": 6}]}`: "question 1: category: must be " +
			"from 1 to 5, got 6",
		said + `, "qa": [{"question": " ", "evidence": ["D1:1"], "category": 1}]}`: "question 1: has no words",
		said + `, "qa": [{"question": "Who?", "evidence": ["D2:1"], "category": 1}]}`: "none of its questions names a " +
			"turn that exists",
	} {
		_, err := Read(write(t, content), importers.LoCoMo)
		if !errors.Is(err, api.ErrInvalid) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", content, err, want)
		}
	}
}

// TestReadOfFacts counts the questions that a reader of another language counted
// in five of the ten conversations.
func TestReadOfFacts(t *testing.T) {
	got := make(map[Kind]int)
	for _, name := range []string{"26.json", "30.json", "41.json", "42.json", "43.json"} {
		for _, c := range read(t, datasets.File(t, "locomo", name)) {
			for _, q := range c.Questions {
				got[q.Kind]++
			}
		}
	}
	for kind, want := range map[Kind]int{MultiHop: 142, Temporal: 156, OpenDomain: 44, SingleHop: 418, Adversarial: 237} {
		if got[kind] != want {
			t.Errorf("%d %s questions, want %d", got[kind], kind, want)
		}
	}
}

func write(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "talk.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
