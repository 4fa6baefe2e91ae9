package hosts

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// A Place says where files of hosts are.
type Place struct {
	Root   string // of the project, for Project; "" puts things where the user's own are
	Home   string
	Config string              // where programs keep a user's settings: ~/.config
	Getenv func(string) string // variables by which hosts are moved elsewhere

	Program string   // how stemma is called in commands
	Flags   []string // of stemma, in front of the verb: --store FILE
}

// A target is a file of a host and what is ours in it.
type target struct {
	path string
	what string
	editor
}

// limits on what a host waits for us, in seconds: far more than a hook takes.
const (
	captureWait = 5
	contextWait = 10
)

// claudeEvents and the others are the hooks that each host gets, in the order in
// which they come.
var (
	claudeEvents = []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "PreCompact", "SessionEnd",
	}
	codexEvents  = []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact"}
	geminiEvents = []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "SessionEnd"}
	cursorEvents = []string{
		"sessionStart", "beforeSubmitPrompt", "postToolUse", "afterAgentResponse", "preCompact", "sessionEnd",
	}
	vscodeEvents = []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "PreCompact"}
)

// targets are the files of a host, and notes what a person has to know or do.
func (p Place) targets(host string) (list []target, notes []string, err error) {
	project := p.Root != ""
	base := p.Home
	if project {
		base = p.Root
	}
	add := func(path, what string, e editor) { list = append(list, target{path, what, e}) }
	switch host {
	case ClaudeCode:
		dir, servers := filepath.Join(base, ".claude"), filepath.Join(base, ".mcp.json")
		page := filepath.Join(base, "CLAUDE.md")
		if !project {
			servers = filepath.Join(base, ".claude.json")
			if moved := p.Getenv("CLAUDE_CONFIG_DIR"); moved != "" {
				dir, servers = moved, filepath.Join(moved, ".claude.json")
			}
			page = filepath.Join(dir, "CLAUDE.md")
		}
		add(servers, "MCP server", entries{host: host, servers: []string{"mcpServers"}, server: p.server(true)})
		add(page, "instructions", markdown(host, instructions))
		add(
			filepath.Join(dir, "settings.json"), "hooks",
			entries{host: host, nested: true, hooks: p.hooks(host, claudeEvents, 1)},
		)
	case Codex:
		dir, page := filepath.Join(base, ".codex"), filepath.Join(base, "AGENTS.md")
		if !project {
			if moved := p.Getenv("CODEX_HOME"); moved != "" {
				dir = moved
			}
			page = filepath.Join(dir, "AGENTS.md")
		}
		add(filepath.Join(dir, "config.toml"), "MCP server", tomlTable(host, p.codexTable(), hasCodexTable))
		add(page, "instructions", markdown(host, instructions))
		add(
			filepath.Join(dir, "hooks.json"), "hooks",
			entries{host: host, nested: true, hooks: p.hooks(host, codexEvents, 1)},
		)
		notes = append(notes, "Codex asks once whether to trust new hooks: type /hooks in it")
		if project {
			notes = append(notes, "Codex reads .codex in projects that you have marked as trusted")
		}
	case Gemini:
		dir := filepath.Join(base, ".gemini")
		page := filepath.Join(dir, "GEMINI.md")
		if project {
			page = filepath.Join(base, "GEMINI.md")
		}
		add(filepath.Join(dir, "settings.json"), "MCP server and hooks",
			entries{
				host: host, servers: []string{"mcpServers"}, server: p.server(false), nested: true,
				hooks: p.hooks(host, geminiEvents, 1000),
			})
		add(page, "instructions", markdown(host, instructions))
	case Cursor:
		dir := filepath.Join(base, ".cursor")
		add(
			filepath.Join(dir, "mcp.json"), "MCP server",
			entries{host: host, servers: []string{"mcpServers"}, server: p.server(false)},
		)
		if project {
			add(filepath.Join(dir, "rules", "stemma.mdc"), "instructions", whole{cursorRule})
		} else {
			notes = append(notes, "Cursor keeps a user's rules in its settings and not in a file: use --project for a rule")
		}
		add(
			filepath.Join(dir, "hooks.json"), "hooks",
			entries{host: host, hooks: p.hooks(host, cursorEvents, 1), head: []pair{{"version", 1}}},
		)
	case OpenCode:
		dir, page := base, filepath.Join(base, "AGENTS.md")
		plugins := filepath.Join(base, ".opencode", "plugins")
		if !project {
			dir = filepath.Join(p.Config, "opencode")
			if moved := p.Getenv("OPENCODE_CONFIG_DIR"); moved != "" {
				dir = moved
			}
			page, plugins = filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "plugins")
		}
		config := filepath.Join(dir, "opencode.json")
		if with := filepath.Join(dir, "opencode.jsonc"); exists(with) && !exists(config) {
			config = with
		}
		add(config, "MCP server", entries{host: host, servers: []string{"mcp"}, head: []pair{
			{"$schema", "https://opencode.ai/config.json"},
		},
			server: object{
				{"type", "local"}, {"command", append([]string{p.Program}, append(p.Flags, "mcp")...)},
				{"enabled", true},
			}})
		add(page, "instructions", markdown(host, instructions))
		add(filepath.Join(plugins, "stemma.js"), "hooks, as a plugin", whole{p.openCodePlugin()})
	case VSCode:
		if project {
			add(
				filepath.Join(base, ".vscode", "mcp.json"), "MCP server",
				entries{host: host, servers: []string{"servers"}, server: p.server(true)},
			)
			add(filepath.Join(base, ".github", "copilot-instructions.md"), "instructions", markdown(host, instructions))
			add(filepath.Join(base, ".github", "hooks", "stemma.json"), "hooks", whole{p.vscodeHooks()})
		} else {
			dir := p.codeDir()
			add(
				filepath.Join(dir, "mcp.json"), "MCP server",
				entries{host: host, servers: []string{"servers"}, server: p.server(true)},
			)
			add(filepath.Join(dir, "prompts", "stemma.instructions.md"), "instructions", whole{vscodeRule})
			add(filepath.Join(base, ".copilot", "hooks", "stemma.json"), "hooks", whole{p.vscodeHooks()})
		}
		notes = append(notes, "VS Code also runs Claude Code's hooks: with both installed, prompts are stored twice")
	default:
		return nil, nil, api.Invalid("unknown host %.40q; stemma knows %s", host, strings.Join(Names(), ", "))
	}
	return list, notes, nil
}

// server is the entry of an MCP server that is a program.
func (p Place) server(typed bool) any {
	o := object{{"command", p.Program}, {"args", append(append([]string{}, p.Flags...), "mcp")}}
	if typed {
		return append(object{{"type", "stdio"}}, o...)
	}
	return o
}

// hooks are the commands for some events; unit is what a second is in the host's
// limits.
func (p Place) hooks(host string, events []string, unit int) []hook {
	var out []hook
	for _, e := range events {
		wait := captureWait
		if Begins(host, e) {
			wait = contextWait
		}
		h := hook{event: e, command: p.command(host, e), extra: []pair{{"timeout", wait * unit}}}
		if host == ClaudeCode && e == "PostToolUse" {
			h.matcher = "*"
		}
		out = append(out, h)
	}
	return out
}

// command is what a host runs. It never fails: a host takes some exit codes as a
// veto, and the program may be gone some day.
func (p Place) command(host, event string) string {
	words := append([]string{p.Program}, p.Flags...)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	line := strings.Join(words, " ") + " hook run " + host + " " + event
	if runtime.GOOS == "windows" {
		return line
	}
	return line + " 2>/dev/null || true"
}

// shellWord quotes a word for sh where it needs it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	if runtime.GOOS == "windows" {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (p Place) codexTable() string {
	quoted := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	return fmt.Sprintf(
		"[mcp_servers.stemma]\ncommand = %s\nargs = %s", quoted(p.Program),
		quoted(append(append([]string{}, p.Flags...), "mcp")),
	)
}

func (p Place) vscodeHooks() string {
	list := object{}
	for _, h := range p.hooks(VSCode, vscodeEvents, 1) {
		list = append(list, pair{h.event, []any{append(object{{"type", "command"}, {"command", h.command}}, h.extra...)}})
	}
	return format(
		object{{"description", "made by 'stemma init vscode'; --remove takes it away"}, {"hooks", list}}, "  ",
		0, "\n",
	) + "\n"
}

// codeDir is where VS Code keeps a user's settings.
func (p Place) codeDir() string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support", "Code", "User")
	case "windows":
		return filepath.Join(p.Getenv("AppData"), "Code", "User")
	}
	return filepath.Join(p.Config, "Code", "User")
}
