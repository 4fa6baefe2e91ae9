package durable

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRename(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.WriteFile(from, []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Rename(from, to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != "whole" {
		t.Errorf("%q, %v", b, err)
	}
	if err := Rename(from, to); err == nil {
		t.Error("what is not there was renamed")
	}
	if err := Names(filepath.Join(dir, "none")); err == nil {
		t.Error("the names in a directory that is not there are on the disk")
	}
}
