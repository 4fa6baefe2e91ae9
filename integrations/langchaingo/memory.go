package stemmalangchain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tmc/langchaingo/schema"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

// Memory is a schema.Memory: before a chain runs, it gives what is known about the input, as a
// pack with a budget; after it, it keeps both sides' words as they are. Nothing of it is a
// person's decision: it speaks as an agent.
type Memory struct {
	Key    string // under which the chain finds the pack; NewMemory sets "history"
	Input  string // the chain's input that is asked about and kept; "" where it has only one
	Output string // the chain's output that is kept; "" where it has only one
	Budget int    // tokens of a pack; 0 is the usual
	engine *stemma.Engine
}

var _ schema.Memory = (*Memory)(nil)

// NewMemory returns a memory over an engine, for an agent and a conversation.
func NewMemory(e *stemma.Engine, agent, session string) (*Memory, error) {
	as, err := e.As(stemma.Caller{Origin: memory.OriginAgent, Agent: agent, Session: session})
	if err != nil {
		return nil, err
	}
	return &Memory{Key: "history", engine: as}, nil
}

// GetMemoryKey implements schema.Memory.
func (m *Memory) GetMemoryKey(context.Context) string { return m.Key }

// MemoryVariables implements schema.Memory.
func (m *Memory) MemoryVariables(context.Context) []string { return []string{m.Key} }

// LoadMemoryVariables returns the pack for the input.
func (m *Memory) LoadMemoryVariables(ctx context.Context, inputs map[string]any) (map[string]any, error) {
	query, err := only(inputs, m.Input, m.Key)
	if err != nil {
		return nil, err
	}
	pack, err := m.engine.Context(ctx, stemma.ContextRequest{Query: query, Budget: m.Budget})
	if err != nil {
		return nil, err
	}
	text, err := pack.Render("text", false)
	if err != nil {
		return nil, err
	}
	return map[string]any{m.Key: string(text)}, nil
}

// SaveContext keeps the input as the user's words and the output as the agent's.
func (m *Memory) SaveContext(ctx context.Context, inputs, outputs map[string]any) error {
	asked, err := only(inputs, m.Input, m.Key)
	if err != nil {
		return err
	}
	said, err := only(outputs, m.Output)
	if err != nil {
		return err
	}
	for _, words := range []stemma.CaptureRequest{
		{Text: asked, Speaker: "user", Source: "api"}, {Text: said, Speaker: "assistant", Source: "api"},
	} {
		if words.Text == "" {
			continue
		}
		if _, err := m.engine.Capture(ctx, words); err != nil {
			return err
		}
	}
	return nil
}

// ErrPermanent is what Clear returns: records stay, and what is no longer to be found is
// forgotten or purged by a person.
var ErrPermanent = errors.New("memories are not cleared: use forget, or let a person purge them")

// Clear implements schema.Memory and returns ErrPermanent.
func (m *Memory) Clear(context.Context) error { return ErrPermanent }

// only returns one text of a chain's values: the named one, or the only one that is not passed
// over.
func only(values map[string]any, name string, passOver ...string) (string, error) {
	if name == "" {
		for key := range values {
			if slices.Contains(passOver, key) {
				continue
			}
			if name != "" {
				return "", fmt.Errorf(
					"the chain has the values %q and %q: set Input or Output of the memory", min(name, key), max(name, key),
				)
			}
			name = key
		}
	}
	switch value := values[name].(type) {
	case string:
		return value, nil
	case nil:
		return "", fmt.Errorf("the chain has no value %q", name)
	default:
		return "", fmt.Errorf("the value %q is %T and not text", name, value)
	}
}
