package mcpserver

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/toolset"
)

// full are all tools as they are listed, made by the test of this package. The six are in
// package toolset.
//
//go:embed definitions/full.json
var full []byte

// listed reads the definitions of a set of tools; schemas stay as they are written.
func listed(size string) ([]*mcp.Tool, error) {
	text := full
	if size != Full {
		text = toolset.Definitions
	}
	var list []struct {
		mcp.Tool
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("tools %s: %w", size, err)
	}
	out := make([]*mcp.Tool, len(list))
	for i := range list {
		t := &list[i].Tool
		t.InputSchema = list[i].InputSchema
		if len(list[i].OutputSchema) > 0 {
			t.OutputSchema = list[i].OutputSchema
		}
		out[i] = t
	}
	return out, nil
}

// defined makes the definitions of a set of tools, one a line.
func defined(size string) ([]byte, error) {
	b := bytes.NewBufferString("[\n")
	e := json.NewEncoder(b) // ends each with a line
	e.SetEscapeHTML(false)
	for _, t := range tools {
		if size != Full && !t.core {
			continue
		}
		d, err := define(t)
		if err != nil {
			return nil, err
		}
		if b.Len() > len("[\n") {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
		if err := e.Encode(d); err != nil {
			return nil, err
		}
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}
