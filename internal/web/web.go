// Package web serves the page on which a person sees what is remembered: the
// bundle of web/, built into the binary, and the pictures that it draws. What the
// page does beside looking it asks of the operations under /v1, as anybody else.
package web

import (
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/access"
)

// addresses are those within the page. Each shows the same document, which
// finds out by the address what to show.
var addresses = []string{
	"/search", "/memory/{ref}", "/review", "/conflicts", "/decisions", "/given", "/blast", "/people", "/begin",
	"/timeline", "/pack", "/health",
}

// policy is what a browser may load for the page: nothing but what we serve.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// Handler serves the page. It asks no one who they are: what stands before it does.
func Handler(c Config) http.Handler {
	p := &pages{config: c}
	mux := http.NewServeMux()
	for _, v := range addresses {
		mux.HandleFunc("GET "+v, p.shell)
	}
	mux.HandleFunc("GET /{$}", p.first)
	mux.HandleFunc("GET /ui/front", p.front)
	mux.HandleFunc("POST /ui/found", p.found)
	mux.HandleFunc("POST /ui/queue", p.queue)
	mux.HandleFunc("POST /ui/around", p.around)
	mux.HandleFunc("POST /ui/subject", p.subject)
	mux.HandleFunc("POST /ui/setup", p.forOwner(p.setup))
	mux.Handle("POST /ui/connect", access.OnlyMeant(p.forOwner(p.connect)))
	mux.Handle("POST /ui/import_git", access.OnlyMeant(p.forOwner(p.importGit)))
	mux.Handle("POST /ui/import_file", access.OnlyMeant(p.forOwner(p.importFile)))
	mux.HandleFunc("GET /assets/{name}", p.asset)
	mux.HandleFunc("GET /plain", p.plain)
	mux.HandleFunc("GET /plain/{ref}", p.plainMemory)
	mux.HandleFunc("POST /ui/graph", p.graph)
	mux.HandleFunc("POST /ui/blast", p.blast)
	mux.HandleFunc("POST /ui/falling", p.falling)
	mux.HandleFunc("POST /ui/timeline", p.timeline)
	mux.HandleFunc("GET /ui/me", p.me)
	mux.HandleFunc("POST /ui/standing", p.standing)
	return guarded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, found := mux.Handler(r); found == "" && browses(r) {
			p.nowhere(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// browses reports whether a person asks for a page, rather than the page for a part of it.
func browses(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!strings.HasPrefix(r.URL.Path, "/ui/")
}

// nowhere shows the page at an address that is none of its own: it says so, and has the way back.
func (p *pages) nowhere(w http.ResponseWriter, r *http.Request) { p.shell(missing{w}, r) }

// missing sends a document with the status of one that does not exist.
type missing struct{ http.ResponseWriter }

func (m missing) Write(b []byte) (int, error) {
	m.WriteHeader(http.StatusNotFound)
	return m.ResponseWriter.Write(b)
}

// guarded adds the headers that everything here has.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		next.ServeHTTP(w, r)
	})
}
