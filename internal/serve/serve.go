// Package serve puts the faces for programs and models, the page and the workers
// into one process, over one opened store.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/follow"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/httpapi"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/internal/work"
)

// Options are what a server is started with.
type Options struct {
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

// How long what is under way may take to end, and how long a connection may be
// idle or send its headers.
const (
	endWithin    = 10 * time.Second
	headerWithin = 5 * time.Second
	idleFor      = 2 * time.Minute
	mostHeader   = 32 << 10
)

// What one client may do: bursts are of so many seconds. Reads are as many times
// more.
const (
	burstSeconds  = 5
	readsPerWrite = 10
)

// Run serves until ctx ends, and then until what is under way is done. The engine
// is not closed.
func Run(ctx context.Context, o Options) error {
	tokens, err := access.Keep(o.Dir)
	if err != nil {
		return err
	}
	listener, err := listen(o)
	if err != nil {
		return err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	guard, err := access.New(access.Options{Tokens: tokens, Port: port, Hosts: o.Hosts})
	if err != nil {
		return api.Invalid("serve.hosts: %v", err)
	}
	agent, err := o.Engine.As(engine.Caller{})
	if err != nil {
		return err
	}
	s := &server{
		o: o, guard: guard, url: "http://" + localName(o.Addr, port), done: make(chan struct{}),
		work: work.New(agent, work.Options{Say: o.Say}),
	}
	if o.Follow > 0 {
		s.follow = follow.New(
			follow.Options{Store: agent, Every: o.Follow, Say: o.Say, Pulled: func() { s.work.Wake(); s.api.Tell() }},
		)
	}
	s.api = httpapi.New(httpapi.Options{
		Engine: s.engine, Dropped: o.Traces.Dropped, Remotes: s.remotes,
		Wrote: func() { s.work.Wake(); s.follow.Wake() }, Done: s.done,
		Info:   httpapi.Info{Version: o.Version},
		Writes: access.Limit{Rate: o.Writes, Burst: int(o.Writes * burstSeconds)},
		Reads:  access.Limit{Rate: o.Writes * readsPerWrite, Burst: int(o.Writes * readsPerWrite * burstSeconds)},
	})
	handler, err := s.routes()
	if err != nil {
		return err
	}
	end, err := access.Announce(
		o.Dir, o.Store,
		access.Running{URL: s.url, PID: os.Getpid(), Version: o.Version, Started: time.Now().UTC()},
	)
	if err != nil {
		return err
	}
	defer end()
	return s.run(ctx, listener, handler)
}

// server is one that runs.
type server struct {
	o     Options
	guard *access.Guard
	api   *httpapi.API
	url   string
	done  chan struct{} // closed when it is to end
	work  *work.Worker

	follow *follow.Follower // nil where it was not asked for
}

// outsideProjects in Stemma-Project says that the caller is in no project.
const outsideProjects = "-"

// engine returns the engine in the voice of whoever asks.
func (s *server) engine(r *http.Request) (*engine.Engine, error) {
	who, ok := access.CallerOf(r.Context())
	if !ok {
		return nil, errors.New("nobody asked who it was") // a route without a guard
	}
	if s.o.Fresh != nil {
		s.o.Fresh(r.Context())
	}
	c := engine.Caller{
		Origin: who.Origin, Agent: who.Agent, Platform: who.Platform, Session: who.Session, Space: who.Space,
	}
	switch {
	case c.Space == engine.AllSpaces: // each memory of another project than the caller's says of which it is
		if c.Place = s.o.Engine.C.Place; who.Project != "" {
			c.Place = s.placeOf(who.Project)
		}
	case c.Space != "" || who.Project == "":
	case who.Project == outsideProjects:
		c.Space, c.Place = engine.MeSpace, s.placeOf(who.Project)
	default:
		c.Space, c.Place = who.Project, s.placeOf(who.Project)
	}
	return s.o.Engine.As(c)
}

// placeOf is where somebody is who names the project: by the space that it writes in, or by a space of its own.
func (s *server) placeOf(name string) *engine.Place {
	if name == outsideProjects {
		name = ""
	}
	place := &engine.Place{Here: name}
	all := s.known()
	for _, p := range all {
		if name != "" && p.InUse() == name {
			place.Own = p.Space
		}
	}
	place.Elsewhere = project.Spaces(all, place.Here, place.Own)
	return place
}

func (s *server) known() []project.Project {
	if s.o.Known == nil {
		return nil
	}
	return s.o.Known()
}

// here is the space that is written in without a word of the caller, "" where that belongs to no project.
func (s *server) here() string {
	c := s.o.Engine.C
	if c.Space == engine.AllSpaces || c.Place != nil && c.Place.Here == "" {
		return ""
	}
	return c.Space
}

// remotes lists the remotes for the metrics.
func (s *server) remotes(ctx context.Context) ([]api.Remote, error) {
	return engine.Behind(ctx, s.o.Engine)
}

func (s *server) run(ctx context.Context, listener net.Listener, handler http.Handler) error {
	var unasked access.Unasked
	web := &http.Server{
		ConnState: unasked.Follow,
		Handler:   tracing.Served(s.o.Traces, handler), ReadHeaderTimeout: headerWithin, IdleTimeout: idleFor,
		MaxHeaderBytes: mostHeader,
		BaseContext:    func(net.Listener) context.Context { return store.Served(context.Background()) },
		ErrorLog:       log.New(talk{s.o.Say}, "", 0),
	}
	var beside sync.WaitGroup
	inner, stop := context.WithCancel(tracing.With(context.WithoutCancel(ctx), s.o.Traces))
	defer stop()
	telling, hush := context.WithCancel(context.WithoutCancel(ctx))
	defer hush()
	var reporting sync.WaitGroup
	reporting.Go(func() { s.o.Traces.Run(telling) })
	reporting.Go(func() { metrics.Run(telling, s.o.Metrics, s.api.Metrics.List) })
	beside.Go(func() { s.work.Run(inner) })
	following, halt := context.WithCancel(inner)
	defer halt()
	beside.Go(func() { s.follow.Run(following) })
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	s.o.Ready(s.url)
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		halt()
		close(s.done) // streams of events end, which would keep the server for ever
		unasked.End()
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		if err = web.Shutdown(within); err != nil {
			err = errors.Join(web.Close(), fmt.Errorf("serve: requests were cut off after %v: %w", endWithin, err))
		}
		cancel()
	}
	stop()
	beside.Wait()
	hush() // the last spans were ended, and the last requests counted
	reporting.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// listen listens on this machine alone, unless names were set under which others
// may ask.
func listen(o Options) (net.Listener, error) {
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, api.Invalid("addr: want HOST:PORT such as 127.0.0.1:7463, got %.100q", o.Addr)
	}
	if !access.Loopback(host) && len(o.Hosts) == 0 {
		return nil, api.Invalid(
			"addr: %q is reached from other machines, and tokens would travel in plain text: listen on 127.0.0.1, or set "+
				"serve.hosts to the names it may be called by and put something that speaks TLS before it",
			o.Addr,
		)
	}
	l, err := net.Listen("tcp", o.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, taken(o, host, port)
	case err != nil:
		return nil, api.Invalid("addr: %v", err)
	}
	return l, nil
}

// inUse says that a port is somebody else's.
type inUse struct{ text string }

func (e inUse) Error() string        { return e.text }
func (e inUse) Is(target error) bool { return target == api.ErrConflict }

func taken(o Options, host, port string) error {
	if r, ok := access.Find(o.Dir, o.Store); ok && strings.HasSuffix(r.URL, ":"+port) {
		return inUse{
			fmt.Sprintf(
				"port %s: a server for this store runs there already (process %d): 'stemma ui' opens its page, and 'stemma "+
					"--url %s …' asks it",
				port, r.PID, r.URL,
			),
		}
	}
	return inUse{
		fmt.Sprintf(
			"port %s: something else listens there, a server for another store perhaps: --addr %s:0 takes a port that is "+
				"free, or name one",
			port, host,
		),
	}
}

// localName is how the server is called on this machine.
func localName(addr, port string) string {
	host, _, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() && ip.To4() == nil {
		return "[::1]:" + port
	}
	return "127.0.0.1:" + port
}

// talk hands lines of a log to a person.
type talk struct{ say func(string, ...any) }

func (t talk) Write(line []byte) (int, error) {
	t.say("%s", strings.TrimSpace(string(line)))
	return len(line), nil
}
