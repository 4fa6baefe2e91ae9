package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/toolset"
	"github.com/stemma-memory/stemma/memory"
)

// anyTool is the only tool that the library knows.
const anyTool = "any"

// opKey is the key of the operation that is called in the context of a call.
type opKey struct{}

// tools answers what concerns tools before the library does, which would know them
// otherwise: it would decode every schema several times before it answers anything. So an
// operation can also be called by every name it has, listed or not: other systems'
// prompts know them by their own.
func (f *face) tools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			if r.Params != nil && r.Params.Cursor != "" {
				return nil, &jsonrpc.Error{
					Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: all tools are on one page",
				}
			}
			list, err := f.listed()
			return &mcp.ListToolsResult{Tools: list, Cacheable: mcp.Cacheable{CacheScope: private}}, err
		case *mcp.CallToolRequest:
			op, ok := ops.Find(r.Params.Name)
			if !ok {
				return nil, &jsonrpc.Error{
					Code:    jsonrpc.CodeInvalidParams,
					Message: toolset.Harmless(fmt.Sprintf("unknown tool %q", shorten.To(r.Params.Name, memory.MaxNameBytes))),
				}
			}
			// The library finishes the result, as each version of the protocol wants it.
			one := *r
			params := *r.Params
			one.Params, params.Name = &params, anyTool
			return next(context.WithValue(ctx, opKey{}, op), method, &one)
		}
		return next(ctx, method, req)
	}
}

// call does one operation.
func (f *face) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	op, ok := ctx.Value(opKey{}).(ops.Op)
	if !ok {
		return nil, fmt.Errorf("no operation is called")
	}
	c, wrong := toolset.Read(op, req.Params.Arguments, "mcp")
	if what := persons[op.Name]; what != "" {
		return f.personal("only a person may "+what, c.Ref()), nil
	}
	if wrong != nil {
		return f.failed(wrong, ""), nil
	}
	e, err := f.voiceOf(ctx, asker{req.Session, req.ClientInfo(), req.Params.Meta}, op.MakesStore(c.Args))
	if err != nil {
		return f.failed(err, ""), nil
	}
	out, err := c.Do(ctx, e)
	if f.o.Wrote != nil && (op.Writes || op.Name == "load") {
		f.o.Wrote() // what failed may have done a part
	}
	if err != nil {
		return f.failed(err, c.Ref()), nil
	}
	text, err := c.Answer(out, e.C.Zone)
	if err != nil {
		return f.failed(err, ""), nil
	}
	var structured any = text
	said := text
	if f.o.held != nil && len(text) >= leastHeld {
		name := f.o.held.hold(text)
		structured, said = name, json.RawMessage(name)
	}
	content := []mcp.Content{&mcp.TextContent{Text: string(said)}}
	if says := e.Damaged(); says != "" && !f.damaged.Swap(true) { // once, for the model to tell its person
		content = append(content, &mcp.TextContent{Text: toolset.Harmless("warning: " + says)})
	}
	return &mcp.CallToolResult{Content: content, StructuredContent: structured}, nil
}

// failed is the answer to a call that did not work: its kind and one line, for the
// model to read and do better.
func (f *face) failed(err error, ref string) *mcp.CallToolResult {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; ")
	if errors.Is(err, api.ErrForbidden) {
		return f.personal(text, ref)
	}
	return errorResult(ops.StatusOf(err).Name + ": " + text)
}

// personal is the answer to what only a person may do: where they can.
func (f *face) personal(text, ref string) *mcp.CallToolResult {
	where := "run 'stemma ui' in a terminal"
	if f.o.Page != nil {
		if at := f.o.Page(ref); at != "" {
			where = "open " + at
		}
	}
	return errorResult("forbidden: " + text + ". Ask the person you work for to decide: they can " + where)
}

func errorResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: toolset.Harmless(text)}}}
}

// An asker is the client on a connection, and what it calls itself.
type asker struct {
	session *mcp.ServerSession
	client  *mcp.Implementation
	meta    mcp.Meta // of this call
}

// voiceOf returns the engine in the voice of an agent, whoever opened the connection: a model
// is never the owner.
func (f *face) voiceOf(ctx context.Context, a asker, writes bool) (*engine.Engine, error) {
	v, ok := ctx.Value(voiceKey{}).(*voice)
	if !ok {
		return nil, fmt.Errorf("the caller is unknown")
	}
	c := engine.Caller{Origin: memory.OriginAgent, Agent: v.agent}
	f.placed(ctx, &c, a) // before the store is opened: which one it is follows from that too
	e, err := v.engine(ctx, writes)
	if err != nil {
		return nil, err
	}
	if a.client != nil {
		if c.Agent == "" {
			c.Agent = name(a.client.Name)
		}
		c.Platform = name(strings.TrimSpace(a.client.Name + " " + a.client.Version))
	}
	f.converse(&c, v, a)
	return e.As(c)
}

// converse says in which conversation a call is made: the one that was named when the
// server was started, that which the host names with the call or in the environment,
// or one of the connection's own. What else it may be called goes along, so that what
// the host's hooks showed the agent stands behind what it writes here.
func (f *face) converse(c *engine.Caller, v *voice, a asker) {
	client := ""
	if a.client != nil {
		client = a.client.Name
	}
	names := []string{v.session, sessionIn(a.meta)}
	if f.o.Conversation != nil {
		named, also := f.o.Conversation(client)
		if names = append(names, named); strings.Join(names, "") == "" || named != "" {
			c.Sessions = also
		}
	}
	for _, n := range names {
		clean := name(n)
		switch {
		case n == "":
		case c.Session == "":
			c.Session = clean
		default:
			c.Sessions = append(c.Sessions, clean)
		}
		if clean != n { // a hook may have noted it as it is
			c.Sessions = append(c.Sessions, n)
		}
	}
	if c.Session == "" {
		c.Unnamed = true
		if c.Session = v.made; c.Session == "" {
			c.Session = f.sessionOf(v.id, c.Agent, a.session)
		}
	}
}

// turnMetadata is where Codex puts the name of a conversation in each call.
const turnMetadata = "x-codex-turn-metadata"

// sessionIn returns the conversation's name in the metadata of a call, "" if there is none.
func sessionIn(meta mcp.Meta) string {
	turn := meta[turnMetadata]
	if text, is := turn.(string); is { // the same as JSON in a string
		turn = nil
		if len(text) <= maxTurn && json.Unmarshal([]byte(text), &turn) != nil {
			return ""
		}
	}
	object, _ := turn.(map[string]any)
	session, _ := object["session_id"].(string)
	return shorten.To(session, memory.MaxNameBytes)
}

// maxTurn is longer than what comes with a turn.
const maxTurn = 64 << 10

// sessionOf names the conversation of a connection over HTTP. Where there is no
// session, since 2026-07-28, it is a caller's day: what an agent was shown in it
// stands behind what it writes.
func (f *face) sessionOf(id, agent string, s *mcp.ServerSession) string {
	which := ""
	if s != nil {
		which = s.ID()
	}
	if which == "" {
		which = id + "\n" + agent + "\n" + time.Now().UTC().Format(time.DateOnly)
	}
	sum := hmac.New(sha256.New, []byte(f.secret))
	sum.Write([]byte(which))
	return "mcp-" + hex.EncodeToString(sum.Sum(nil)[:8])
}

// name makes what a client calls itself fit for a record.
func name(s string) string {
	return strings.TrimSpace(shorten.To(toolset.Harmless(strings.Join(strings.Fields(s), " ")), memory.MaxNameBytes))
}
