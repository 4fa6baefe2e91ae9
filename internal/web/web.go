// Package web serves the page on which a person sees what is remembered: the
// bundle of web/, built into the binary, and the pictures that it draws. What the
// page does beside looking it asks of the operations under /v1, as anybody else.
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
)

//go:embed all:dist
var built embed.FS

// Config says for whom pages are.
type Config struct {
	// Engine returns the engine in the voice of who asks.
	Engine func(*http.Request) (*engine.Engine, error)
	Setup  Setup
}

// views are the addresses within the page. Each shows the same document, which
// finds out by the address what to show.
var views = []string{
	"/search", "/memory/{ref}", "/review", "/conflicts", "/blast", "/people", "/begin", "/timeline", "/pack", "/health",
}

// policy is what a browser may load for the page: nothing but what we serve.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// Handler serves the page. It asks no one who they are: what stands before it does.
func Handler(c Config) http.Handler {
	p := &pages{config: c}
	mux := http.NewServeMux()
	for _, v := range views {
		mux.HandleFunc("GET "+v, p.shell)
	}
	mux.HandleFunc("GET /{$}", p.first)
	mux.HandleFunc("GET "+frontPath, p.front)
	mux.HandleFunc("POST /ui/found", p.found)
	mux.HandleFunc("POST /ui/subject", p.subject)
	mux.Handle("POST /ui/setup", access.OnlyMeant(p.forOwner(p.setup)))
	mux.Handle("POST /ui/connect", access.OnlyMeant(p.forOwner(p.connect)))
	mux.Handle("POST /ui/import_git", access.OnlyMeant(p.forOwner(p.importGit)))
	mux.Handle("POST /ui/import_file", access.OnlyMeant(p.forOwner(p.importFile)))
	mux.HandleFunc("GET /assets/{name}", p.asset)
	mux.HandleFunc("GET /kinds.css", p.kinds)
	mux.HandleFunc("GET /plain", p.plain)
	mux.HandleFunc("GET /plain/{ref}", p.plainMemory)
	mux.HandleFunc("POST /ui/graph", p.graph)
	mux.HandleFunc("POST /ui/blast", p.blast)
	mux.HandleFunc("POST /ui/timeline", p.timeline)
	mux.HandleFunc("GET /ui/me", p.me)
	mux.HandleFunc("POST /ui/standing", p.standing)
	return guarded(mux)
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

// pages are what there is to serve.
type pages struct{ config Config }

// A file is one of the bundle, as it is and compressed.
type file struct {
	kind        string
	plain, gzip []byte
}

// files are those of the bundle by their names; reading and compressing them waits
// until somebody asks.
var files = sync.OnceValues(func() (map[string]file, error) {
	all := make(map[string]file)
	err := fs.WalkDir(built, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := built.ReadFile(name)
		if err == nil && path.Ext(name) == ".html" {
			text, err = withKinds(text)
		}
		if err != nil {
			return err
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".js" {
			kind = "text/javascript; charset=utf-8" // whatever the machine's own table says
		}
		if path.Ext(name) == ".html" {
			all[frontDocument] = file{kind, withFront(text), nil}
		}
		all[strings.TrimPrefix(name, "dist/")] = file{kind, text, nil}
		return nil
	})
	for name, f := range all {
		if f.gzip, err = packed(f.plain); err != nil {
			return nil, err
		}
		all[name] = f
	}
	if _, ok := all["index.html"]; err == nil && !ok {
		err = fmt.Errorf("the page is not built into this binary: scripts/page.sh builds it")
	}
	return all, err
})

// packed compresses a file as far as it goes.
func packed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is known
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// asset serves a file of the bundle. Its name says what is in it, so that it can be
// kept for ever.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, "assets/"+r.PathValue("name"), "public, max-age=31536000, immutable")
}

// shell serves the document that loads the bundle.
func (p *pages) shell(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, "index.html", "no-cache")
}

// first serves the document of the first view.
func (p *pages) first(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, frontDocument, "no-cache")
}

func (p *pages) send(w http.ResponseWriter, r *http.Request, name, keep string) {
	all, err := files()
	if err != nil {
		fail(w, err)
		return
	}
	f, ok := all[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", keep)
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	_, _ = w.Write(body) // who hung up does not read
}
