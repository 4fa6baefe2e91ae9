package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// ofThePlace are verbs that concern this place, and no store elsewhere.
const ofThePlace = "init uninstall store space config hook tour man mcp serve ui backup restore recover"

// servable refuses --url where it would mean nothing. STEMMA_URL is for those
// verbs that can be asked of a server.
func (a *app) servable(cmd *cobra.Command) error {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	if !slices.Contains(strings.Fields(ofThePlace), cmd.Name()) {
		return nil
	}
	if cmd.Root().PersistentFlags().Changed("url") {
		return ran{api.Invalid("--url: '%s' works only on this machine", cmd.Name())}
	}
	a.flags.url = ""
	return nil
}

// remote returns the server that --url names; nil is that it names none.
func (a *app) remote() (*client.Client, error) {
	if a.flags.url == "" || a.server != nil {
		return a.server, nil
	}
	if a.flags.store != "" || a.flags.user || a.flags.project {
		return nil, api.Invalid("--url: a server has its own store; leave out --store, --user and --project")
	}
	if a.keepSecrets {
		return nil, api.Invalid("--url: the server decides about secrets; leave out --allow-secrets")
	}
	a.flags.url = access.Direct(a.flags.url)
	u, err := url.Parse(a.flags.url)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, api.Invalid("--url: must be an address such as http://127.0.0.1:7463, without user, token or query")
	}
	token, err := a.serverToken(u)
	if err != nil {
		return nil, err
	}
	c := client.New(a.flags.url, token)
	c.Agent, c.Platform, c.Session, c.Space = a.env.Getenv("STEMMA_AGENT"), a.platform(),
		a.sessionName(), a.spaceNamed()
	if c.Space == "" {
		here, err := a.here(context.Background())
		if err != nil {
			return nil, err
		}
		c.Project = or(here.InUse(), "-")
	}
	a.server = c
	return c, nil
}

// serverToken returns the token to show: STEMMA_TOKEN, or of the user's own server on
// this machine the owner's for a person at a terminal, and else the agents'. A
// server proves that it is the user's before it is shown one of those.
func (a *app) serverToken(u *url.URL) (string, error) {
	if token := a.env.Getenv("STEMMA_TOKEN"); token != "" {
		if u.Scheme == "http" && !access.Loopback(u.Host) {
			a.hint("warning: the connection to %s is not encrypted; others can read the token", clean(u.Host))
		}
		return token, nil
	}
	if !access.Loopback(u.Host) {
		return "", api.Invalid("--url: %s is another machine; set STEMMA_TOKEN to a token of its server", clean(u.Host))
	}
	dir, err := a.serverDir()
	if err != nil {
		return "", err
	}
	tokens, there, err := access.Has(dir)
	if err != nil {
		return "", err
	}
	if !there {
		return "", api.Invalid("--url: you have no server here; start one with 'stemma serve', or set STEMMA_TOKEN " +
			"for another server")
	}
	if err := access.Genuine(a.flags.url, tokens.Agent); err != nil {
		return "", unreadable{fmt.Errorf("--url: %w", err)}
	}
	if a.origin() == memory.OriginOwner {
		return tokens.Owner, nil
	}
	return tokens.Agent, nil
}

// exports writes records somewhere.
type exports[In, Out any] func(context.Context, io.Writer, In) (Out, error)

func (a *app) exporter(ctx context.Context) (exports[api.ExportRequest, api.ExportReply], error) {
	return from(ctx, a, (*engine.Engine).Export, (*client.Client).Export)
}

func (a *app) documents(ctx context.Context) (exports[api.DocumentsRequest, api.DocumentsReply], error) {
	return from(ctx, a, (*engine.Engine).ExportDocuments, (*client.Client).ExportDocuments)
}

// from takes a stream from the store, or with --url from a server.
func from[In, Out any](ctx context.Context, a *app,
	local func(*engine.Engine, context.Context, io.Writer, In) (Out, error),
	distant func(*client.Client, context.Context, io.Writer, In) (Out, error)) (exports[In, Out], error) {
	c, err := a.remote()
	if err != nil {
		return nil, err
	}
	if c != nil {
		return func(ctx context.Context, w io.Writer, in In) (Out, error) { return distant(c, ctx, w, in) }, nil
	}
	e, err := a.openToRead(ctx)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer, in In) (Out, error) { return local(e, ctx, w, in) }, nil
}

// into returns a stream to the store, or with --url to a server.
func into[In, Out any](ctx context.Context, a *app,
	local func(*engine.Engine, context.Context, In, func(int)) (Out, error),
	distant func(*client.Client, context.Context, In) (Out, error), in In, progress func(int)) (Out, error) {
	var out Out
	c, err := a.remote()
	if err != nil {
		return out, err
	}
	if c != nil {
		return distant(c, ctx, in)
	}
	a.writes = true
	e, err := a.open(ctx)
	if err != nil {
		return out, err
	}
	return local(e, ctx, in, progress)
}

// ingestInto takes in a sequence of records from elsewhere.
func (a *app) ingestInto(ctx context.Context, seq iter.Seq2[api.Foreign, error],
	progress func(int)) (api.IngestReply, error) {
	return into(ctx, a, (*engine.Engine).Ingest, (*client.Client).Ingest, seq, progress)
}

// held says which ids from elsewhere are there.
func (a *app) held(ctx context.Context) (func(context.Context, ...string) (map[string]memory.Ref, error), error) {
	c, err := a.remote()
	if err != nil {
		return nil, err
	}
	if c != nil {
		return c.Held, nil
	}
	a.writes = true // it is asked before an import
	e, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	return e.Held, nil
}
