package importers

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// collect goes through a sequence that must not fail.
func collect(t testing.TB, seq Sequence) []api.Foreign {
	t.Helper()
	var all []api.Foreign
	for f, err := range seq {
		if err != nil {
			t.Fatalf("after %d records: %v", len(all), err)
		}
		all = append(all, f)
	}
	return all
}

// refused checks that err is about bad input and says want, and does not say of
// which kind it is.
func refused(t testing.TB, err error, want string) {
	t.Helper()
	switch {
	case !errors.Is(err, api.ErrInvalid):
		t.Errorf("err = %v, which is not about bad input", err)
	case !strings.Contains(err.Error(), want):
		t.Errorf("err = %q, want it to say %q", err, want)
	case strings.Contains(err.Error(), api.ErrInvalid.Error()+":"):
		t.Errorf("err = %q, which names its kind", err)
	}
}

// raw returns the raw that f is.
func raw(t testing.TB, f api.Foreign) *memory.Raw {
	t.Helper()
	b, ok := f.Body.(*memory.Raw)
	if !ok {
		t.Fatalf("%s is a %T, want a raw", f.Alias, f.Body)
	}
	if err := memory.Check(b); err != nil {
		t.Errorf("%s: %v", f.Alias, err)
	}
	return b
}

// note returns the note that f is.
func note(t testing.TB, f api.Foreign) *memory.Note {
	t.Helper()
	b, ok := f.Body.(*memory.Note)
	if !ok {
		t.Fatalf("%s is a %T, want a note", f.Alias, f.Body)
	}
	return b
}

// A folder is a git repository made for a test.
type folder struct {
	t   testing.TB
	dir string
}

// newFolder makes an empty repository called garden. The settings of whoever
// runs the test are kept away from it.
func newFolder(t testing.TB, options ...string) *folder {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program here")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	f := &folder{t, filepath.Join(t.TempDir(), "garden")}
	if err := os.Mkdir(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f.git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	return f
}

func (f *folder) git(args ...string) string {
	f.t.Helper()
	return f.gitWith("", args...)
}

// gitWith runs git with input on the clock of the test.
func (f *folder) gitWith(input string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = f.dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=1700000000 +0200",
		"GIT_COMMITTER_NAME=Ben", "GIT_COMMITTER_EMAIL=ben@example.org", "GIT_COMMITTER_DATE=1700000001 +0000")
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *folder) write(name, content string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// commit commits everything and gives the id.
func (f *folder) commit(message string) string {
	f.t.Helper()
	f.git("add", "-A")
	f.gitWith(message, "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-")
	return f.git("rev-parse", "HEAD")
}

// read imports the repository and gives the records, as many as were promised.
func (f *folder) read() []api.Foreign {
	f.t.Helper()
	seq, total, err := Git(f.t.Context(), f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	all := collect(f.t, seq)
	if len(all) != total {
		f.t.Errorf("%d commits, promised %d", len(all), total)
	}
	return all
}

// membersOf returns the names that the fields of structs have in JSON.
func membersOf(structs ...any) []string {
	var names []string
	for _, s := range structs {
		for i := range reflect.TypeOf(s).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(s).Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}
