// Package mcpserver is the face for models: the table of operations as tools of
// the Model Context Protocol, with resources and prompts, over a pipe or HTTP.
package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Sizes of the set of tools that is listed. What is not listed can be called.
const (
	Core = "core"
	Full = "full"
)

// Options says how a server behaves. The zero value serves the core tools.
type Options struct {
	Version string // of the program
	Tools   string // Core or Full; "" is Core

	// Page returns the address of the page on which a person can decide about a
	// record, or with "" about all that waits. Nil, or "", is no page: the answer
	// names the command that opens one.
	Page func(ref string) string

	// Caller identifies the authenticated caller of a request over HTTP.
	Caller func(*http.Request) (Caller, error)
	// of a server over HTTP: closed when it ends, and with it streams no one else would end; nil is never
	Done <-chan struct{}

	// Wrote is called after a call that may have written, or that asked what to know
	// when work begins. Nil is no one.
	Wrote func()

	// Of a server on a pipe.
	Open func(context.Context) (*engine.Engine, error) // asked by the first call, not before
	// Empty returns an engine on nothing where there is no store yet: a call that only
	// reads makes none. It gives nil where there is one, and is nil where Open makes
	// it for every call.
	Empty func(context.Context) (*engine.Engine, error)
	// Fresh takes in what hooks put aside for the engine's store, before each call: what a tool gave
	// stands behind what the agent writes next. Nil is none.
	Fresh   func(context.Context, *engine.Engine)
	Agent   string // display name; "" is what the client calls itself
	Session string // "" is the host's, or one of its own for each connection
	// Conversation returns what the host of a client calls the conversation, "" where it
	// does not say, and what else it may be called. Nil knows nothing.
	Conversation func(client string) (named string, also []string)
	// Place returns the space that follows from a directory which the client calls its root, and where that is. Nil
	// knows nothing; the space is then that of Open's engine.
	Place func(ctx context.Context, dir string) (string, *engine.Place)
	// about how long between two exchanges with the store's remotes, asked once it is open; 0 and nil are none
	Follow func() time.Duration
	Say    func(format string, args ...any) // what happens meanwhile, for people; nil is nobody

	held *held // nil where the library writes what is answered
}

// A Caller is who asks over HTTP, with the engine that serves it. Whatever voice
// that engine has, a model speaks through it as an agent.
type Caller struct {
	ID     string // the same for the same caller; nobody continues another's session
	Engine *engine.Engine
	Agent  string // display name; "" is what the client calls itself

	Session string // the conversation; "" is that of the connection
}

// Check returns an error for an unknown name of a set of tools.
func Check(tools string) error {
	switch tools {
	case "", Core, Full:
		return nil
	}
	return api.Invalid("tools: must be %s or %s, got %q", Core, Full, tools)
}

// private says that what memory holds is no one else's: no proxy keeps it.
const private = "private"

// server makes a server of the protocol. It knows no one: who asks comes with the
// context of each request.
func server(o Options, session func() string) (*mcp.Server, error) {
	if err := Check(o.Tools); err != nil {
		return nil, err
	}
	at := &workplace{}
	s := mcp.NewServer(&mcp.Implementation{
		Name: "stemma", Title: "stemma: memory with its sources", Version: o.Version,
	}, &mcp.ServerOptions{
		Instructions: instructions,
		GetSessionID: session,
		//lint:ignore SA1019 see roots.go
		RootsListChangedHandler: at.changed,
		SetCacheable:            func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = private },
		// Nothing that is listed changes while a server runs, and it keeps no log for clients.
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{},
		},
	})
	f := &face{o: o, secret: rand.Text(), at: at}
	f.listed = sync.OnceValues(func() ([]*mcp.Tool, error) { return listed(o.Tools) })
	s.AddTool(&mcp.Tool{Name: anyTool, InputSchema: json.RawMessage(`{"type":"object"}`)}, f.call)
	f.addResources(s)
	f.addPrompts(s)
	s.AddReceivingMiddleware(f.tools)
	return s, nil
}

// face answers the requests of one server.
type face struct {
	o      Options
	secret string // names of sessions cannot be guessed
	at     *workplace
	listed func() ([]*mcp.Tool, error)

	damaged atomic.Bool // that a table of the store is damaged was said
}

// voiceKey is the key of who asks in the context of a request.
type voiceKey struct{}

// A voice is who asks on one connection.
type voice struct {
	id      string
	agent   string
	session string // as it was named when the server was started; "" follows from the connection
	made    string // a name of the connection's own, "" for one over HTTP
	engine  func(ctx context.Context, writes bool) (*engine.Engine, error)
}
