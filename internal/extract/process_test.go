package extract

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func exit(n int) *int { return &n }

// session makes events a minute apart, each written "type speaker: text".
func session(lines ...string) []Event {
	var events []Event
	for i, l := range lines {
		head, text, _ := strings.Cut(l, ": ")
		typ, speaker, _ := strings.Cut(head, " ")
		e := Event{Type: typ, Speaker: speaker, Text: text, At: noon.Add(time.Duration(i) * time.Minute)}
		if code, rest, ok := strings.Cut(text, "|"); ok && typ == "tool_output" {
			var n int
			if _, err := fmt.Sscan(code, &n); err == nil {
				e.Exit, e.Text = exit(n), rest
			}
		}
		events = append(events, e)
	}
	return events
}

// found returns the drafts of one rule: their texts and what they cite.
func found(drafts []Draft, rule string) []string {
	var out []string
	for _, d := range drafts {
		if d.Rule == rule {
			out = append(out, fmt.Sprintf("%v %s", d.From, d.Text))
		}
	}
	return out
}

func TestKnownFix(t *testing.T) {
	const fail, pass = "tool_output: 1|FAIL pkg", "tool_output: 0|ok pkg"
	call := "tool_call: go test ./..."
	words := "assistant_response: Fixed by closing the file before it is renamed."
	for _, tt := range []struct {
		name   string
		events []Event
		want   string
	}{
		{"between", session(call, fail, words, call, pass), "[1 4]"},
		{"after", session(call, fail, call, pass, words), "[1 3]"},
		{
			"options differ",
			session("tool_call: go test -v ./...", fail, words, "tool_call: cd /src && go test -count=1 ./... | tail", pass),
			"[1 4]",
		},
		{
			"as JSON",
			session(`tool_call: {"command":"make check"}`, fail, words, `tool_call: {"command":"make check"}`, pass),
			"[1 4]",
		},
		{"by what the output says", session(call, "tool_output: 3 failed", words, call, "tool_output: ok pkg 0.2s"), "[1 4]"},
		{"the last of two failures", session(call, fail, call, fail, words, call, pass), "[3 6]"},
		{"no words", session(call, fail, call, pass), ""},
		{"another command", session(call, fail, words, "tool_call: go build ./...", pass), ""},
		{"another target", session(call, fail, words, "tool_call: go test ./other", pass), ""},
		{"too late", session(call, fail, words, "diff: a", "diff: b", "diff: c", "diff: d", call, pass), ""},
		{"passed already between", session(call, fail, call, pass, call, pass, "diff: x", "diff: x", words), ""},
		{
			"words that deny",
			session(call, fail, "assistant_response: It is not fixed, because the file is open.", call, pass),
			"",
		},
		{"a question", session(call, fail, "user_prompt: Is it fixed now?", call, pass), ""},
		{"a plan", session(call, fail, "assistant_response: Let me fix the test now.", call, pass), ""},
		{"words of a tool", session(call, fail, "tool_output: Fixed by magic in this run.", call, pass), ""},
		{"failed only", session(call, fail, words), ""},
		{"passed then failed", session(call, pass, words, call, fail), ""},
		{"an end that nobody tells", session(call, "tool_output: hello", words, call, "tool_output: hello"), ""},
	} {
		got := ""
		if list := found(Process(tt.events), "known_fix"); len(list) > 0 {
			got, _, _ = strings.Cut(list[0], " go")
			got, _, _ = strings.Cut(got, " make")
		}
		if got != tt.want {
			t.Errorf("%s: known_fix cites %q, want %q", tt.name, got, tt.want)
		}
	}
	untimed := session(call, fail, words, call, pass)
	for i := range untimed {
		untimed[i].At = time.Time{}
	}
	if got := found(Process(untimed), "known_fix"); len(got) > 0 {
		t.Errorf("without times: %v", got)
	}
}

func TestConstraintsAreTheUsersOwn(t *testing.T) {
	for _, tt := range []struct{ event, want string }{
		{"user_prompt: Never push to main.", "[0] Never push to main"},
		{"turn user: Always run the linter first.", "[0] Always run the linter first"},
		{"user_prompt: Fix the bug. All queries must be parameterised.", "[0] All queries must be parameterised"},
		{"assistant_response: Never push to main.", ""},
		{"turn assistant: Never push to main.", ""},
		{"tool_output: Never push to main.", ""},
		{"error: Do not use this function.", ""},
		{"turn Nate: Never push to main.", ""},
		{"user_prompt: ```\nNever push to main.\n```", ""},
		{"user_prompt: > Never push to main.", ""},
		{`user_prompt: The page says "never push to main" somewhere.`, ""},
		{"user_prompt: I never said push to main.", ""},
		{"user_prompt: You always do that wrong.", ""},
		{"user_prompt: Why must all queries be parameterised?", ""},
	} {
		got := strings.Join(found(Process(session(tt.event)), "constraint"), "; ")
		if got != tt.want {
			t.Errorf("Process(%q) gives the constraints %q, want %q", tt.event, got, tt.want)
		}
	}
}

func TestConvention(t *testing.T) {
	for _, tt := range []struct{ events, want string }{
		{
			"user_prompt: We used pytest for the tests.\nassistant_response: I chose pytest for tests " +
				"again.\nuser_prompt: We went with pytest for our tests.",
			"[0 1 2] Use pytest for tests",
		},
		{"user_prompt: We used pytest for the tests.\nuser_prompt: We used pytest for the tests.", ""},
		{
			"user_prompt: We used pytest for tests.\nuser_prompt: We used nose for tests.\nuser_prompt: We used pytest " +
				"for benchmarks.",
			"",
		},
		{
			"user_prompt: We used pytest for tests.\nuser_prompt: Did we use pytest for tests?\nuser_prompt: We used " +
				"pytest for tests.",
			"",
		},
		{
			"user_prompt: We used pytest for tests.\nuser_prompt: We never used pytest for tests.\nuser_prompt: We used " +
				"pytest for tests.",
			"",
		},
		{"user_prompt: We used pytest for tests. We used pytest for tests. We used pytest for tests.", ""},
		{
			"user_prompt: We used to work for free.\nuser_prompt: We used to work for free.\nuser_prompt: We used to " +
				"work for free.",
			"",
		},
	} {
		got := strings.Join(found(Process(session(strings.Split(tt.events, "\n")...)), "convention"), "; ")
		if got != tt.want {
			t.Errorf("Process(%q) gives the conventions %q, want %q", tt.events, got, tt.want)
		}
	}
}

func TestSessionEpisode(t *testing.T) {
	for _, tt := range []struct{ events, objective, outcome, from string }{
		{
			"user_prompt: Please fix the login bug.\ntool_call: go test\ntest_summary: 12 passed",
			"Fix the login bug", "success: 12 passed", "[0 2]",
		},
		{
			"user_prompt: Hello there!\nuser_prompt: Add a cache to the parser.\ntest_summary: 2 failed, 10 passed",
			"Add a cache to the parser", "failure: 2 failed, 10 passed", "[1 2]",
		},
		{
			"user_prompt: Add a cache to the parser.\nassistant_response: Done, the cache is in place.",
			"Add a cache to the parser", "unknown: Done, the cache is in place.", "[0 1]",
		},
		{
			"user_prompt: Add a cache to the parser.\nassistant_response: I will look at it.",
			"Add a cache to the parser", "unknown: ", "[0]",
		},
		{
			"user_prompt: Add a cache to the parser.\nassistant_response: Is it done?",
			"Add a cache to the parser", "unknown: ", "[0]",
		},
		{
			"user_prompt: Add a cache to the parser.\nassistant_response: It is not done.",
			"Add a cache to the parser", "unknown: ", "[0]",
		},
		{"user_prompt: The weather is nice.\nassistant_response: Done.", "", "", ""},
		{"assistant_response: Fix the login bug.\ntest_summary: 3 passed", "", "", ""},
	} {
		var objective, outcome, from string
		for _, d := range Process(session(strings.Split(tt.events, "\n")...)) {
			if d.Rule == "session" {
				objective, outcome, from = d.Text, d.OutcomeType+": "+d.Outcome, fmt.Sprint(d.From)
			}
		}
		if objective != tt.objective || outcome != tt.outcome || from != tt.from {
			t.Errorf(
				"%q = %q, %q from %s, want %q, %q from %s", tt.events, objective, outcome, from, tt.objective,
				tt.outcome, tt.from,
			)
		}
	}
}

// Made up for this test, in the way people write to one another.
func TestTalk(t *testing.T) {
	for _, tt := range []struct{ said, want string }{
		{
			"Hey Ben! I got a job at the harbour library last week!",
			"belief/fact: Ada got a job at the harbour library last week",
		},
		{"Guess what, I'm moving to Porto next month.", "goal: Ada is moving to Porto next month"},
		{"We adopted a greyhound yesterday, he's so shy!", "belief/fact: Ada and others adopted a greyhound yesterday"},
		{"I love rowing, it calms me down.", "note/preference: Ada loves rowing"},
		{"I want to open a bakery in the old mill.", "goal: Ada wants to open a bakery in the old mill"},
		{
			"I went to a glassblowing workshop on Saturday - it was great!",
			"note/observation: Ada went to a glassblowing workshop on Saturday",
		},
		{"My sister Iris came by.", "relationship/person: Ada's sister"},
		{"I'm a paramedic.", ""},
		{"I'm a paramedic at the county hospital.", "belief/fact: Ada is a paramedic at the county hospital"},
		{"I'm allergic to wasps, sadly.", "belief/fact: Ada is allergic to wasps, sadly"},
		{"Thanks, Ben! That means a lot.", ""},
		{"That's so cool! You must be proud.", ""},
		{"I love it!", ""},
		{"I love how you see things.", ""},
		{"I got your message.", ""},
		{"I have a good feeling about it.", ""},
		{"I want to hear all about it.", ""},
		{"I had a great time with everyone there.", ""},
		{"I made a lot of progress lately.", ""},
		{"Did you get a job at the library?", ""},
		{"Your sister got a job at the library.", ""},
		{"Never say never!", ""},
		{"If I got a job there, I'd be happy.", ""},
		{"I wish I had a dog.", ""},
		{"I'm so happy for you both.", ""},
		{"It was a long day at the harbour.", ""},
		{"Taking walks keeps me sane.", ""},
		{"I can't wait for the concert!", ""},
		{"I totally agree with that.", ""},
		{"I'm going to keep trying.", ""},
	} {
		var got []string
		drafts := Process(
			[]Event{
				{Text: tt.said, Speaker: "Ada", Type: "turn", At: noon},
				{Text: "Ok.", Speaker: "Ben", Type: "turn", At: noon},
			},
		)
		for _, d := range drafts {
			got = append(got, kindsOf([]Draft{d})+": "+d.Text)
		}
		held(t, drafts, 1)
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%q = %q, want %q", tt.said, s, tt.want)
		}
	}
}

func TestCommand(t *testing.T) {
	for text, want := range map[string]string{
		"go test ./...": "go test ./...", "$ go test -run X ./...": "go test X ./...",
		"cd x && CGO_ENABLED=0 go build ./cmd 2>&1 | tail -3": "go build cmd",
		`{"command":"npm run build","timeout":3}`:             "npm run build", `{"path":"x"}`: "",
		"/usr/bin/make -j8 check": "make check", "": "",
	} {
		if got := Command(text); got != want {
			t.Errorf("Command(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPatterns(t *testing.T) {
	lesson := func(texts ...string) []Past {
		var out []Past
		for _, l := range texts {
			out = append(out, Past{Text: "an episode", Lessons: []string{l}})
		}
		return out
	}
	for _, tt := range []struct {
		name     string
		episodes []Past
		want     string
	}{
		{
			"a lesson",
			lesson("Back up before migrating", "Always back up before migrating.", "back up before you migrate"),
			"[0 1 2] Back up before migrating",
		},
		{"twice", lesson("Back up before migrating", "Back up before migrating"), ""},
		{"thrice in one", []Past{{Text: "x", Lessons: []string{"Back up first", "Back up first", "Back up first"}}}, ""},
		{
			"denied once",
			lesson("Retry the upload on errors", "Never retry the upload on errors", "Retry the upload on errors"),
			"",
		},
		{"other numbers", lesson("Set the limit to 10", "Set the limit to 20", "Set the limit to 30"), ""},
		{"the other way round", lesson("Prefer Go over Rust", "Prefer Rust over Go", "Prefer Go over Rust"), ""},
		{
			"failures",
			[]Past{
				{Text: "Deploy to staging", OutcomeType: "failure"},
				{Text: "deploy to staging", OutcomeType: "failure"},
				{Text: "Deploy to staging.", OutcomeType: "failure"},
			},
			"[0 1 2] This failed in 3 episodes: Deploy to staging",
		},
		{
			"not all failed",
			[]Past{
				{Text: "Deploy to staging", OutcomeType: "failure"},
				{Text: "Deploy to staging", OutcomeType: "success"},
				{Text: "Deploy to staging", OutcomeType: "failure"},
			},
			"",
		},
		{
			"a choice",
			[]Past{
				{Text: "We used Redis for caching"}, {Text: "x", Outcome: "I chose Redis for caching."},
				{Text: "y", Lessons: []string{"We went with Redis for caching"}},
			},
			"[0 1 2] We use Redis for caching",
		},
		{"none", nil, ""},
	} {
		var got []string
		drafts := Patterns(tt.episodes)
		for _, d := range drafts {
			got = append(got, fmt.Sprintf("%v %s", d.From, d.Text))
		}
		held(t, drafts, len(tt.episodes))
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

// TestTalkOfASession reads a whole conversation: its turns and the drafts below each.
func TestTalkOfASession(t *testing.T) {
	text, err := os.ReadFile("testdata/talk.txt")
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	var want []string
	for l := range strings.Lines(string(text)) {
		l = strings.TrimSpace(l)
		if rest, ok := strings.CutPrefix(l, "= "); ok {
			want = append(want, fmt.Sprintf("[%d] %s", len(events)-1, rest))
		} else if who, said, ok := strings.Cut(l, ": "); ok && !strings.HasPrefix(l, "#") {
			events = append(events, Event{Text: said, Speaker: who, Type: "turn", Session: "talk", At: noon})
		}
	}
	var got []string
	drafts := Process(events)
	for _, d := range drafts {
		got = append(got, fmt.Sprintf("%v %s %s %s", d.From, d.Kind, d.Rule, d.Text))
	}
	held(t, drafts, len(events))
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
