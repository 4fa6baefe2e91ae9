// Command stemma is memory for agents that can say where it comes from.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/mcpserver"
	"github.com/stemma-memory/stemma/internal/serve"
)

// version is set when a release is built.
var version = "0.1.0-dev"

func main() { os.Exit(run()) }

func run() int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stemma: where are we?", err)
		return 1
	}
	return untilSignal(func(ctx context.Context) int {
		return cli.Run(ctx, os.Args[1:], cli.Env{
			Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir, Version: version,
			MCP:     serveMCP,
			Serve:   func(ctx context.Context, run cli.ServeRun) error { return serve.Run(ctx, serve.Options(run)) },
			Serving: func() { serving.Store(true) },
		})
	})
}

// serveMCP puts the face for models behind its verb. A host that hangs up while it
// is answered ends the process in order, not by a signal.
func serveMCP(ctx context.Context, run cli.MCPRun) error {
	signal.Ignore(syscall.SIGPIPE)
	return mcpserver.Serve(ctx, run.In, run.Out, mcpserver.Options{
		Version: run.Version, Tools: run.Tools, Agent: run.Agent, Session: run.Session, Conversation: run.Conversation, Open: run.Open, Empty: run.Empty, Page: run.Page,
		Follow: run.Follow, Say: run.Say,
	})
}
