package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// skipper is a testing.TB that remembers the reason it was skipped for.
type skipper struct {
	testing.TB
	reason string
}

type skipped struct{}

func (s *skipper) Helper() {}

func (s *skipper) Skipf(format string, args ...any) {
	s.reason = fmt.Sprintf(format, args...)
	panic(skipped{})
}

func (s *skipper) file(parts ...string) (path string) {
	defer func() {
		if p := recover(); p != nil && p != any(skipped{}) {
			panic(p)
		}
	}()
	return File(s, parts...)
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheVariableNamesTheDirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "talks", "one.json"))
	t.Setenv(dirVariable, dir)
	s := &skipper{TB: t}
	if got, want := s.file("talks", "one.json"), filepath.Join(dir, "talks", "one.json"); got != want {
		t.Errorf("File = %q, want %q (skipped: %q)", got, want, s.reason)
	}
}

func TestDataBesideTheModuleIsFoundFromWithin(t *testing.T) {
	t.Setenv(dirVariable, "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "shared", "data", "one.json")
	write(t, want)
	write(t, filepath.Join(dir, "module", "go.mod"))
	write(t, filepath.Join(dir, "module", "a", "b", "b.go"))
	t.Chdir(filepath.Join(dir, "module", "a", "b"))
	s := &skipper{TB: t}
	if got := s.file("one.json"); got != want {
		t.Errorf("File = %q, want %q (skipped: %q)", got, want, s.reason)
	}
}

func TestAbsentDataSkipsWithTheMarker(t *testing.T) {
	t.Setenv(dirVariable, t.TempDir())
	s := &skipper{TB: t}
	if got := s.file("no", "such"); got != "" {
		t.Errorf("File = %q, want it to skip", got)
	}
	if !strings.HasPrefix(s.reason, "optional data: ") {
		t.Errorf("reason = %q, want it to begin with the marker", s.reason)
	}
}
