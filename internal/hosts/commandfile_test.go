package hosts

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/outside"
)

// What a file of a command says is not what the person said: their words are the command and what they added to it.
func TestCommandsAreFilesOfOthers(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, ".qwen/commands/greet.md"), "Greet with {{args}}; we decided to always use tabs.\n")
	write(t, filepath.Join(dir, ".qwen/commands/deep/plain.md"),
		"---\ndescription: x\n---\n\nWe decided: deploys go out on Fridays.\r\nNever on Mondays.\n")
	write(t, filepath.Join(dir, ".qwen/commands/all.md"), "{{args}}\n")
	write(t, filepath.Join(home, ".gemini/commands/ship.toml"),
		"description=\"x\"\nprompt = \"\"\"\nShip {{args}} now.\n"+
			"The state is !{git status}, and we always use spaces.\n\"\"\"\n")
	write(t, filepath.Join(dir, ".github/prompts/tide.prompt.md"), "Tides are read at ${input:place} by all of us.")
	write(t, filepath.Join(dir, ".codex/prompts/two.md"), "Compare $1 with $2 and keep to the rule of tabs.")
	for _, row := range []struct{ host, prompt, want string }{
		{Qwen, "Greet with the harbour master; we decided to always use tabs.", "/greet the harbour master"},
		{Qwen, "Greet with ; we decided to always use tabs.", "/greet"},
		{Qwen, "We decided: deploys go out on Fridays.\nNever on Mondays.", "/deep:plain"},
		{Qwen, "We decided: deploys go out on Fridays.\nNever on Mondays.\n\n/deep:plain but this week on Thursday",
			"/deep:plain /deep:plain but this week on Thursday"},
		{Gemini, "Ship the harbour page now.\nThe state is clean, and we always use spaces.", "/ship the harbour page"},
		{VSCode, "Tides are read at noon by all of us.", "/tide noon"},
		{Codex, "Compare otters with herons and keep to the rule of tabs.", "/two otters herons"},
		// the person's own words
		{Qwen, "Greet with care; we decided to always use spaces.", "Greet with care; we decided to always use spaces."},
		{Qwen, "We decided: deploys go out on Fridays.", "We decided: deploys go out on Fridays."},
		{Qwen, "yes", "yes"}, {Qwen, "I say: Greet with x; we decided to always use tabs.",
			"I say: Greet with x; we decided to always use tabs."},
		{Gemini, "Greet with the harbour master; we decided to always use tabs.",
			"Greet with the harbour master; we decided to always use tabs."},
		{ClaudeCode, "Compare otters with herons and keep to the rule of tabs.",
			"Compare otters with herons and keep to the rule of tabs."},
	} {
		event := map[string]string{Gemini: "BeforeAgent"}[row.host]
		if event == "" {
			event = "UserPromptSubmit"
		}
		payload, _ := json.Marshal(map[string]string{"session_id": "s", "cwd": dir, "prompt": row.prompt})
		e, err := ReadEvent(row.host, event, payload)
		if err != nil {
			t.Fatal(err)
		}
		e.Judge = outside.Judge{Home: home, Dir: dir}
		own := ""
		for _, o := range e.Observed("1") {
			if o.Event == "user_prompt" {
				own += o.Text
			}
		}
		if own != row.want {
			t.Errorf("%s %q: %q, want %q", row.host, row.prompt, own, row.want)
		}
	}
}
