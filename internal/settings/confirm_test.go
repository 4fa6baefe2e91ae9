package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What sends memory somewhere, or loosens what is kept, is a person's; the rest is not.
func TestWhichSettingsAreAPersons(t *testing.T) {
	for _, k := range Keys() {
		family, _, _ := strings.Cut(k.Key, ".")
		want := slices.Contains([]string{"embedder", "model", "telemetry", "sync", "capture"}, family) ||
			slices.Contains([]string{
				"serve.hosts", "receipts.keep", "timestamp.roots", "review.policy", "spaces.read", "spaces.everywhere",
			}, k.Key)
		if k.secret { // in no file at all
			want = false
		}
		if k.PersonOnly != want {
			t.Errorf("%s: only a person's %v, want %v", k.Key, k.PersonOnly, want)
		}
	}
	for _, tt := range []struct {
		key, text, inForce string
		unset, want        bool
	}{
		{"embedder.kind", "none", "ollama", false, true},
		{"capture.secrets", "block", "redact", false, false},
		{"capture.secrets", "redact", "block", false, true},
		{"capture.secrets", "allow", "redact", false, true},
		{"capture.secrets", "", "redact", true, true},
		{"review.policy", "project", "default", false, true},
		{"review.policy", "strict", "default", false, true},
		{"review.policy", "default", "strict", false, true},
		{"review.policy", "", "strict", true, true},
		{"pack.budget", "900", "", false, false},
	} {
		if got := Person(tt.key, tt.text, tt.inForce, tt.unset); got != tt.want {
			t.Errorf("%s from %q to %q: only a person %v, want %v", tt.key, tt.inForce, tt.text, got, tt.want)
		}
	}
}

// What cannot be read confirms nothing, and a mark holds for its file, key and value.
func TestMarksOfSettings(t *testing.T) {
	data, user := t.TempDir(), filepath.Join(t.TempDir(), "config.toml")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func(user string) *Settings {
		t.Helper()
		c, err := OpenConfirmed(data, user, false)
		if err != nil && c == nil {
			t.Fatal(err)
		}
		s, err := LoadGuarded("", user, func(string) string { return "" }, Guard{User: c})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if c, err := OpenConfirmed(filepath.Join(data, "none"), user, false); c != nil || err != nil {
		t.Errorf("without a data directory: %v, %v, want nothing", c, err)
	}
	write(user, "[model]\nkind = 'openai'\nurl = 'http://127.0.0.1:1'\n")
	if s := load(user); s.Get("model.kind") != "openai" || len(s.Warnings) > 0 {
		t.Errorf("at the first run: %q, %q, want what is there", s.Get("model.kind"), s.Warnings)
	}
	write(user, "[model]\nkind = 'none'\nurl = 'http://127.0.0.1:1'\n")
	if s := load(user); s.Get("model.kind") != "none" || len(s.Warnings) > 0 {
		t.Errorf("back at the default: %q, %q, want it in force", s.Get("model.kind"), s.Warnings)
	}
	other := filepath.Join(t.TempDir(), "config.toml")
	write(other, "[model]\nkind = 'openai'\n")
	if s := load(other); s.Get("model.kind") != "none" || len(s.Changes) != 1 {
		t.Errorf("another file: %q, want the default", s.Get("model.kind"))
	}
	write(user, "[model]\nkind = 'openai'\nurl = 'http://127.0.0.1:1'\n")
	for _, broken := range []string{"", "[]", "{"} {
		write(filepath.Join(data, confirmedFile), broken)
		if s := load(user); s.Get("model.kind") != "none" || len(s.Changes) != 2 {
			t.Errorf("marks that read %q: %q, %d changes, want nothing confirmed", broken, s.Get("model.kind"), len(s.Changes))
		}
	}
	c, _ := OpenConfirmed(data, user, true)
	if err := c.Confirm("model.kind", "openai", true); err != nil {
		t.Fatal(err)
	}
	if s := load(user); s.Get("model.kind") != "openai" {
		t.Errorf("confirmed again: %q", s.Get("model.kind"))
	}
	if err := os.Remove(filepath.Join(data, confirmedFile)); err != nil {
		t.Fatal(err)
	}
	if s := load(user); s.Get("model.kind") != "none" || len(s.Changes) == 0 {
		t.Errorf("after the marks were taken away: %q, want nothing confirmed", s.Get("model.kind"))
	}
}
