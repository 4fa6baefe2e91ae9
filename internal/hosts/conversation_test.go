package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A conversation is found by its host and directory, as long as it lasts.
func TestConversationsInADirectory(t *testing.T) {
	root := t.TempDir()
	c := Conversations{filepath.Join(t.TempDir(), "conversations")}
	project, below, other := filepath.Join(root, "project"), filepath.Join(
		root, "project", "below",
	), filepath.Join(root, "projects")
	for _, dir := range []string{below, other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	note := func(n Conversation, ago time.Duration) {
		t.Helper()
		before, _ := filepath.Glob(filepath.Join(c.Dir, "*.json"))
		if _, err := c.Note(n); err != nil {
			t.Fatal(err)
		}
		after, _ := filepath.Glob(filepath.Join(c.Dir, "*.json"))
		for _, name := range after {
			if !slices.Contains(before, name) {
				if err := os.Chtimes(name, now, now.Add(-ago)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	note(Conversation{Host: Gemini, Dir: project, Session: "old"}, 13*time.Hour)
	note(Conversation{Host: Gemini, Dir: project, Session: "first"}, 11*time.Hour)
	note(Conversation{Host: Gemini, Dir: project, Session: "last"}, 2*time.Hour)
	note(Conversation{Host: Cursor, Dir: project, Session: "one"}, 50*time.Minute)
	note(Conversation{Host: Cursor, Dir: project, Session: "two"}, 10*time.Minute)
	note(Conversation{Host: Cursor, Dir: project, Session: "over", Ended: true}, 20*time.Minute)
	note(Conversation{Host: Codex, Dir: project, Session: "exact"}, 3*time.Hour)
	note(Conversation{Host: Codex, Dir: root, Session: "around"}, 2*time.Hour)
	note(Conversation{Host: Codex, Dir: "", Session: "nowhere"}, 0)
	for _, tt := range []struct {
		host, dir string
		want      []string
	}{
		{Gemini, project, []string{"last"}},
		{Gemini, below, []string{"last"}},
		{Gemini, root, []string{"last"}},
		{Gemini, other, nil},
		{Cursor, project, []string{"two", "one"}},
		{Codex, project, []string{"around", "exact"}},
		{VSCode, project, nil},
		{"", other, []string{"around"}},
	} {
		if got := c.In(tt.host, tt.dir, now); !slices.Equal(got, tt.want) {
			t.Errorf("in %s, %s: %q, want %q", tt.host, tt.dir, got, tt.want)
		}
	}
	if !c.Ended(Cursor, "over") || c.Ended(Cursor, "two") || c.Ended(Gemini, "over") {
		t.Error("which have ended is not told apart")
	}
}

// However many there are, few notes are kept, and none that is too old.
func TestTheFirstHookOfAConversationIsKnown(t *testing.T) {
	c := Conversations{t.TempDir()}
	for i, want := range []bool{true, false, true} {
		first, err := c.Note(Conversation{Host: Qwen, Dir: "/w", Session: fmt.Sprint(i / 2)})
		if err != nil || first != want {
			t.Errorf("hook %d: first %v, %v, want %v", i, first, err, want)
		}
	}
}

func TestConversationsAreBounded(t *testing.T) {
	c := Conversations{t.TempDir()}
	for i := range mostConversations + 20 {
		if _, err := c.Note(Conversation{Host: Gemini, Dir: "/", Session: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(c.notes()); got > mostConversations {
		t.Errorf("%d notes, want at most %d", got, mostConversations)
	}
}

// Markers are told from what people and editors set, and clients are told apart.
func TestMarkersAndClients(t *testing.T) {
	for env, want := range map[string]string{
		"CLAUDECODE": ClaudeCode, "CODEX_SANDBOX": Codex, "GEMINI_CLI": Gemini, "CURSOR_AGENT": Cursor, "OPENCODE": OpenCode,
		"CURSOR_TRACE_ID": "", "CODEX_HOME": "", "CLAUDE_CODE_USE_BEDROCK": "", "GEMINI_API_KEY": "", "TERM_PROGRAM": "",
	} {
		got := Marked(func(name string) string {
			if name == env {
				return "1"
			}
			return ""
		})
		if got != want {
			t.Errorf("%s marks %q, want %q", env, got, want)
		}
	}
	for client, want := range map[string]string{
		"claude-code": ClaudeCode, "codex-mcp-client": Codex, "gemini-cli-mcp-client": Gemini, "Visual Studio Code": VSCode,
		"cursor-vscode": Cursor, "opencode": OpenCode, "copilot-cli": Copilot,
		"qwen-cli-mcp-client-stemma": Qwen, "probe": "", "": "",
	} {
		if got := OfClient(client); got != want {
			t.Errorf("client %q is %q, want %q", client, got, want)
		}
	}
}
