// Package stemmaeino gives agents of Eino a memory that shows where each belief comes from: six
// tools and a retriever.
package stemmaeino

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/retriever"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/stemma-memory/stemma"
)

// Tools returns the tools of an engine for the field Tools of a ToolsNodeConfig.
func Tools(e *stemma.Engine) ([]tool.BaseTool, error) {
	list, err := e.Tools()
	if err != nil {
		return nil, err
	}
	tools := make([]tool.BaseTool, len(list))
	for i, t := range list {
		parameters := new(jsonschema.Schema)
		if err := parameters.UnmarshalJSON(t.Schema); err != nil {
			return nil, fmt.Errorf("the schema of %s: %w", t.Name, err)
		}
		tools[i] = &memoryTool{t, &schema.ToolInfo{
			Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(parameters),
		}}
	}
	return tools, nil
}

// memoryTool is one tool as Eino calls it.
type memoryTool struct {
	tool stemma.Tool
	info *schema.ToolInfo
}

func (t *memoryTool) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

func (t *memoryTool) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	return t.tool.Call(ctx, arguments)
}

// A Retriever finds memories for a chain or a graph, best first. Superseded and rejected ones are not among
// them. Each document has the memory's ref as its ID, and in its metadata tier, level, review
// and actionable.
type Retriever struct {
	Engine *stemma.Engine
	Limit  int // how many, where the call does not say; 0 is 5
}

// Retrieve implements Eino's interface of the same name. Of its options it takes TopK.
func (r *Retriever) Retrieve(
	ctx context.Context, query string, options ...retriever.Option,
) ([]*schema.Document, error) {
	limit := r.Limit
	if o := retriever.GetCommonOptions(&retriever.Options{}, options...); o.TopK != nil {
		limit = *o.TopK
	}
	found, err := r.Engine.Recall(ctx, stemma.RecallRequest{Query: query, Limit: limit})
	if err != nil {
		return nil, err
	}
	documents := make([]*schema.Document, len(found.Results))
	for i := range found.Results {
		m := &found.Results[i]
		documents[i] = &schema.Document{ID: m.Ref, Content: m.Text, MetaData: map[string]any{
			"tier": m.Tier, "level": m.Level, "review": m.Review, "actionable": m.Actionable,
		}}
	}
	return documents, nil
}
