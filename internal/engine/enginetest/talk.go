package enginetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Prompts hands over what a person typed, as a host's hook does.
func (c *Talk) Prompts(text string) string {
	c.Helper()
	return c.PromptsIn("later", text)
}

// PromptsIn does it in a session.
func (c *Talk) PromptsIn(session, text string) string {
	c.Helper()
	reply, err := c.Agent.Observe(c.Context(), []engine.Observed{{
		ID: fmt.Sprintf("%x", text), Text: text, Event: "user_prompt", Speaker: "user", Session: session,
		Platform: "claude-code",
	}})
	if err != nil || len(reply.Refs) != 1 {
		c.Fatalf("%+v, %v", reply, err)
	}
	return reply.Refs[0]
}

// A Talk is an agent's, in which a host's hooks capture what is said.
type Talk struct {
	*testing.T
	Agent *engine.Engine
}

// Talking begins a session of an agent.
func Talking(t *testing.T, session string) *Talk {
	t.Helper()
	return &Talk{t, Open(t, "mem", engine.Config{
		Origin: memory.OriginAgent, Agent: "coder", Session: session, Platform: "claude-code",
	})}
}

// Says captures what a hook hands over.
func (c *Talk) Says(event, speaker, text string) string {
	c.Helper()
	reply, err := c.Agent.Capture(c.Context(), api.CaptureRequest{
		Text: text, Source: "hook", Event: event, Speaker: speaker, Meta: api.Meta{Session: c.Agent.C.Session},
	})
	if err != nil {
		c.Fatal(err)
	}
	return reply.Ref
}

// Remembers returns the memory and the turns that its tree ends in.
func (c *Talk) Remembers(text string) (ref string, turns []string, own bool) {
	c.Helper()
	reply, err := c.Agent.Remember(c.Context(), api.RememberRequest{Text: text})
	if err != nil || len(reply.Memories) == 0 {
		c.Fatalf("%+v, %v", reply, err)
	}
	why, err := c.Agent.Why(c.Context(), api.WhyRequest{Ref: reply.Memories[0].Ref})
	if err != nil || len(why.Sources) == 0 {
		c.Fatalf("%+v, %v", why, err)
	}
	for _, n := range why.Sources[0].Sources {
		if n.SaidIn {
			turns = append(turns, n.Type+":"+n.ID)
		}
	}
	return reply.Memories[0].Ref, turns, slices.Contains(why.Sources[0].Marks, "the agent's own words")
}
