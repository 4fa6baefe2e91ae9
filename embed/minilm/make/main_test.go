package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// committed reads a file of package minilm.
func committed(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The digest of the weights is that of the file made of the published model, wherever it is made.
const made = "f7e0f7fcc8bb4cb90396c083414d872aa479d84c4e051a0461184c343ca1bbb7"

func TestTheWeightsAreThoseOfThePublishedModel(t *testing.T) {
	if got := sum(committed(t, "weights.bin")); got != made {
		t.Errorf("weights.bin has the SHA-256 %s, want %s", got, made)
	}
	if got := sum(committed(t, "vocab.txt")); got != vocabulary {
		t.Errorf("vocab.txt has the SHA-256 %s, want %s", got, vocabulary)
	}
	from := os.Getenv("STEMMA_MINILM")
	if from == "" {
		t.Skip("optional data: STEMMA_MINILM names no directory with the published model, to make the weights of")
	}
	if got, err := run(from, t.TempDir()); err != nil || got != made {
		t.Errorf("made weights of the SHA-256 %s, error %v, want %s", got, err, made)
	}
}

func TestAnotherModelIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors"), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(dir, dir); err == nil || !strings.Contains(err.Error(), "not the file that was published") {
		t.Errorf("error %v", err)
	}
	if _, err := run(filepath.Join(dir, "nowhere"), dir); err == nil {
		t.Error("no error without a directory")
	}
}
