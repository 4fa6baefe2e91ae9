package hosts

// A Marker is an environment variable that a host sets in the shells that it starts
// for its agent.
type Marker struct{ Env, Host string }

// Markers are those that are known. Left out are variables that also lie in a person's
// own shells: what people set to configure a host (CODEX_HOME, CLAUDE_CODE_USE_BEDROCK,
// GEMINI_API_KEY), and what an editor sets in every terminal of its window
// (CURSOR_TRACE_ID, CLAUDE_CODE_SSE_PORT).
var Markers = []Marker{
	{"CLAUDECODE", ClaudeCode}, {"CLAUDE_CODE_SESSION_ID", ClaudeCode}, {"CLAUDE_CODE_ENTRYPOINT", ClaudeCode},
	{"CODEX_SANDBOX", Codex}, {"CODEX_SANDBOX_NETWORK_DISABLED", Codex}, {"CODEX_THREAD_ID", Codex}, {"CODEX_CI", Codex},
	{"GEMINI_CLI", Gemini},
	{"CURSOR_AGENT", Cursor},
	{"OPENCODE", OpenCode},
	{"COPILOT_AGENT", VSCode}, {"COPILOT_CLI", Copilot}, {"COPILOT_AGENT_SESSION_ID", Copilot},
	{"QWEN_CODE", Qwen},
	{"AMP_CURRENT_THREAD_ID", "amp"},
	{"AUGMENT_AGENT", "augment"},
	{"ANTIGRAVITY_AGENT", "antigravity"},
	{"CLINE_ACTIVE", "cline"},
	{"AI_AGENT", "an agent's host"}, // what several hosts agreed on
}

// Marked returns the host in whose shell this is, "" where no marker says so.
func Marked(getenv func(string) string) string {
	for _, m := range Markers {
		if getenv(m.Env) != "" {
			return m.Host
		}
	}
	return ""
}

// EnvSession is where Claude Code puts the name of a conversation for the servers and
// commands that it starts.
const EnvSession = "CLAUDE_CODE_SESSION_ID"
