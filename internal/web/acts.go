package web

import (
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

	Choices []choice `json:"choices,omitempty"` // of what is read
	Reads   string   `json:"reads,omitempty"`   // the choice that the first view was made with
}

// speaks says for whom the page speaks. Only a signed-in browser is given acts: a token belongs to
// a program.
func speaks(r *http.Request) speaker {
	c, _ := access.CallerOf(r.Context())
	return speaker{Acts: c.Origin == memory.OriginOwner && c.Page != "", Page: c.Page}
}

// speaker says for whom the page speaks, and what they can choose.
func (p *pages) speaker(r *http.Request) (speaker, error) {
	out := speaks(r)
	if !out.Acts {
		return out, nil
	}
	e, err := p.config.Engine(r)
	if err == nil {
		out.Locked, err = e.OwnerLocked()
	}
	if err == nil {
		out.Choices, err = p.choices(r.Context(), e)
	}
	return out, err
}

// me serves for whom the page speaks.
func (p *pages) me(w http.ResponseWriter, r *http.Request) {
	out, err := p.speaker(r)
	if err != nil {
		fail(w, err)
		return
	}
	send(w, out)
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
