package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// DefaultSpace is the name of the space used when none is named.
const DefaultSpace = engine.DefaultSpace

// AllSpaces as Config.Space reads every space of a store.
const AllSpaces = engine.AllSpaces

// What Config.Secrets may be.
const (
	SecretsRedact = engine.SecretsRedact
	SecretsBlock  = engine.SecretsBlock
	SecretsAllow  = engine.SecretsAllow
)

// The six kinds of failure, matched with errors.Is. Every face has one answer for each.
var (
	ErrNotFound    = api.ErrNotFound
	ErrInvalid     = api.ErrInvalid
	ErrConflict    = api.ErrConflict
	ErrAmbiguous   = api.ErrAmbiguous
	ErrForbidden   = api.ErrForbidden
	ErrUnavailable = api.ErrUnavailable
)

// What the requests of Add, Capture, Promote, Consolidate and Revise have in common.
type (
	Draft = api.Draft
	Meta  = api.Meta
)

// An Engine is one opened store with the keys of one person. It is safe for concurrent use.
type Engine struct{ in *engine.Engine }

// Open opens the store that spec names: "sqlite:PATH" or a path, "postgres://…", or "mem".
// It creates what is not there yet. The first write creates the keys.
func Open(ctx context.Context, spec string, c Config) (*Engine, error) {
	e, err := engine.Open(ctx, spec, c.inner())
	if err != nil {
		return nil, err
	}
	return &Engine{e}, nil
}

// As returns the engine as a caller may use it: the same store and keys, another voice. A
// program that serves several callers has one for each. Close only the engine that Open
// returned.
func (e *Engine) As(who Caller) (*Engine, error) {
	as, err := e.in.As(who.inner())
	if err != nil {
		return nil, err
	}
	return &Engine{as}, nil
}

// Restore creates the store that spec names from a backup. It leaves a store that exists
// alone or, with Force and an owner's voice, moves it aside. The reply says what would be
// lost.
func Restore(ctx context.Context, spec string, c Config, in api.RestoreRequest) (api.RestoreReply, error) {
	return engine.Restore(ctx, spec, c.inner(), in)
}
