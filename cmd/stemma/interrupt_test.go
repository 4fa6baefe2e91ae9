package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that is interrupted says one plain line and ends with 128 and the number of
// the signal, also while it waits for its input.
func TestInterrupted(t *testing.T) {
	for _, args := range []string{
		"raw -", "raw - --json", "remember -", "note -", "import -", "import jsonl -", "import anamnesis -", "audit -",
		"log check -", "witness answer - --confirm",
		"remote compare team -",
	} {
		for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			t.Run(args+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				said, code := signalled(t, sig, strings.Fields(args)...)
				if code != want || strings.Count(said, "\n") != 1 || !strings.Contains(said, "interrupted") ||
					strings.Contains(said, "context") {
					t.Errorf("exit code %d, want %d; it says %q", code, want, said)
				}
			})
		}
	}
}

// signalled runs a command that reads its input, and signals it when it does. It gives
// what was said, and the exit code.
func signalled(t *testing.T, sig syscall.Signal, args ...string) (string, int) {
	t.Helper()
	dir := t.TempDir()
	c := exec.Command("stemma", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"), "STEMMA_STORE=",
		"STEMMA_URL=")
	var said bytes.Buffer
	c.Stdout, c.Stderr = io.Discard, &said
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// more than a pipe holds: when it is written, somebody reads
	if _, err := in.Write([]byte(strings.Repeat(" \n", 100_000))); err != nil {
		t.Fatalf("it does not read: %v, %s", err, said.String())
	}
	if err := c.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(20 * time.Second):
		_ = c.Process.Kill()
		t.Fatal("it goes on")
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("it ends with %v", err)
	}
	return said.String(), exit.ExitCode()
}
