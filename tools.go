package stemma

import (
	"context"
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/toolset"
	"github.com/stemma-memory/stemma/memory"
)

// A Tool is one of the six things that a model does with memory, for any agent framework.
// Answers, descriptions and refusals are those of `stemma mcp`.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object

	// Call takes the arguments as JSON and returns JSON. If other arguments could avoid a
	// failure, the answer is a line such as "not_found: …", and the error is nil.
	Call func(ctx context.Context, arguments string) (string, error)
}

// Tools returns the tools recall, remember, correct, why, recent and status. They speak as an
// agent, with the names of the engine's Config, whatever its Origin: a model is never the owner.
func (e *Engine) Tools() ([]Tool, error) {
	list, err := toolset.List()
	if err != nil {
		return nil, err
	}
	c := &e.in.C
	agent, err := e.in.As(engine.Caller{
		Origin: memory.OriginAgent, Agent: c.Agent, Platform: c.Platform,
		Session: c.Session, Sessions: c.Sessions, Unnamed: c.Unnamed,
	})
	if err != nil {
		return nil, err
	}
	tools := make([]Tool, len(list))
	for i, d := range list {
		tools[i] = Tool{
			Name: d.Name, Description: d.Description, Schema: d.Schema,
			Call: func(ctx context.Context, arguments string) (string, error) {
				return toolset.Do(ctx, agent, d.Name, json.RawMessage(arguments))
			},
		}
	}
	return tools, nil
}
