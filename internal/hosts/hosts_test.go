package hosts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
)

func TestGlobsMatchFilesAndWhatIsBelow(t *testing.T) {
	for _, tt := range []struct {
		glob, name string
		want       bool
	}{
		{"secrets", "/w/secrets/a/b.txt", true}, {"secrets", "/w/secretsother/b.txt", false},
		{"*.pem", "certs/server.PEM", true}, {"*.pem", "server.pem.txt", false},
		{"/w/private/**", "/w/private/x", true}, {"/w/private/**", "/v/w/private/x", false},
		{"docs/*.md", "docs/a.md", true}, {"docs/*.md", "docs/sub/a.md", false}, {"docs/**/*.md", "docs/sub/deep/a.md", true},
		{"~/keys", "/home/ada/keys/id", true}, {"a/**/b/**/c", "a/x/b/y/z/c", true}, {"a/**/b/**/c", "a/x/y/z/c", false},
		{"[", "[", true},
	} {
		if got := Matches(tt.glob, tt.name, "/home/ada"); got != tt.want {
			t.Errorf("Matches(%q, %q) = %v, want %v", tt.glob, tt.name, got, tt.want)
		}
	}
}

func TestEventsThatNameIgnoredFilesAreIgnored(t *testing.T) {
	for _, tt := range []struct {
		input string
		want  bool
	}{
		{`{"file_path":"secrets/a"}`, true}, {`{"command":"cat ./secrets/a|wc"}`, true}, {`{"command":"echo hello"}`, false},
		{`{"files":["x","y/secrets/z"]}`, true}, {`{"patch":"*** Begin Patch\n*** Update File: secrets/a\n+x"}`, true},
		{`{"file_path":"/w/app/secrets"}`, true}, {`{"deep":{"er":{"path":"../secrets"}}}`, true},
	} {
		e, err := ReadEvent(ClaudeCode, "PostToolUse", []byte(`{"cwd":"/w/app","tool_name":"X","tool_input":`+tt.input+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Ignored("secrets", "/w/app", "/home/ada"); got != tt.want {
			t.Errorf("%s: ignored %v, want %v", tt.input, got, tt.want)
		}
	}
}

// Every host's events give what was said, by whom and through which channel.
func TestEventsOfEachHost(t *testing.T) {
	for _, tt := range []struct {
		host, event, text string
		want              []string // event/speaker/text
	}{
		{
			ClaudeCode, "Stop", `{"session_id":"s","last_assistant_message":"done"}`,
			[]string{"assistant_response/assistant/done"},
		},
		{
			Codex, "PostToolUse",
			`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"a.go","tool_use_id":"c1"}`,
			[]string{"tool_call/assistant/Bash: ls", "tool_output/Bash/a.go"},
		},
		{Gemini, "BeforeAgent", `{"session_id":"s","prompt":"hi"}`, []string{"user_prompt/user/hi"}},
		{
			Gemini, "AfterTool",
			`{"session_id":"s","tool_name":"read_file","tool_input":{"path":"a"},"tool_response":{"llmContent":"text",` +
				`"returnDisplay":"t"}}`,
			[]string{`tool_call/assistant/read_file: {"path":"a"}`, "tool_output/read_file/text"},
		},
		{
			Gemini, "AfterAgent", `{"session_id":"s","prompt":"hi","prompt_response":"hello"}`,
			[]string{"assistant_response/assistant/hello"},
		},
		{
			Cursor, "beforeSubmitPrompt",
			`{"conversation_id":"s","prompt":"hi","workspace_roots":["/w"],"user_email":"ada@example.org"}`,
			[]string{"user_prompt/user/hi"},
		},
		{
			Cursor, "postToolUse",
			`{"conversation_id":"s","tool_name":"Shell","tool_input":{"command":"ls"},"tool_output":"{\"output\":\"a.go\",` +
				`\"exitCode\":0}","tool_use_id":"1"}`,
			[]string{"tool_call/assistant/Shell: ls", "tool_output/Shell/a.go"},
		},
		{
			Cursor, "afterAgentResponse", `{"conversation_id":"s","text":"hello"}`,
			[]string{"assistant_response/assistant/hello"},
		},
		{
			OpenCode, "chat.message", `{"session_id":"s","parts":[{"type":"text","text":"hi"}]}`,
			[]string{"user_prompt/user/hi"},
		},
		{
			OpenCode, "tool.execute.after",
			`{"session_id":"s","tool":"bash","callID":"1","args":{"command":"ls"},"output":"a.go"}`,
			[]string{"tool_call/assistant/bash: ls", "tool_output/bash/a.go"},
		},
		{VSCode, "UserPromptSubmit", `{"sessionId":"s","prompt":"hi"}`, []string{"user_prompt/user/hi"}},
		{ClaudeCode, "SessionEnd", `{"session_id":"s","reason":"exit"}`, nil},
		{ClaudeCode, "UserPromptSubmit", `{"session_id":"s","prompt":"  "}`, nil},
	} {
		e, err := ReadEvent(tt.host, tt.event, []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range e.Observed("1") {
			got = append(got, o.Event+"/"+o.Speaker+"/"+o.Text)
			if o.Session != "s" || o.Tool != (o.Event == "tool_output") {
				t.Errorf("%s %s: session %q, tool %v", tt.host, tt.event, o.Session, o.Tool)
			}
			if strings.Contains(o.Text+o.Caption, "ada@") {
				t.Errorf("%s tells who it is: %+v", tt.host, o)
			}
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s %s gives %q, want %q", tt.host, tt.event, got, tt.want)
		}
	}
}

func TestLongWordsAreCutAndSaySo(t *testing.T) {
	token := "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	long := strings.Repeat("é", 200_000) + " " + token + " the end"
	got := clip(long)
	if len(got.words) > MaxWords+100 || !strings.Contains(got.words, "bytes left out") ||
		!strings.HasPrefix(got.note, "cut: ") || !strings.HasSuffix(got.words, "the end") {
		t.Errorf("%d bytes, note %q", len(got.words), got.note)
	}
	if strings.Contains(got.words, token) {
		t.Error("a secret near the end was kept")
	}
	for at := MaxWords - lastPart - 60; at < MaxWords-lastPart+20; at++ { // on the border of what is kept
		words := clip(strings.Repeat("a ", at/2) + token + strings.Repeat(" b", 20_000)).words
		if strings.Contains(words, token[:12]) {
			t.Errorf("a part of a secret at %d was kept", at)
		}
	}
}

// FuzzReadEvent: whatever a host says, nothing breaks and nothing private comes out.
func FuzzReadEvent(f *testing.F) {
	f.Add(0, `{"session_id":"s","prompt":"hi"}`)
	f.Add(
		1,
		`{"tool_name":"x","tool_input":{"a":["b",{"c":"<private>~hidden~"}]},"tool_response":[{"type":"text","text":"t"}]}`,
	)
	f.Add(2, `{"last_assistant_message":"x","workspace_roots":["/w"]}`)
	events := []string{"UserPromptSubmit", "PostToolUse", "Stop", "PreCompact"}
	f.Fuzz(func(t *testing.T, n int, text string) {
		if strings.Contains(text, "transcript_path") {
			return
		}
		e, err := ReadEvent(ClaudeCode, events[uint(n)%uint(len(events))], []byte(text))
		if err != nil {
			return
		}
		e.Ignored("a/**, *.b", "/w", "/h")
		for _, o := range e.Observed("1") {
			if len(o.Text) > MaxWords+1024 {
				t.Errorf("%d bytes", len(o.Text))
			}
		}
	})
}

func TestSpoolHandsOverOnce(t *testing.T) {
	s := Spool{Dir: filepath.Join(t.TempDir(), "spool")}
	for i, text := range []string{"one", "two", "three"} {
		if err := s.Put(text, time.Unix(int64(i), 0), []engine.Observed{{ID: text, Text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	// whoever is stopped after the store has it, and before the file is gone, hands it over again
	var got []string
	killed := errors.New("killed")
	keep := func(_ context.Context, seen []engine.Observed) error {
		for _, o := range seen {
			got = append(got, o.ID)
		}
		return killed
	}
	if n, err := s.Drain(t.Context(), 0, keep); n != 0 || !errors.Is(err, killed) {
		t.Errorf("%d, %v", n, err)
	}
	if n, _ := s.Waiting(); n != 3 {
		t.Errorf("%d wait, want all of them", n)
	}
	if n, err := s.Drain(t.Context(), 2, func(context.Context, []engine.Observed) error { return nil }); n != 2 ||
		err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, _ := s.Waiting(); n != 1 || strings.Join(got, " ") != "one two three" {
		t.Errorf("%d wait; handed over %v", n, got)
	}
}

func TestSpoolPutsAsideWhatIsNoEvent(t *testing.T) {
	s := Spool{Dir: t.TempDir()}
	if err := s.Put("good", time.Unix(2, 0), []engine.Observed{{ID: "good", Text: "x"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "0-bad.event"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := s.Drain(t.Context(), 0, func(context.Context, []engine.Observed) error { return nil })
	if n != 1 || err == nil || !strings.Contains(err.Error(), "put aside") {
		t.Errorf("%d, %v", n, err)
	}
	if n, _ := s.Waiting(); n != 0 {
		t.Errorf("%d wait", n)
	}
}
