package web

import (
	"encoding/json"
	"net/http"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/project"
)

// Config says for whom pages are.
type Config struct {
	// Engine returns the engine in the voice of who asks.
	Engine func(*http.Request) (*engine.Engine, error)
	Setup  Setup
	Here   string                   // the space that is written in without a word of who asks, "" where it is no project's
	Known  func() []project.Project // the projects that are known on this machine; nil is none
}

// Setup is what the page needs for a first run. Without a place, the page offers no host.
type Setup struct {
	Place func() (hosts.Place, error) // where a person's hosts keep their settings
	Here  string                      // the directory in which the server was started
}

// pages are what there is to serve.
type pages struct {
	config Config
}

// fail writes an error as a problem (RFC 9457).
func fail(w http.ResponseWriter, err error) {
	s := ops.StatusOf(err)
	body, _ := json.Marshal(map[string]any{ // strings and a number
		"type": "about:blank", "title": http.StatusText(s.HTTP), "status": s.HTTP, "kind": s.Name, "detail": err.Error(),
	})
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(s.HTTP)
	_, _ = w.Write(body) // who hung up does not read
}
