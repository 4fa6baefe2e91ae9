package loop

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

const good = `# a comment
scenario: Tea
session: 2026-03-02T09:00 claude-code
user: hello
agent: remember Tea is green.
  new
tool: Bash
  input: ls
  output: one: two
  fails
session: 2026-03-03T09:00 codex
start: green
agent: correct Tea is green => Tea is black.
person: approve Tea is black.
ask: What is tea?
  now: black | dark
  never: Tea is green.
ask: What is milk?
  silent
once: Tea is black.
agent: remember Tea is white.
  replaces: Tea is black | Tea is green
`

func TestAScenarioIsReadWithAllItsSteps(t *testing.T) {
	s, err := Read("tea.txt", strings.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "Tea" || len(s.Sessions) != 2 || s.Sessions[1].Host != "codex" {
		t.Fatalf("%+v", s)
	}
	tool := s.Sessions[0].Steps[2]
	if tool.Do != StepTool || tool.Input != "ls" || tool.Output != "one: two" || !tool.Fails || tool.Line != 7 {
		t.Errorf("%+v", tool)
	}
	second := s.Sessions[1].Steps
	if c := second[1]; c.Do != StepCorrect || c.Old != "Tea is green" || c.Text != "Tea is black." {
		t.Errorf("%+v", c)
	}
	if q := second[3]; len(q.Now) != 2 || q.Now[1] != "dark" || len(q.Never) != 1 || q.Silent {
		t.Errorf("%+v", q)
	}
	if first := s.Sessions[0].Steps[1]; !first.New || len(first.Replaces) > 0 {
		t.Errorf("%+v", first)
	}
	if last := second[6]; last.New || len(last.Replaces) != 2 || last.Replaces[1] != "Tea is green" {
		t.Errorf("%+v", last)
	}
	if !second[4].Silent || second[5].Do != StepOnce {
		t.Errorf("%+v", second)
	}
}

func TestAWrongScenarioSaysFileLineAndStep(t *testing.T) {
	begin := "scenario: Tea\nsession: 2026-03-02T09:00 claude-code\n"
	for text, want := range map[string]string{
		"":                                "t:1: the file has no line 'scenario: NAME'",
		"scenario: Tea\n":                 "t:1: the scenario has no session",
		"user: hello\n":                   "t:1: 'user:' stands before the first 'session: TIME HOST'",
		"scenario: T\nsession: today x\n": `t:2: the time of a session is YYYY-MM-DDTHH:MM, got "today"`,
		"scenario: T\nsession: 2026-03-02T09:00 emacs\n":  "t:2: the host of a session is one of claude-code, codex",
		begin + "session: 2026-03-02T09:00 codex\n":       "t:3: session 1, step 0: sessions stand in the order",
		begin + "user: a\nshout: hello\n":                 `t:4: session 1, step 2: "shout" is no step`,
		begin + "user hello\n":                            `t:3: session 1, step 0: "user hello" is no step`,
		begin + "user:\n":                                 "t:3: session 1, step 0: 'user:' says nothing",
		begin + "agent: shout Tea\n":                      `step 1: the agent can remember, correct, got "shout"`,
		begin + "agent: remember\n":                       "t:3: session 1, step 1: 'agent: remember' says nothing",
		begin + "agent: correct Tea\n":                    "step 1: a correction is 'agent: correct OLD => NEW'",
		begin + "person: dance now\n":                     `the person can approve, reject, forget, got "dance"`,
		begin + "  now: x\n":                              "t:3: session 1, step 0: this line is indented",
		begin + "ask: what\n  perhaps: x\n":               `details of a question are now:, never: and silent, got "perhaps"`,
		begin + "user: a\n  now: x\n":                     `'user' takes no details, got "now"`,
		begin + "agent: remember T\n  old: x\n":           `details of a remember are new, or replaces:, got "old"`,
		begin + "agent: remember T\n  new\n  replaces: x": `details of a remember are new, or replaces:, got "repl`,
		begin + "agent: remember T\n  replaces: x\n  new": `details of a remember are new, or replaces:, got "new"`,
		begin + "tool: Bash\n  now: x\n":                  "details of a tool are input:, output: and fails",
		begin + "ask: what\n  now:\n":                     `got "now"`,
		begin + "user: " + strings.Repeat("x", 2<<20):     "t: a scenario has at most 1 MiB",
		begin + "user: \xff\n":                            "t: a scenario is UTF-8 text",
	} {
		_, err := Read("t", strings.NewReader(text))
		if err == nil || !errors.Is(err, api.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %s", text, err, want)
		}
	}
}

func TestAnAnswerIsTakenApart(t *testing.T) {
	json := `{"results":[{"ref":"note:1","text":"Tea is green.","undecided":["perhaps replaced by note:2"]},` +
		`{"ref":"note:2","text":"Tea is black."}],` +
		`"sections":[{"entries":[{"text":"Milk","weak":true}]}]}`
	all := piecesOf(json)
	if len(all) != 3 || !all[0].marked || all[1].marked || all[1].Ref != "note:2" || !all[2].weak {
		t.Errorf("%+v", all)
	}
	for mark, open := range map[string]bool{
		"perhaps replaced by note:2": true, "perhaps replaces note:1": true, "update proposed by note:2": true,
		"contradicts note:2": true, "3 more undecided": true, "replaced by note:2": false, "approved; weak": false, "": false,
	} {
		one := piecesOf(`{"text":"Tea","mark":"` + mark + `"}`)
		if len(one) != 1 || one[0].open != open {
			t.Errorf("%q: %+v", mark, one)
		}
	}
	lines := piecesOf("Decided:\n  \"Tea is green.\" (note:1; replaced by note:2)\n\n  \"Tea is black.\"\n")
	if len(lines) != 3 || !lines[1].marked || lines[2].marked {
		t.Errorf("%+v", lines)
	}
}

func TestWordsAreFoundInAnyCaseAndSpacing(t *testing.T) {
	for _, c := range []struct {
		text, words string
		want        bool
	}{
		{"Orders are kept in  SQLite, one file", "orders are kept in SQLite", true},
		{"Tea is black", "tea is black.", true},
		{"Tea is black", "tea is green", false},
	} {
		if got := says(c.text, c.words); got != c.want {
			t.Errorf("%q in %q: %v", c.words, c.text, got)
		}
	}
}

func TestShippedScenariosAreWhole(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 24 {
		t.Errorf("%d scenarios", len(all))
	}
	names := map[string]bool{}
	for _, s := range all {
		asked, said := 0, []string{}
		for _, session := range s.Sessions {
			for _, step := range session.Steps {
				switch step.Do {
				case StepAsk:
					if asked++; len(step.Now)+len(step.Never) == 0 != step.Silent {
						t.Errorf("%s:%d: a question wants now or never, or silent", s.File, step.Line)
					}
				case StepRemember:
					labelled(t, &s, &step, said)
					said = append(said, step.Text)
				case StepCorrect:
					said = append(said, step.Text)
				}
			}
		}
		if names[s.Name] || len(s.Sessions) < 4 || asked < 3 {
			t.Errorf("%s: %d sessions, %d questions", s.File, len(s.Sessions), asked)
		}
		names[s.Name] = true
	}
}

// labelled asks that a statement of a shipped scenario says whether it replaces something, unless it was
// said before in the same words, and that what it replaces was said.
func labelled(t *testing.T, s *Scenario, step *Step, said []string) {
	t.Helper()
	again := slices.ContainsFunc(said, func(old string) bool { return says(old, step.Text) })
	if !step.New && len(step.Replaces) == 0 && !again {
		t.Errorf("%s:%d: a remember wants new or replaces", s.File, step.Line)
	}
	for _, words := range step.Replaces {
		if !slices.ContainsFunc(said, func(old string) bool { return says(old, words) }) {
			t.Errorf("%s:%d: nothing before says %q", s.File, step.Line, words)
		}
	}
}
