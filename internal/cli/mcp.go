package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
)

// pageOf is the address of a record's page, if a server of the store runs.
func (a *app) pageOf(ref string) string {
	dir, err := a.serverDir()
	if err != nil {
		return ""
	}
	spec, err := a.storeSpec()
	if err != nil {
		return ""
	}
	r, ok := access.Find(dir, spec)
	if !ok {
		return ""
	}
	return r.Page(ref)
}

// empty returns an engine on an empty store, for a server that is asked before there is a
// store; nil if there is one. The caller closes it.
func (a *app) empty(ctx context.Context) (*engine.Engine, error) {
	spec, err := a.spec()
	if err != nil || !a.isAbsent(spec) {
		return nil, err
	}
	e, err := a.openToRead(ctx)
	if err != nil {
		return nil, err
	}
	a.engine, a.absent = nil, false
	return e, nil
}

func (a *app) mcpCmd() *cobra.Command {
	c := cmd("mcp", "Serve an agent over the Model Context Protocol (MCP)", `Examples:
  stemma mcp                      a host starts it and uses a pipe
  stemma mcp --tools full         nearly all operations as tools, not only the main six
  stemma mcp --store ./memory.db --agent reviewer
  claude mcp add stemma -- stemma mcp

Every client counts as an agent, even if a person started the command. It ends
when the host closes the pipe. docs/reference/mcp.md describes the tools`)
	var run MCPRun
	c.Flags().StringVar(&run.Tools, "tools", "core", "tool set: core (six tools) or full")
	c.Flags().StringVar(&run.Agent, "agent", a.env.Getenv("STEMMA_AGENT"),
		"name of the agent in its records (default: the host's name)")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if run.Tools != "core" && run.Tools != "full" {
			return fmt.Errorf("mcp: --tools must be core or full, got %q", run.Tools)
		}
		if a.env.MCP == nil {
			return ran{fmt.Errorf("mcp: not included in this build")}
		}
		a.embeds, a.thinks, a.agent, a.strict = true, true, true, true
		run.Say = a.hint
		run.Follow = func() time.Duration {
			set, err := a.settings()
			if err != nil {
				return 0 // the store would not have opened
			}
			return a.following(set)
		}
		run.In, run.Out, run.Version, run.Session = a.env.Stdin, a.env.Stdout, a.env.Version, a.flags.session
		fresh := func(context.Context) {}
		run.Fresh = func(ctx context.Context, _ *engine.Engine) { fresh(ctx) }
		run.Open = func(ctx context.Context) (*engine.Engine, error) {
			a.writes = true
			a.ownerships, a.list = nil, nil // another file may lie there by now
			e, err := a.open(ctx)
			if err != nil {
				return nil, err
			}
			fresh = a.takingIn(e)
			a.engine = nil // whoever asked for it closes it
			return e, nil
		}
		run.Empty = a.empty
		run.Page, run.Conversation, run.Place = a.pageOf, a.conversationOf, a.placeOf
		a.serving()
		if err := a.env.MCP(cmd.Context(), run); err != nil {
			return ran{err}
		}
		return nil
	}
	return c
}

// placeOf returns the space that follows from a directory which a client works in, and where that is; "" where a space
// was named. A store that is opened later is looked for from there.
func (a *app) placeOf(ctx context.Context, dir string) (string, *engine.Place) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || a.spaceNamed() != "" {
		return "", nil
	}
	if service, err := a.service(); service != nil || err != nil {
		return "", nil
	}
	a.placing.Lock()
	defer a.placing.Unlock()
	a.env.Dir = dir
	place, err := a.placeHere(ctx)
	if err != nil {
		return "", nil
	}
	return or(place.Here, engine.MeSpace), place
}
