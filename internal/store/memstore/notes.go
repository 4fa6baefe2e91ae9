package memstore

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// Note returns what was kept under a name.
func (s *Store) Note(ctx context.Context, name string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return bytes.Clone(s.notes[name]), ctx.Err()
}

// NoteNames returns the names that begin with a word.
func (s *Store) NoteNames(ctx context.Context, begin string) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []string
	for name := range s.notes {
		if strings.HasPrefix(name, begin) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, ctx.Err()
}

// SwapNote keeps something under a name if what was there is what the caller saw.
func (s *Store) SwapNote(ctx context.Context, name string, old, now []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if !bytes.Equal(s.notes[name], old) {
		return store.ErrConflict
	}
	if s.notes[name] = bytes.Clone(now); len(now) == 0 {
		delete(s.notes, name)
	}
	return nil
}
