package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// speaker is for whom the page speaks, and what it needs to act.
type speaker struct {
	Acts   bool   `json:"acts"`           // it may offer what only a person does
	Page   string `json:"page,omitempty"` // to be repeated in access.PageHeader
	Locked bool   `json:"locked"`         // the owner's key has a passphrase, which each act needs
}

// me says for whom the page speaks. Only a signed-in browser is given acts: a token belongs to
// a program.
func (p *pages) me(w http.ResponseWriter, r *http.Request) {
	c, _ := access.CallerOf(r.Context())
	out := speaker{Acts: c.Origin == memory.OriginOwner && c.Page != "", Page: c.Page}
	if out.Acts {
		e, err := p.config.Engine(r)
		if err == nil {
			out.Locked, err = e.OwnerLocked()
		}
		if err != nil {
			fail(w, err)
			return
		}
	}
	body, _ := json.Marshal(out) // a text and two truths
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // who hung up does not read
}

// mostStanding bounds the records of one request.
const mostStanding = 1000

// standingRequest names records to decide on.
type standingRequest struct {
	Refs []string `json:"refs"`
}

// standings are how records stand; those that are not here are left out.
type standings struct {
	Records []engine.Standing `json:"records"`
}

// falling serves how many others a quarantine of several would hide.
func (p *pages) falling(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in standingRequest) (any, error) {
		if len(in.Refs) == 0 || len(in.Refs) > mostStanding {
			return nil, api.Invalid("refs: must be 1 to %d, got %d", mostStanding, len(in.Refs))
		}
		n, err := e.Falling(r.Context(), in.Refs)
		return struct {
			Falls int `json:"falls"`
		}{n}, err
	})
}

func (p *pages) standing(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in standingRequest) (any, error) {
		if len(in.Refs) > mostStanding {
			return nil, api.Invalid("refs: must be at most %d, got %d", mostStanding, len(in.Refs))
		}
		out := standings{Records: []engine.Standing{}}
		all, err := e.Standings(r.Context(), in.Refs)
		if err == nil {
			out.Records = append(out.Records, all...)
			return out, nil
		}
		for _, ref := range in.Refs {
			one, err := e.Standings(r.Context(), []string{ref})
			if errors.Is(err, api.ErrNotFound) && len(in.Refs) > 1 {
				continue
			}
			if err != nil {
				return nil, err
			}
			out.Records = append(out.Records, one...)
		}
		return out, nil
	})
}
