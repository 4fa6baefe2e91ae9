// Package hosts knows the programs that agents run in: what their configuration
// files look like, what their hooks say, and what they keep of conversations.
//
// It edits texts and reads events; which store they belong to and who may speak is
// decided above it. A user's file is edited where something is put in or taken
// out, and byte for byte the same everywhere else.
package hosts

// Names of hosts, as they are typed.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Copilot    = "copilot"
	Cursor     = "cursor"
	Gemini     = "gemini"
	OpenCode   = "opencode"
	Qwen       = "qwen"
	VSCode     = "vscode"
)

// Names returns all hosts there are.
func Names() []string {
	return []string{ClaudeCode, Codex, Copilot, Cursor, Gemini, OpenCode, Qwen, VSCode}
}

// titles are what the hosts call themselves.
var titles = map[string]string{
	ClaudeCode: "Claude Code", Codex: "Codex", Copilot: "Copilot CLI", Cursor: "Cursor", Gemini: "Gemini CLI",
	OpenCode: "OpenCode", Qwen: "Qwen Code", VSCode: "VS Code",
}

// Title returns what a host calls itself.
func Title(host string) string { return titles[host] }

// What a hook can tell of.
type moment int

const (
	nothing  moment = iota // an event that we do not keep
	begins                 // a session: the context pack goes in
	prompted               // a person said something
	used                   // a tool gave something
	answered               // the agent said something
	compacts               // the conversation is about to be shortened
	ends                   // a session
	passes                 // nothing is kept of it
)

// moments says what each host's events are.
var moments = map[string]map[string]moment{
	ClaudeCode: {
		"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "PostToolUseFailure": used,
		"Stop": answered, "SubagentStop": answered, "PreCompact": compacts, "SessionEnd": ends,
	},
	Codex: {
		"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "Stop": answered,
		"SubagentStop": answered, "PreCompact": compacts, "SessionEnd": ends,
	},
	Copilot: copilotMoments,
	Gemini: {
		"SessionStart": begins, "BeforeAgent": prompted, "AfterTool": used, "AfterAgent": answered,
		"PreCompress": passes, // it comes before each call of a model, whether or not anything is shortened
		"SessionEnd":  ends,
	},
	Cursor: {
		"sessionStart": begins, "beforeSubmitPrompt": prompted, "postToolUse": used, "postToolUseFailure": used,
		"afterAgentResponse": answered, "preCompact": compacts, "sessionEnd": ends,
	},
	OpenCode: {
		"session.start": begins, "chat.message": prompted, "tool.execute.after": used, "text.complete": answered,
		"session.compacting": compacts,
	},
	Qwen: {
		"UserPromptSubmit": prompted, "PostToolUse": used, "PostToolUseFailure": used,
		"Stop": answered, "SubagentStop": answered, "SessionEnd": ends,
		"SessionStart": passes, // it does not read what it is told then
		"PreCompact":   passes, // as Gemini's
	},
	VSCode: copilotMoments, // both run the hooks of ~/.copilot
}

var copilotMoments = map[string]moment{
	"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "PostToolUseFailure": used,
	"Stop": answered, "SubagentStop": answered, "PreCompact": compacts, "SessionEnd": ends,
}

// Actual returns the host that runs a hook which was written for another: Copilot CLI and
// VS Code read the same directory of hooks.
func Actual(host string, getenv func(string) string) string {
	switch {
	case host != Copilot && host != VSCode:
		return host
	case getenv("COPILOT_CLI") != "":
		return Copilot
	default:
		return VSCode
	}
}

// Begins reports whether an event is the beginning of a session, to which a hook
// answers with what is to be known.
func Begins(host, event string) bool { return moments[host][event] == begins }

// Knows reports whether a host has such an event.
func Knows(host, event string) bool { return moments[host][event] != nothing }
