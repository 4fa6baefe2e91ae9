package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// pluginName is what hosts call stemma's plugin, of the marketplace in the project.
const pluginName = "stemma@stemma"

// hasPackage reports whether a host has its package of stemma for the user, by the host's own
// settings. What cannot be read has none.
func hasPackage(host, home string, getenv func(string) string) bool {
	dir := filepath.Join(home, "."+strings.TrimSuffix(host, "-code"))
	if moved := map[string]string{ClaudeCode: "CLAUDE_CONFIG_DIR", Codex: "CODEX_HOME"}[host]; moved != "" {
		if at := getenv(moved); at != "" {
			dir = at
		}
	}
	switch host {
	case ClaudeCode:
		text, _ := os.ReadFile(filepath.Join(dir, "settings.json"))
		var s struct {
			Enabled map[string]json.RawMessage `json:"enabledPlugins"`
		}
		return json.Unmarshal(text, &s) == nil && string(s.Enabled[pluginName]) == "true"
	case Codex:
		text, _ := os.ReadFile(filepath.Join(dir, "config.toml"))
		var s struct {
			Plugins map[string]struct {
				Enabled *bool `toml:"enabled"`
			} `toml:"plugins"`
		}
		_, err := toml.Decode(strings.TrimPrefix(string(text), "\ufeff"), &s)
		plugin, is := s.Plugins[pluginName]
		return err == nil && is && (plugin.Enabled == nil || *plugin.Enabled)
	case Gemini:
		_, err := os.Stat(filepath.Join(dir, "extensions", "stemma", "gemini-extension.json"))
		return err == nil
	}
	return false
}

// besidePackage says what a person does who has a package and what init writes.
func besidePackage(host string) string {
	remove := map[string]string{
		ClaudeCode: "claude plugin uninstall " + pluginName, Codex: "codex plugin remove " + pluginName,
		Gemini: "gemini extensions uninstall stemma",
	}[host]
	return "stemma's package is installed too, so its server and hooks may run twice; to remove the package: " + remove
}
