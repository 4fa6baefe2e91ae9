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
	Cursor     = "cursor"
	Gemini     = "gemini"
	OpenCode   = "opencode"
	VSCode     = "vscode"
)

// Names returns all hosts there are.
func Names() []string { return []string{ClaudeCode, Codex, Cursor, Gemini, OpenCode, VSCode} }

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
)

// moments says what each host's events are.
var moments = map[string]map[string]moment{
	ClaudeCode: {
		"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "PostToolUseFailure": used,
		"Stop": answered, "SubagentStop": answered, "PreCompact": compacts, "SessionEnd": ends,
	},
	Codex: {
		"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "Stop": answered,
		"SubagentStop": answered, "PreCompact": compacts,
	},
	Gemini: {
		"SessionStart": begins, "BeforeAgent": prompted, "AfterTool": used, "AfterAgent": answered,
		"PreCompress": compacts, "SessionEnd": ends,
	},
	Cursor: {
		"sessionStart": begins, "beforeSubmitPrompt": prompted, "postToolUse": used, "postToolUseFailure": used,
		"afterAgentResponse": answered, "preCompact": compacts, "sessionEnd": ends,
	},
	OpenCode: {
		"session.start": begins, "chat.message": prompted, "tool.execute.after": used, "text.complete": answered,
		"session.compacting": compacts,
	},
	VSCode: {
		"SessionStart": begins, "UserPromptSubmit": prompted, "PostToolUse": used, "Stop": answered,
		"SubagentStop": answered, "PreCompact": compacts,
	},
}

// Begins reports whether an event is the beginning of a session, to which a hook
// answers with what is to be known.
func Begins(host, event string) bool { return moments[host][event] == begins }

// Knows reports whether a host has such an event.
func Knows(host, event string) bool { return moments[host][event] != nothing }
