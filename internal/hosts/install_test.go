package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A backup in a project would show up in its git.
func TestBackupsAreNotInTheProject(t *testing.T) {
	p := place(t, true)
	path := filepath.Join(p.Root, ".mcp.json")
	write(t, path, "{}")
	install(t, p, ClaudeCode, false)
	for name := range all(t, p.Root) {
		if strings.Contains(name, backupMark) {
			t.Errorf("%s is in the project", name)
		}
	}
	if n := len(all(t, p.Backups)); n != 1 {
		t.Errorf("%d backups, want 1", n)
	}
	write(t, path+backupMark+"0123", "of an earlier version")
	install(t, p, ClaudeCode, true)
	if left := all(t, filepath.Dir(p.Home)); len(left) != 1 || left[path] != "{}" {
		t.Errorf("left: %q", left)
	}
}

// What an earlier version of ours wrote is not what was there before us.
func TestAFileOfOursAloneGoesAfterAnUpgrade(t *testing.T) {
	for name, before := range map[string]string{"nothing": "", "a person's": "{\n  \"model\": \"m\"\n}\n"} {
		p := place(t, false)
		path := filepath.Join(p.Home, ".claude", "settings.json")
		if before != "" {
			write(t, path, before)
		}
		install(t, p, ClaudeCode, false)
		p.Program = "/elsewhere/stemma"
		install(t, p, ClaudeCode, false)
		p.Allow = AllowReads
		install(t, p, ClaudeCode, false)
		install(t, p, ClaudeCode, true)
		if left := all(t, filepath.Dir(p.Home)); left[path] != before || len(left) != min(len(before), 1) {
			t.Errorf("%s: left: %q", name, left)
		}
	}
}

func TestCodexGetsWhatSaysWhereTheStoreIs(t *testing.T) {
	table := place(t, false).codexTable()
	for _, name := range []string{"env_vars = [", `"XDG_DATA_HOME"`, `"STEMMA_STORE"`} {
		if !strings.Contains(table, name) {
			t.Errorf("%s is not in %s", name, table)
		}
	}
}

// Codex does not start where a table is added to an inline table.
func TestCodexServersOfOneLineAreRefused(t *testing.T) {
	for text, refused := range map[string]bool{
		"mcp_servers = { other = { command = \"x\" } }\n":               true,
		"model = \"m\"\n\"mcp_servers\"={}\n[tui]\nx = 1\n":             true,
		"mcp_servers.other.command = \"x\"\n":                           false,
		"[mcp_servers.other]\ncommand = \"x\"\n":                        false,
		"[profiles.x]\nmcp_servers = { other = { command = \"x\" } }\n": false,
	} {
		p := place(t, false)
		path := filepath.Join(p.Home, ".codex", "config.toml")
		write(t, path, text)
		_, _, err := p.Plan(Codex, false)
		if got := err != nil && strings.Contains(err.Error(), "inline table") &&
			strings.Contains(err.Error(), "nothing was changed"); got != refused {
			t.Errorf("%q: %v, want refused %v", text, err, refused)
		}
		if _, _, err := p.Plan(Codex, true); err != nil {
			t.Errorf("%q: --remove: %v", text, err)
		}
	}
}

// What a host lets through unasked is what was asked for, and stays until it is taken out.
func TestOnlyWhatIsAskedForIsAllowed(t *testing.T) {
	for _, host := range Names() {
		for _, a := range []Allow{"", AllowReads, AllowAll} {
			p := place(t, false)
			if p.Allow = a; a != "" && !contains(Allows(host), a) {
				continue
			}
			install(t, p, host, false)
			got, err := p.Allowed(host)
			if err != nil || got != a {
				t.Errorf("%s: allowed %q, %v, want %q", host, got, err, a)
			}
			loose := false
			for _, text := range all(t, p.Home) {
				loose = loose || strings.Contains(text, `"trust": true`) || strings.Contains(text, codexMode) ||
					strings.Contains(text, `"`+ruleOfAll)
			}
			if loose != (a != "") {
				t.Errorf("%s with %q: loosened %v", host, a, loose)
			}
		}
	}
}

func contains(list []Allow, a Allow) bool {
	for _, one := range list {
		if one == a {
			return true
		}
	}
	return false
}

func TestClaudeCodeLoadsTheToolsAtOnce(t *testing.T) {
	p := place(t, false)
	servers := filepath.Join(p.Home, ".claude.json")
	write(t, servers, `{"mcpServers": {"stemma": {"type": "stdio", "command": "stemma", "args": ["mcp"]}}}`)
	install(t, p, ClaudeCode, false) // over what an earlier version wrote
	in := all(t, p.Home)
	if !strings.Contains(in[servers], `"alwaysLoad": true`) {
		t.Errorf("%s", in[servers])
	}
	if hooks := in[filepath.Join(p.Home, ".claude", "settings.json")]; !strings.Contains(hooks, `"PostToolUseFailure"`) {
		t.Errorf("%s", hooks)
	}
}

// Qwen Code since 0.24 lets its agent search for tools of servers that do not say so.
func TestQwenCodeLoadsTheToolsAtOnce(t *testing.T) {
	p := place(t, false)
	settings := filepath.Join(p.Home, ".qwen", "settings.json")
	mine := `{"mcpServers": {"stemma": {"command": "stemma", "args": ["mcp"]}, "other": {"command": "x"}}}`
	write(t, settings, mine)
	install(t, p, Qwen, false) // over what an earlier version wrote
	in := all(t, p.Home)[settings]
	if strings.Count(in, `"alwaysLoadTools": true`) != 1 || !strings.Contains(in, `"other": {"command": "x"}`) {
		t.Errorf("%s", in)
	}
	p.Allow = AllowAll
	install(t, p, Qwen, false)
	if in := all(t, p.Home)[settings]; strings.Count(in, `"alwaysLoadTools": true`) != 1 ||
		!strings.Contains(in, `"trust": true`) {
		t.Errorf("%s", in)
	}
}

// Copilot CLI and VS Code run one file of hooks, which stays until neither wants it.
func TestCopilotAndVSCodeShareHooks(t *testing.T) {
	p := place(t, false)
	path := filepath.Join(p.Home, ".copilot", "hooks", "stemma.json")
	install(t, p, VSCode, false)
	install(t, p, Copilot, false)
	both := all(t, p.Home)[path]
	if strings.Count(both, "hook run ") != len(copilotEvents) {
		t.Errorf("an event is told twice: %s", both)
	}
	install(t, p, VSCode, true)
	if text := all(t, p.Home)[path]; !strings.Contains(text, "hook run copilot") {
		t.Errorf("Copilot CLI lost its hooks: %q", text)
	}
	install(t, p, Copilot, true)
	if left := all(t, filepath.Dir(p.Home)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
