//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A named pipe or a device is no file: import says so at once, and waits for no one.
func TestImportOfNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"", "git", "jsonl", "locomo", "anamnesis", "transcript", "markdown", "mem0", "kernle",
		"alexandria", "instructions", "mcp-memory", "basic-memory"} {
		for _, path := range []string{pipe, "/dev/zero"} {
			args := append([]string{"import"}, strings.Fields(kind)...)
			c := exec.Command("stemma", append(args, path)...)
			c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"))
			done := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
			out, err := c.CombinedOutput()
			done.Stop()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 65 || !strings.Contains(string(out), "'-'") ||
				strings.Count(string(out), "\n") != 1 {
				t.Errorf("%v %s: %v, %s", args, path, err, out)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("a store was made")
	}
}
