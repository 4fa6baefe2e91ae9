package git

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A repository's settings run nothing, and the environment points git nowhere.
func TestCommandIsGuarded(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_EXTERNAL_DIFF", "touch ran")
	run := func(args ...string) string {
		t.Helper()
		cmd, said := Command(t.Context(), dir, args...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, said)
		}
		return string(out)
	}
	run("init", "-q")
	run("config", "core.fsmonitor", "touch "+filepath.Join(dir, "ran"))
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("add", "a")
	run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin")
	if got := run("ls-files"); got != "a\n" {
		t.Errorf("ls-files gives %q, want the one file", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a setting of the repository ran a program")
	}
	cmd, said := Command(t.Context(), dir, "log", strings.Repeat("x", 3*complaint))
	if err := cmd.Run(); err == nil || said.Len() == 0 || said.Len() > complaint {
		t.Errorf("a failing command: %v, %d bytes said, want at most %d", err, said.Len(), complaint)
	}
}

// However a complaint is filled, only its beginning is kept: a running command's
// output is copied by whatever means the receiver offers.
func TestComplaintIsBounded(t *testing.T) {
	var said Complaint
	n, err := io.Copy(&said, io.LimitReader(strings.NewReader(strings.Repeat("no\n", complaint)), 3*complaint))
	if err != nil || n != 3*complaint {
		t.Fatalf("copied %d bytes: %v", n, err)
	}
	if got := said.Len(); got != complaint {
		t.Errorf("kept %d bytes, want %d", got, complaint)
	}
}
