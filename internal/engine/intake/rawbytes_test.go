package intake_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Bytes that are no UTF-8 are kept as they are, whatever way they come, and their words
// are found, shown and drafted from.
func TestBytesAreKeptAndTheirWordsFound(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	blob := []byte("le caf\xe9 \x80 du port")
	for name, keep := range map[string]func() (api.WriteReply, error){
		"blob": func() (api.WriteReply, error) { return e.Capture(t.Context(), api.CaptureRequest{Blob: blob}) },
		"text": func() (api.WriteReply, error) {
			return e.Capture(t.Context(), api.CaptureRequest{Text: string(blob)})
		},
		"remembered": func() (api.WriteReply, error) {
			r, err := e.Remember(t.Context(), api.RememberRequest{Text: string(blob)})
			return r.WriteReply, err
		},
	} {
		w, err := keep()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := e.Show(t.Context(), api.RefRequest{Ref: w.Ref})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := m.Content["base64"].(string)
		if got, err := base64.StdEncoding.DecodeString(text); err != nil || !bytes.Equal(got, blob) ||
			m.Headline != "le café € du port" {
			t.Errorf("%s: %q, %v; headline %q", name, got, err, m.Headline)
		}
		for _, query := range []string{"café", "cafe port", "port"} {
			found, err := e.Search(t.Context(), api.SearchRequest{Query: query})
			if err != nil || len(found.Results) == 0 || !strings.Contains(found.Results[0].Text, "café") {
				t.Errorf("%s: %q finds %v, %v", name, query, found.Results, err)
			}
		}
	}
}

// A secret in bytes whose words are shown goes as it does from text.
func TestSecretsInBytes(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	blob := "caf\xe9 token ghp_" + "0123456789abcdefghijklmnopqrstuvwxyz" + " caf\xe9"
	w, err := e.Capture(t.Context(), api.CaptureRequest{Blob: []byte(blob)})
	if err != nil || len(w.Redacted) != 1 {
		t.Fatalf("%v, %v", w.Redacted, err)
	}
	m, err := e.Show(t.Context(), api.RefRequest{Ref: w.Ref})
	if err != nil || strings.Contains(m.Headline, "ghp_") || !strings.HasPrefix(m.Headline, "café token [REDACTED") {
		t.Errorf("%q, %v", m.Headline, err)
	}
}
