// Package toolset is what a model calls, on any face: six tools with their descriptions, the
// members that a model may set, and short answers that cannot steer it.
package toolset

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Definitions are the six tools as MCP lists them, made by a test of package mcpserver.
//
//go:embed core.json
var Definitions []byte

// A Definition describes one tool to a model.
type Definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
}

// List reads the definitions.
func List() ([]Definition, error) {
	var list []Definition
	if err := json.Unmarshal(Definitions, &list); err != nil {
		return nil, fmt.Errorf("the definitions of the tools: %w", err)
	}
	return list, nil
}
