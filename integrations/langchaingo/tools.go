// Package stemmalangchain gives chains and agents of LangChainGo a memory that shows where each
// belief comes from: a schema.Memory and six tools.
package stemmalangchain

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tmc/langchaingo/tools"

	"github.com/stemma-memory/stemma"
)

// Tools returns the tools of an engine. LangChainGo gives a tool one text, so descriptions
// contain the schema of the arguments, and a text that is no object is taken as the first
// argument: the query of recall, the text of remember, the ref of why.
func Tools(e *stemma.Engine) ([]tools.Tool, error) {
	list, err := e.Tools()
	if err != nil {
		return nil, err
	}
	out := make([]tools.Tool, len(list))
	for i, t := range list {
		out[i] = &memoryTool{t}
	}
	return out, nil
}

// memoryTool is one tool as LangChainGo calls it.
type memoryTool struct{ tool stemma.Tool }

func (t *memoryTool) Name() string { return t.tool.Name }

func (t *memoryTool) Description() string {
	return t.tool.Description + " The input is a JSON object: " + string(t.tool.Schema)
}

// first is the argument that a plain text is.
var first = map[string]string{"recall": "query", "remember": "text", "why": "ref", "correct": "ref", "recent": "since"}

func (t *memoryTool) Call(ctx context.Context, input string) (string, error) {
	input = strings.TrimSpace(input)
	if name := first[t.tool.Name]; input != "" && !strings.HasPrefix(input, "{") && name != "" {
		arguments, err := json.Marshal(map[string]string{name: strings.Trim(input, `"`)})
		if err != nil {
			return "", err
		}
		input = string(arguments)
	}
	return t.tool.Call(ctx, input)
}
