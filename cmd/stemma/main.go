// Command stemma is memory for agents that can say where it comes from.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/stemma-memory/stemma/embed/minilm"
	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/mcpserver"
	"github.com/stemma-memory/stemma/internal/serve"
)

// development is the version of what is built from a tree that is no release.
const development = hosts.Release + "-dev"

// version is set by the linker when a release is built.
var version string

// ownVersion is the version of a release, or of the module that go install built.
func ownVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || !semver.IsValid(info.Main.Version) || semver.Build(info.Main.Version) != "" ||
		module.IsPseudoVersion(info.Main.Version) {
		return development
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

func main() { os.Exit(run()) }

func run() int {
	// This needs no command line, and what looks for an installed program asks it.
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		if _, err := fmt.Println("stemma " + ownVersion()); err != nil {
			return 1
		}
		return 0
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stemma: where are we?", err)
		return 1
	}
	return untilSignal(func(ctx context.Context) int {
		return cli.Run(ctx, os.Args[1:], cli.Env{
			Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: getenv, Dir: dir, Version: ownVersion(),
			MCP:     serveMCP,
			Serve:   func(ctx context.Context, run cli.ServeRun) error { return serve.Run(ctx, serve.Options(run)) },
			Serving: func() { serving.Store(true) }, Embedder: minilm.New(),
		})
	})
}

// getenv is os.Getenv, and knows where this user's home is although nothing says so: services and schedulers start
// programs without HOME, and the person's store and keys are the same then.
func getenv(name string) string {
	value := os.Getenv(name)
	if name != "HOME" || value != "" || runtime.GOOS == "windows" {
		return value
	}
	return homeOfUser()
}

// homeOfUser is the home directory that the system has for this user, "" where there is none.
var homeOfUser = sync.OnceValue(func() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	if info, err := os.Stat(u.HomeDir); err != nil || !info.IsDir() || !filepath.IsAbs(u.HomeDir) || u.HomeDir == "/" {
		return ""
	}
	return u.HomeDir
})

// serveMCP puts the face for models behind its verb. A host that hangs up while it
// is answered ends the process in order, not by a signal.
func serveMCP(ctx context.Context, run cli.MCPRun) error {
	signal.Ignore(syscall.SIGPIPE)
	return mcpserver.Serve(ctx, run.In, run.Out, mcpserver.Options{
		Version: run.Version, Tools: run.Tools, Agent: run.Agent, Session: run.Session, Conversation: run.Conversation,
		Open: run.Open, Empty: run.Empty, Fresh: run.Fresh, Page: run.Page, Place: run.Place,
		Follow: run.Follow, Say: run.Say,
	})
}
