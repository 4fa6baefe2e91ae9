package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An import, an export, a backup and an audit that are killed midway leave nothing broken: what
// was stored is whole, and the same again does the rest.
func TestKilledMidway(t *testing.T) {
	const n = 4000
	dir := t.TempDir()
	run := func(kill time.Duration, args ...string) string {
		t.Helper()
		c := exec.Command("stemma", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"))
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		err := c.Start()
		if err == nil && kill > 0 { // there is nothing to kill before
			late := time.AfterFunc(kill, func() { _ = c.Process.Kill() })
			defer late.Stop()
		}
		if err == nil {
			err = c.Wait()
		}
		if err != nil && kill == 0 {
			t.Fatalf("%v: %v\n%s", args, err, &out)
		}
		return out.String()
	}
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"id":"%d","text":"turn %d of a talk about bridges","session":"s%d"}`+"\n", i, i, i/30)
	}
	file := filepath.Join(dir, "talk.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{150, 300, 450} {
		run(after*time.Millisecond, "import", "jsonl", file)
	}
	if out := run(0, "import", "jsonl", file); !strings.Contains(out, "already present") {
		t.Errorf("the last import says %q", out)
	}
	if out := run(0, "raw", "list", "--limit", "-1", "--json"); strings.Count(out, `"headline"`) != n {
		t.Errorf("there are %d captures, want %d", strings.Count(out, `"headline"`), n)
	}
	backup := filepath.Join(dir, "backup.db")
	for _, after := range []time.Duration{30, 60, 90, 120} {
		run(after*time.Millisecond, "backup", backup)
		run(after*time.Millisecond, "audit")
		run(after*time.Millisecond, "export", "--force", filepath.Join(dir, "all.jsonl"))
	}
	run(0, "backup", backup)
	run(0, "doctor")
	run(0, "audit")
	run(0, "--store", backup, "doctor")
}
