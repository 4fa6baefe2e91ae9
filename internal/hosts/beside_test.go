package hosts

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Init says so where a host has its package too, as the hosts themselves write that down.
func TestInitTellsOfAPackage(t *testing.T) {
	for _, tt := range []struct {
		host, file, text string
		has              bool
	}{
		{ClaudeCode, ".claude/settings.json", `{"enabledPlugins": {"stemma@stemma": true}}`, true},
		{ClaudeCode, ".claude/settings.json", `{"enabledPlugins": {"stemma@stemma": false}}`, false},
		{ClaudeCode, ".claude/settings.json", `{}`, false},
		{Codex, ".codex/config.toml", "[plugins.\"stemma@stemma\"]\nenabled = true\n", true},
		{Codex, ".codex/config.toml", "[plugins.\"stemma@stemma\"]\nenabled = false\n", false},
		{Codex, ".codex/config.toml", "model = \"m\"\n", false},
		{Gemini, ".gemini/extensions/stemma/gemini-extension.json", "{}", true},
		{Gemini, ".gemini/extensions/other/gemini-extension.json", "{}", false},
	} {
		home := t.TempDir()
		at := filepath.Join(home, filepath.FromSlash(tt.file))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := Place{Home: home, Program: serverName, Getenv: func(string) string { return "" }}
		for _, remove := range []bool{false, true} {
			_, notes, err := p.Plan(tt.host, remove)
			if told := slices.Contains(notes, besidePackage(tt.host)); err != nil || told != (tt.has && !remove) {
				t.Errorf("%s with %s, remove %v: %v, %v", tt.host, tt.text, remove, notes, err)
			}
		}
	}
}
