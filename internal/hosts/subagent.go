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

// ofSubAgent reads which sub-agent an event is of. Copilot CLI and OpenCode give each a conversation of its own;
// the others leave it in that of the agent.
func (e *Event) ofSubAgent() {
	e.Agent = shorten.To(e.fields.text(agentMembers...), memory.MaxNameBytes)
	if parent := shorten.To(e.fields.text(parentMembers...), memory.MaxNameBytes); parent != e.Session {
		e.Parent = parent
	}
	if e.Agent == "" && e.Parent != "" {
		e.Agent = e.Session
	}
}

// Join makes an event of a sub-agent one of the conversation that it works for: what the sub-agent reads stands
// behind what the agent writes after it had the answer. A sub-agent of a sub-agent works for the same.
func (c Conversations) Join(e *Event, dir string) error {
	if e.Parent == "" || e.Session == "" {
		return nil
	}
	root := e.Parent
	for _, n := range c.notes() {
		if n.Host == e.Host && n.Session == e.Parent && n.For != "" {
			root = n.For
		}
	}
	_, err := c.Note(Conversation{Host: e.Host, Dir: dir, Session: e.Session, For: root})
	e.Session = root
	return err
}
