package cli

import (
	"context"
	"github.com/stemma-memory/stemma/llm"
	"io"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// Env is what a command sees of the world.
type Env struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string // where it was called
	Version string

	// MCP serves an agent; nil is a program without that face.
	MCP func(context.Context, MCPRun) error
	// Serve runs a server until its context ends; nil is a program without one.
	Serve func(context.Context, ServeRun) error
	// Serving is called by a verb that answers others until it is ended; nil is no one
	// who wants to know.
	Serving func()
	// Embedder is the model within the program; nil is a program without one.
	Embedder llm.Local

	person  bool // the tour's, which shows what only a person may do
	columns int  // how wide lines may be; 0 is as wide as the terminal
}

// MCPRun is what a server of the Model Context Protocol on standard input and
// output needs of the command line.
type MCPRun struct {
	In      io.Reader
	Out     io.Writer
	Version string
	Tools   string // core or full
	Agent   string // display name; "" is what the client calls itself
	Session string // "" is the host's, or one of its own
	// Conversation returns what the host of a client calls the conversation, and what
	// else it may be called.
	Conversation func(client string) (named string, also []string)
	Open         func(context.Context) (*engine.Engine, error)
	// to read in where there is no store; nil where there is one
	Empty func(context.Context) (*engine.Engine, error)
	Fresh func(context.Context, *engine.Engine) // takes in what hooks put aside, before each call
	Page  func(ref string) string               // where a person can decide; "" while no server runs
	// the space that follows from a directory which the client works in, and where that is; "" is that of Open's engine
	Place func(ctx context.Context, dir string) (string, *engine.Place)
	// about how long between two exchanges with the store's remotes, once it is open; 0 is none
	Follow func() time.Duration
	Say    func(f string, a ...any)
}

// ServeRun is what a server needs of the command line.
type ServeRun struct {
	Engine  *engine.Engine
	Addr    string // to listen on
	Dir     string // for the tokens, and for where the server runs
	Store   string // what names the store, so that others find its server
	Hosts   []string
	Tools   string          // of MCP: core or full
	Writes  float64         // a second of one client; 0 is no limit
	Metrics metrics.Options // where they are sent
	Traces  *tracing.Tracer
	Version string
	Follow  time.Duration               // about how long between two exchanges with the store's remotes; 0 is none
	Fresh   func(context.Context)       // takes in what hooks put aside, before a request; nil is none
	Ready   func(url string)            // is called once the server listens
	Place   func() (hosts.Place, error) // where the person's hosts keep their settings; nil is not known
	Here    string                      // the directory in which the server was started
	Known   func() []project.Project    // the projects that are known on this machine; nil is none
	Say     func(f string, a ...any)    // talk, for a person
}
