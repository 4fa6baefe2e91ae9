package core

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
)

// stores returns the opened stores, the first first.
func (e *Core) stores() []store.Store {
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		return two.Both()
	}
	return []store.Store{e.Store}
}

// Shared returns the spaces that a remote exchanges with this store, one's own and others'.
func (e *Core) Shared(ctx context.Context) (map[string]bool, error) {
	out := make(map[string]bool)
	for _, s := range e.stores() {
		names, err := s.NoteNames(ctx, peer.PlacesOf)
		if err != nil {
			return nil, Classify(err)
		}
		for _, name := range names {
			if _, space, ok := peer.PlaceName(name); ok && strings.Contains(space, "/") {
				out[space] = true
			}
		}
	}
	return out, nil
}

// SharedWrites reports whether a remote takes what this store writes into a space.
func (e *Core) SharedWrites(ctx context.Context, space string) (bool, error) {
	s := e.First()
	names, err := s.NoteNames(ctx, peer.PlacesOf)
	if err != nil {
		return false, Classify(err)
	}
	for _, name := range names {
		if _, of, ok := peer.PlaceName(name); !ok || of != space {
			continue
		}
		raw, err := s.Note(ctx, name)
		if err != nil {
			return false, Classify(err)
		}
		place, err := peer.PlaceOf(raw)
		if err == nil && (place.Role == "" || place.Role.May(peer.Writer)) {
			return true, nil
		}
	}
	return false, nil
}
