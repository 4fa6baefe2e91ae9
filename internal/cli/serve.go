package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) serveCmd() *cobra.Command {
	c := cmd("serve", "Serve the HTTP API, MCP and the web page on this machine", `Examples:
  stemma serve
  stemma serve --addr 127.0.0.1:0        any free port
  stemma serve --tools full              nearly all operations as MCP tools
  curl -H "Authorization: Bearer $(cat ~/.local/share/stemma/server/token)" \
       -H "Content-Type: application/json" -d '{"query":"slow API"}' http://127.0.0.1:7463/v1/search

One process serves one store: the HTTP API at /v1, MCP at /mcp, the web page, and
background jobs. Every client needs a token; 'stemma ui' signs a browser in. It runs
until you stop it, and finishes open requests first. docs/reference/http.md describes the API`)
	addr := c.Flags().String("addr", "", "address to listen on (default: the setting serve.addr)")
	tools := c.Flags().String("tools", "core", "MCP tool set: core (six tools) or full")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if host := a.marked(); host != "" && a.origin() != memory.OriginOwner {
			return ran{notYours{"serve: a server accepts a person's decisions, and this shell belongs to an agent (" + host +
				"); start it in your own terminal"}}
		}
		run, err := a.serveRun(cmd.Context(), *tools)
		if err != nil {
			return err
		}
		run.Addr = or(*addr, run.Addr)
		run.Ready = func(url string) {
			fmt.Fprintf(a.env.Stdout, "%s\n", url)
			a.hint("serving %s; to open the page: stemma ui; to stop: Ctrl-C", clean(a.storeName()))
		}
		a.serving()
		return asRan(a.env.Serve(cmd.Context(), run))
	}
	return c
}

// serveRun returns what a server needs, with the store open.
func (a *app) serveRun(ctx context.Context, tools string) (ServeRun, error) {
	run := ServeRun{Tools: tools, Version: a.env.Version, Say: a.hint}
	if tools != "core" && tools != "full" {
		return run, fmt.Errorf("serve: --tools must be core or full, got %q", tools)
	}
	if a.env.Serve == nil {
		return run, ran{fmt.Errorf("serve: not included in this build")}
	}
	a.strict = true
	set, err := a.settings()
	if err != nil {
		return run, ran{err}
	}
	run.Addr, run.Writes = set.Get("serve.addr"), float64(set.Int("serve.writes"))
	for _, host := range strings.Split(set.Get("serve.hosts"), ",") {
		if host = strings.TrimSpace(host); host != "" {
			run.Hosts = append(run.Hosts, host)
		}
	}
	if run.Dir, err = a.serverDir(); err != nil {
		return run, ran{err}
	}
	if run.Store, err = a.storeSpec(); err != nil {
		return run, ran{err}
	}
	a.embeds, a.thinks = true, true
	if run.Engine, err = a.open(ctx); err != nil {
		return run, ran{err}
	}
	run.Fresh = a.takingIn(run.Engine)
	run.Place, run.Here = func() (hosts.Place, error) { return a.placeFor(false) }, a.env.Dir
	run.Known = a.knownProjects
	run.Follow = a.following(set)
	say := func(err error) { a.hint("%v", err) }
	run.Traces, run.Metrics = a.traces(say),
		metrics.FromEnv(set.Get("telemetry.endpoint"), a.env.Getenv, a.env.Version, say)
	return run, nil
}

// traces returns the sender of traces, if OpenTelemetry's variables name a collector.
func (a *app) traces(say func(error)) *tracing.Tracer {
	return tracing.New(tracing.FromEnv(a.env.Getenv, a.env.Version, say))
}

// storeName names the store to a person: a password in an address is left out.
func (a *app) storeName() string {
	spec, err := a.storeSpec()
	if err != nil || strings.Contains(spec, "://") {
		return "a store on a server"
	}
	return spec
}
