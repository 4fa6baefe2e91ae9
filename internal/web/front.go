package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// frontPath is the picture of the first view. Its document names it, so that a browser asks for it
// while it still loads the bundle.
const frontPath = "/ui/front"

// frontDocument is the name under which the document of the first view is kept.
const frontDocument = "front.html"

// withFront returns the document with the address of what its first view shows.
func withFront(document []byte) []byte {
	title := []byte("<title>")
	link := `<link rel="preload" as="fetch" crossorigin="anonymous" href="` + frontPath + `" />` + "\n    "
	return bytes.Replace(document, title, append([]byte(link), title...), 1)
}

// newestShown is how many memories the first view lists.
const newestShown = 12

// A front is what the first view shows before anything is asked.
type front struct {
	Newest []engine.FoundResult `json:"newest"`
	Status api.StatusReply      `json:"status"`
}

// front serves what the first view shows.
func (p *pages) front(w http.ResponseWriter, r *http.Request) {
	if view, ok := p.take(r, r.URL.Query().Get("of")); ok {
		send(w, view)
		return
	}
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	view, err := readFront(r.Context(), e)
	if err != nil {
		fail(w, err)
		return
	}
	send(w, view)
}

// readFront reads what the first view shows: its list and its counts at the same time.
func readFront(ctx context.Context, e *engine.Engine) (front, error) {
	type counted struct {
		status api.StatusReply
		err    error
	}
	counts := make(chan counted, 1)
	go func() {
		s, err := e.Status(ctx, api.Nothing{})
		counts <- counted{s, err}
	}()
	ask := engine.FoundRequest{SearchRequest: api.SearchRequest{Limit: newestShown}, Here: true}
	found, err := e.Found(ctx, ask)
	if err == nil && len(found.Results) == 0 { // captures are all there is
		ask.Kind = string(memory.KindRaw)
		found, err = e.Found(ctx, ask)
	}
	c := <-counts // the engine is not left while it reads
	return front{found.Results, c.status}, cmp.Or(err, c.err)
}

// found serves a search with facets.
func (p *pages) found(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.FoundRequest) (any, error) { return e.Found(r.Context(), in) })
}

// subject serves what memories say of one name.
func (p *pages) subject(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.SubjectRequest) (any, error) {
		return e.Subject(r.Context(), in)
	})
}

// send writes a picture.
func send(w http.ResponseWriter, out any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(out); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // who hung up does not read
}
