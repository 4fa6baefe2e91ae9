package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, text string
		mode       os.FileMode
		want, says string
	}{
		{"good", "sk-1\n", 0o600, "sk-1", ""},
		{"read only", "sk-2", 0o400, "sk-2", ""},
		{"others may read", "sk-3", 0o640, "", "chmod 600"},
		{"all may read", "sk-3", 0o604, "", "chmod 600"},
		{"empty", " \n", 0o600, "", "empty"},
		{"long", strings.Repeat("k", maxKey+1), 0o600, "", "too long"},
		{"two words", "sk 4", 0o600, "", "spaces"},
	}
	for _, tt := range tests {
		path := filepath.Join(dir, tt.name)
		if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		got, err := KeyFile(path)
		if got != tt.want || (err == nil) != (tt.says == "") || err != nil && (!strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "sk")) {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if got, err := KeyFile(path); err == nil {
			t.Errorf("%s: got %q, want an error", path, got)
		}
	}
}
