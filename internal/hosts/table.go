package hosts

import (
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
	Backups string   // the directory for what was there before
	Allow   Allow    // what a host lets its agent do with stemma unasked

	posix bool // commands are for sh, whatever system this is
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
	codexEnds   = 3 // Codex gives the end of a session no more, and warns at each start of a hook that asks for it
)

// installed are the events that each host gets hooks for, in the order in which they come.
var installed = map[string][]string{
	ClaudeCode: {
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "PreCompact",
		"SessionEnd",
	},
	Codex: {
		"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "PreCompact", "SessionEnd",
	},
	Copilot: copilotEvents,
	Cursor: {
		"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "afterAgentResponse", "preCompact",
		"sessionEnd",
	},
	Gemini: {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
	Qwen: {
		"UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "SessionEnd",
	},
	VSCode: copilotEvents,
}

var copilotEvents = []string{
	"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "PreCompact",
	"SessionEnd",
}

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
		add(servers, "MCP server", entries{
			host: host, servers: []string{"mcpServers"}, server: append(p.server(true), pair{"alwaysLoad", true}),
		})
		add(page, "instructions", markdown(host, instructions))
		add(
			filepath.Join(dir, "settings.json"), "hooks",
			entries{host: host, nested: true, hooks: p.hooks(host, 1), allow: p.rules()},
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
			entries{host: host, nested: true, hooks: p.hooks(host, 1)},
		)
		notes = append(notes, "Codex runs no hook that you have not trusted, and does not say so: type /hooks in it once")
		if project {
			notes = append(notes, "Codex reads .codex in projects that you have marked as trusted")
		}
	case Gemini, Qwen: // which is made from Gemini CLI
		dir, page := filepath.Join(base, "."+host), strings.ToUpper(host)+".md"
		if moved := p.Getenv("QWEN_HOME"); !project && host == Qwen && moved != "" {
			dir = moved
		}
		if project {
			page = filepath.Join(base, page)
		} else {
			page = filepath.Join(dir, page)
		}
		server := p.server(false)
		if host == Qwen { // or its agent would have to search for the tools
			server = append(server, pair{"alwaysLoadTools", true})
		}
		e := entries{host: host, servers: []string{"mcpServers"}, nested: true, hooks: p.hooks(host, 1000)}
		if e.server = server; p.Allow == AllowAll {
			e.server = append(server, pair{"trust", true})
		} else if host == Qwen {
			e.allow = p.rules()
		}
		add(filepath.Join(dir, "settings.json"), "MCP server and hooks", e)
		add(page, "instructions", markdown(host, instructions))
	case Copilot:
		dir := filepath.Join(base, ".copilot")
		if moved := p.Getenv("COPILOT_HOME"); moved != "" {
			dir = moved
		}
		servers, page := filepath.Join(dir, "mcp-config.json"), filepath.Join(dir, "copilot-instructions.md")
		if project {
			dir = filepath.Join(base, ".github")
			servers, page = filepath.Join(dir, "mcp.json"), filepath.Join(dir, "copilot-instructions.md")
		}
		add(servers, "MCP server", entries{
			host: host, servers: []string{"mcpServers"},
			server: append(append(object{{"type", "local"}}, p.server(false)...), pair{"tools", []string{"*"}}),
		})
		add(page, "instructions", markdown(host, instructions))
		add(filepath.Join(dir, "hooks", "stemma.json"), "hooks", p.copilotHooks(host))
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
			entries{host: host, hooks: p.hooks(host, 1), head: []pair{{"version", 1}}},
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
			add(filepath.Join(base, ".github", "hooks", "stemma.json"), "hooks", p.copilotHooks(host))
		} else {
			dir := p.codeDir()
			add(
				filepath.Join(dir, "mcp.json"), "MCP server",
				entries{host: host, servers: []string{"servers"}, server: p.server(true)},
			)
			add(filepath.Join(dir, "prompts", "stemma.instructions.md"), "instructions", whole{vscodeRule})
			add(filepath.Join(base, ".copilot", "hooks", "stemma.json"), "hooks", p.copilotHooks(host))
		}
		notes = append(notes, "VS Code also runs Claude Code's hooks: with both installed, prompts are stored twice")
	default:
		return nil, nil, api.Invalid("unknown host %.40q; stemma knows %s. In another program, add an MCP server "+
			"by hand: the command stemma with the argument mcp", host, strings.Join(Names(), ", "))
	}
	return list, notes, nil
}

// server is the entry of an MCP server that is a program.
func (p Place) server(typed bool) object {
	o := object{{"command", p.Program}, {"args", append(append([]string{}, p.Flags...), "mcp")}}
	if typed {
		return append(object{{"type", "stdio"}}, o...)
	}
	return o
}

// hooks are the commands for a host's events; unit is what a second is in its limits.
func (p Place) hooks(host string, unit int) []hook {
	var out []hook
	for _, e := range installed[host] {
		wait := captureWait
		if Begins(host, e) || host == Qwen && e == "UserPromptSubmit" {
			wait = contextWait
		} else if host == Codex && e == "SessionEnd" {
			wait = codexEnds
		}
		h := hook{event: e, command: p.command(host, e), extra: []pair{{"timeout", wait * unit}}}
		if host == ClaudeCode && strings.HasPrefix(e, "PostToolUse") {
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
	if runtime.GOOS == "windows" && !p.posix {
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
