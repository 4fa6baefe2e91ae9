package core

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// NearMany names the records that a model finds near too many questions: meaning alone does not give them. It is of
// this machine, and counted again.
type NearMany struct {
	Of  int         `json:"of"` // records there were, of all kinds
	IDs []memory.ID `json:"ids"`

	raw []byte
}

func nearManyNote(model string) string { return "near many " + model }

// NearMany returns what was counted last. Of is 0 where nothing was.
func (e *Core) NearMany(ctx context.Context, model string) (n NearMany, err error) {
	n.raw, err = e.Store.Note(ctx, nearManyNote(model))
	if err == nil && len(n.raw) > 0 && json.Unmarshal(n.raw, &n) != nil {
		n.Of, n.IDs = 0, nil // it is counted again
	}
	return n, err
}

// NoteNearMany keeps what was counted, in place of what was counted before.
func (e *Core) NoteNearMany(ctx context.Context, model string, before, n NearMany) error {
	now, err := json.Marshal(n)
	if err == nil {
		err = e.Store.SwapNote(ctx, nearManyNote(model), before.raw, now)
	}
	if errors.Is(err, store.ErrConflict) {
		return nil // another process counted, too
	}
	return err
}

// ByMeaning leaves out of what is near a text what is near too many questions.
func (e *Core) ByMeaning(ctx context.Context, model string, near []store.Hit) ([]store.Hit, error) {
	if len(near) == 0 {
		return near, nil
	}
	n, err := e.NearMany(ctx, model)
	return slices.DeleteFunc(near, func(h store.Hit) bool { return slices.Contains(n.IDs, h.ID) }), err
}
