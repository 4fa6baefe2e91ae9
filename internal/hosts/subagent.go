package hosts

import (
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// How a sub-agent is told from the agent.
const (
	subAgent    = "sub-agent"
	subAgentTag = "sub-agent"
)

// Members in which hosts name a sub-agent, and the conversation that it works for.
var (
	agentMembers  = []string{"agent_id", "agentId", "subagent_id", "subAgentInvocationId"}
	parentMembers = []string{
		"parent", "parent_session_id", "parentSessionId", "parent_conversation_id", "parent_agent_id", "parent_thread_id",
	}
)

// subAgentOf returns which sub-agent members are of, and the conversation that it works for where that has another
// name. Copilot CLI and OpenCode give each a conversation of its own; the others leave it in that of the agent.
func subAgentOf(f fields, session string) (agent, parent string) {
	agent = shorten.To(f.text(agentMembers...), memory.MaxNameBytes)
	if parent = shorten.To(f.text(parentMembers...), memory.MaxNameBytes); parent == session {
		parent = ""
	}
	if agent == "" && parent != "" {
		agent = session
	}
	return agent, parent
}
