// Package stemmagenkit gives flows of Genkit a memory that shows where each belief comes from.
package stemmagenkit

import (
	"encoding/json"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/stemma-memory/stemma"
)

// DefineTools registers the tools of an engine with Genkit and returns them for ai.WithTools.
func DefineTools(g *genkit.Genkit, e *stemma.Engine) ([]ai.ToolRef, error) {
	list, err := e.Tools()
	if err != nil {
		return nil, err
	}
	refs := make([]ai.ToolRef, len(list))
	for i, t := range list {
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return nil, fmt.Errorf("the schema of %s: %w", t.Name, err)
		}
		call := func(ctx *ai.ToolContext, input any) (any, error) {
			arguments, err := json.Marshal(input)
			if err != nil {
				return nil, fmt.Errorf("the arguments of %s: %w", t.Name, err)
			}
			answer, err := t.Call(ctx, string(arguments))
			if err != nil || !json.Valid([]byte(answer)) {
				return answer, err
			}
			return json.RawMessage(answer), nil
		}
		refs[i] = genkit.DefineTool(g, t.Name, t.Description, call, ai.WithInputSchema(schema))
	}
	return refs, nil
}
