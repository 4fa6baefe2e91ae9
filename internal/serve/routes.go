package serve

import (
	"net/http"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/mcpserver"
	"github.com/stemma-memory/stemma/internal/web"
)

// routes puts everything that is served behind the guard.
func (s *server) routes() (http.Handler, error) {
	mcp, err := mcpserver.Handler(
		mcpserver.Options{
			Version: s.o.Version, Tools: s.o.Tools, Page: access.Running{URL: s.url}.Page, Caller: s.mcpCaller,
			Done: s.done, Wrote: s.follow.Wake,
		},
	)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	api, door := s.guard.Ask(s.api.Handler()), s.guard.SignIn()
	for _, path := range []string{"/v1/", "/openapi.json", "/metrics"} {
		mux.Handle(path, api)
	}
	for _, path := range []string{access.SignInPath, access.CodePath, access.SignOutPath} {
		mux.Handle(path, door)
	}
	mux.Handle(access.HealthPath, s.guard.Health())
	mux.Handle("/mcp", s.guard.Ask(access.OnlyMeant(s.api.Limited(s.woken(mcp)))))
	pages := web.Handler(web.Config{
		Engine: s.engine, Setup: web.Setup{Place: s.o.Place, Here: s.o.Here}, Here: s.here(), Known: s.known,
	})
	mux.Handle("/", s.forPeople(pages))
	mux.Handle("/ui/", s.guard.Ask(s.api.Limited(pages)))
	return s.asked(mux), nil
}

// asked tells the worker of each request: vectors wait for it.
func (s *server) asked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.work.Asked()
		next.ServeHTTP(w, r)
	})
}

// woken tells workers and streams of events that something may have been written.
func (s *server) woken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		s.work.Wake()
		s.api.Tell()
	})
}

// mcpCaller tells the face for models who asks.
func (s *server) mcpCaller(r *http.Request) (mcpserver.Caller, error) {
	who, _ := access.CallerOf(r.Context())
	e, err := s.engine(r)
	return mcpserver.Caller{
		ID: string(who.Origin) + "\x00" + who.Agent + "\x00" + who.Session + "\x00" + who.Space, Engine: e,
		Agent: who.Agent, Session: who.Session,
	}, err
}

// forPeople asks a browser to sign in in words, and everybody else as programs are
// asked.
func (s *server) forPeople(next http.Handler) http.Handler {
	asked := s.guard.Ask(next)
	return s.guard.Door(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, known := s.guard.Caller(r); known || !access.AtBrowser(r) {
			asked.ServeHTTP(w, r)
			return
		}
		access.AskPerson(w, "")
	}))
}
