package hosts

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine"
)

func TestWhatWaitsForAnEncryptedStoreIsSealed(t *testing.T) {
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	locked := errors.New("no passphrase")
	var known error = locked
	s := Spool{Dir: filepath.Join(t.TempDir(), "spool"), Key: func() (*atrest.Key, error) {
		if known == nil {
			atrest.Hold(key)
		}
		return key, known
	}}
	put := func(id, text string) error { return s.Put(id, time.Now(), []engine.Observed{{Text: text}}) }
	if err := put("a", "zanzibar lives"); !errors.Is(err, locked) || s.Count() != 0 {
		t.Errorf("without the key an event is put: %v, %d wait", err, s.Count())
	}
	known = nil
	for _, id := range []string{"a", "b"} {
		if err := put(id, "zanzibar lives in "+id); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if text, err := os.ReadFile(f); err != nil || bytes.Contains(text, []byte("zanzibar")) {
			t.Errorf("%s has words, %v", f, err)
		}
	}
	known = locked
	observe := func(context.Context, []engine.Observed) error { return nil }
	if n, err := s.Drain(t.Context(), 0, observe); n != 0 || !errors.Is(err, locked) || s.Count() != 2 {
		t.Errorf("without the key %d are taken in, %v, %d wait", n, err, s.Count())
	}
	known = nil
	if err := s.Forget([]string{"zanzibar lives in b"}); err != nil || s.Count() != 1 {
		t.Errorf("after a purge %d wait, %v", s.Count(), err)
	}
	var said string
	_, err = s.Drain(t.Context(), 0, func(_ context.Context, seen []engine.Observed) error {
		said = seen[0].Text
		return nil
	})
	if err != nil || said != "zanzibar lives in a" || s.Count() != 0 {
		t.Errorf("taken in: %q, %v, %d wait", said, err, s.Count())
	}
}
