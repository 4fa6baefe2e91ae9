// Package httpapi is the face for programs: every operation as POST /v1/NAME, with
// its request and reply as JSON and its errors as problems, and what is no
// operation of one request and one reply beside them.
//
// Words of a memory stand in bodies alone, never in an address: addresses end up
// in logs and histories. So what only reads is a POST too.
package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Options are what the face goes by.
type Options struct {
	// Engine returns the engine in the caller's voice.
	Engine func(*http.Request) (*engine.Engine, error)
	Writes access.Limit // of one client
	Reads  access.Limit
	Wrote  func()           // is called after a write; nil is nobody
	Done   <-chan struct{}  // the server is to end: streams of events do
	Now    func() time.Time // nil is the clock
	Info   Info
	// Dropped counts spans that were not delivered; nil is that none are made.
	Dropped func() int64
	// Remotes lists the remotes, with how far each is behind; nil is that there are none.
	Remotes func(context.Context) ([]api.Remote, error)
}

// Info is the description of the server.
type Info struct{ Version string }

// API is the face. It asks no one who they are: an access.Guard does, before.
type API struct {
	o       Options
	writes  *access.Limiter
	reads   *access.Limiter
	again   answers
	bodies  bodies
	turns   chan struct{}
	matched sync.Mutex // held from the check of If-Match until the act is stored
	news    news
	counts  counts
	Metrics *Metrics
	openapi func() ([]byte, error)
}

// mostAtOnce is how many operations are done at a time; others wait.
const mostAtOnce = 32

// New makes the face.
func New(o Options) *API {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wrote == nil {
		o.Wrote = func() {}
	}
	o.Writes.Now, o.Reads.Now = o.Now, o.Now
	a := &API{
		o: o, writes: access.NewLimiter(o.Writes), reads: access.NewLimiter(o.Reads),
		again: answers{now: o.Now}, turns: make(chan struct{}, mostAtOnce), Metrics: newMetrics(o),
	}
	a.openapi = sync.OnceValues(func() ([]byte, error) { return Describe(o.Info) })
	return a
}

// Handler serves /v1/…, /openapi.json and /metrics.
func (a *API) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/{name}", a.operation)
	mux.HandleFunc(access.EventsPath, a.only(http.MethodGet, a.events))
	for _, s := range streams {
		mux.HandleFunc(
			"/v1/"+s.name,
			a.only(http.MethodPost, func(w http.ResponseWriter, r *http.Request) { a.stream(w, r, s) }),
		)
	}
	mux.HandleFunc("/openapi.json", a.only(http.MethodGet, a.describe))
	mux.HandleFunc("/metrics", a.only(http.MethodGet, a.Metrics.serve))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		access.Refuse(w, http.StatusNotFound, "not_found", "no such path: GET /openapi.json lists the operations")
	})
	return harmless(mux)
}

// only answers one method.
func (a *API) only(method string, do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method && (method != http.MethodGet || r.Method != http.MethodHead) {
			w.Header().Set("Allow", method)
			access.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", r.URL.Path+" is asked with "+method)
			return
		}
		do(w, r)
	}
}

// harmless keeps browsers from guessing what an answer is, and from keeping it.
func harmless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		next.ServeHTTP(w, r)
	})
}

func (a *API) describe(w http.ResponseWriter, _ *http.Request) {
	page, err := a.openapi()
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(page) // who hung up does not read
}
