package stemma_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/atrest"
)

// A program opens an encrypted store with a passphrase that it brings, and without it none.
func TestAnEncryptedStoreOpensWithItsPassphrase(t *testing.T) {
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	h, err := atrest.NewHead(key, []byte("correct horse battery"), []byte("another horse battery"))
	if err != nil {
		t.Fatal(err)
	}
	head, err := h.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, head, 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(pass string) stemma.Config {
		return stemma.Config{Keys: stemma.KeyConfig{Store: func(string) ([]byte, error) { return []byte(pass), nil }}}
	}
	for says, c := range map[string]stemma.Config{
		"its passphrase was not given": {}, "the passphrase does not open it": with("wrong horse battery"),
	} {
		if _, err := stemma.Open(t.Context(), path, c); !errors.Is(err, stemma.ErrUnavailable) || !strings.Contains(err.Error(), says) {
			t.Errorf("it opens with %v, want that %s", err, says)
		}
	}
	e, err := stemma.Open(t.Context(), path, with("correct horse battery"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Capture(t.Context(), stemma.CaptureRequest{Text: "zanzibar lives"}); err != nil {
		t.Fatal(err)
	}
	if s, err := e.Status(t.Context(), stemma.Nothing{}); err != nil || !s.Encrypted {
		t.Errorf("the status is %+v, %v", s, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || strings.Contains(string(raw), "zanzibar") {
		t.Errorf("the file has the words, %v", err)
	}
}
