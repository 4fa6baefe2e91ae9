package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/toolset"
)

const jsonType = "application/json"

// addResources adds what a host can read without a tool: the pack, a record, a trace.
func (f *face) addResources(s *mcp.Server) {
	s.AddResource(&mcp.Resource{URI: "stemma://context", Name: "context", Title: "What to know now", MIMEType: jsonType,
		Description: "What is best grounded and newest, within 2000 tokens."}, f.read)
	for _, t := range []*mcp.ResourceTemplate{
		{
			URITemplate: "stemma://context{?query}", Name: "context_about", Title: "Memories for a question",
			Description: "A pack of memories within 2000 tokens.",
		},
		{
			URITemplate: "stemma://trace/{kind}/{id}", Name: "trace", Title: "Where a memory came from",
			Description: "Its sources down to the words, and what came of it.",
		},
		{
			URITemplate: "stemma://{kind}/{id}", Name: "record", Title: "A memory",
			Description: "One record whole: stemma://belief/3f9a…",
		},
	} {
		t.MIMEType = jsonType
		s.AddResourceTemplate(t, f.read)
	}
}

// read reads a resource.
func (f *face) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	op, in, ok := located(uri)
	if !ok {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	text, err := f.ask(ctx, asker{req.Session, req.ClientInfo(), req.Params.Meta}, op, in)
	switch {
	case errors.Is(err, api.ErrNotFound):
		return nil, mcp.ResourceNotFoundError(uri)
	case err != nil:
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: text}}}, nil
}

// located says which operation a resource is, and its request.
func located(uri string) (op string, in map[string]any, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "stemma" {
		return "", nil, false
	}
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	switch {
	case u.Host == "context" && len(parts) == 0:
		return "context", map[string]any{"query": u.Query().Get("query")}, true
	case u.Host == "trace" && len(parts) == 2:
		return "trace", map[string]any{"ref": parts[0] + ":" + parts[1]}, true
	case u.Host != "trace" && len(parts) == 1:
		return "show", map[string]any{"ref": u.Host + ":" + parts[0]}, true
	}
	return "", nil, false
}

// ask carries out an operation and returns the reply as harmless JSON.
func (f *face) ask(ctx context.Context, a asker, name string, in map[string]any) (string, error) {
	op, _ := ops.Find(name)
	request, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	e, err := f.voiceOf(ctx, a, false)
	if err != nil {
		return "", err
	}
	out, err := op.Do(ctx, e, request)
	if err != nil {
		return "", err
	}
	text, err := toolset.Plain(out)
	return string(text), err
}
