package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The tour fits two screens of this size.
const (
	screenColumns = 80
	screenRows    = 50
)

// rows returns how many rows of a terminal a text takes.
func rows(text string) int {
	n := 0
	for l := range strings.Lines(text) {
		columns := 0
		for _, r := range strings.TrimSuffix(l, "\n") {
			if columns++; r >= 0x1100 && r < 0x1f000 { // East Asian letters are two columns wide
				columns++
			}
		}
		n += max(1, (columns+screenColumns-1)/screenColumns)
	}
	return n
}

// untold is a trust score of nothing without a reason behind it.
var untold = regexp.MustCompile(`\b0\.00\b(?: unverified)?\s*$`)

// twoScreens asks of the last standard output whether it is a tour: at most two screens, six
// steps, each with a command, and no score without its reason.
func twoScreens(ts *testscript.TestScript, _ bool, _ []string) {
	out := ts.ReadFile("stdout")
	if n := rows(out); n > 2*screenRows {
		ts.Fatalf("%d rows of %d columns, at most %d:\n%s", n, screenColumns, 2*screenRows, out)
	}
	for l := range strings.Lines(out) {
		if untold.MatchString(strings.TrimSuffix(l, "\n")) {
			ts.Fatalf("a score without its reason: %s", l)
		}
	}
	for i := 1; i <= 6; i++ {
		_, after, found := strings.Cut(out, fmt.Sprintf("\n%d. ", i))
		section, _, _ := strings.Cut(after, "\n\n"+fmt.Sprint(i+1)+". ")
		if !found || !strings.Contains(section, "\n$ ") {
			ts.Fatalf("step %d has no command:\n%s", i, out)
		}
	}
	if lines := strings.Split(strings.TrimSpace(out), "\n"); !strings.HasPrefix(lines[len(lines)-2], "Next: ") ||
		!strings.HasPrefix(lines[len(lines)-1], "Docs: ") {
		ts.Fatalf("it does not say what to do next:\n%s", out)
	}
}

// aScreen asks of the last standard output whether it is the tour of the shop: at most 45 lines, none wider than a
// screen.
func aScreen(ts *testscript.TestScript, neg bool, args []string) {
	const most = 45
	out := ts.ReadFile("stdout")
	if n := strings.Count(out, "\n"); n > most {
		ts.Fatalf("%d lines, at most %d:\n%s", n, most, out)
	}
	for l := range strings.Lines(out) {
		if rows(l) > 1 {
			ts.Fatalf("wider than %d columns: %s", screenColumns, l)
		}
	}
	twoScreens(ts, neg, args)
}

// retype types each command of the last tour, which was kept, as it was printed, as a person
// at a terminal. What was done already may say so; the changed bundle must fail.
func retype(ts *testscript.TestScript, _ bool, _ []string) {
	var script strings.Builder
	var commands []string
	for l := range strings.Lines(ts.ReadFile("stdout")) {
		if command, is := strings.CutPrefix(strings.TrimSuffix(l, "\n"), "$ "); is {
			commands = append(commands, command)
			fmt.Fprintf(&script, "%s\necho \"$?\" >>\"$CODES\"\n", command)
		}
	}
	work := ts.Getenv("WORK")
	file, codes := filepath.Join(work, "retyped.sh"), filepath.Join(work, "retyped.codes")
	ts.Check(os.WriteFile(file, []byte(script.String()), 0o600))
	os.Remove(codes)
	ts.Setenv("CODES", codes)
	ts.Check(
		ts.Exec("script", "-qec", "stty -onlcr -echo; NO_COLOR=1 HOME='"+work+"/typist' exec sh '"+file+"'", os.DevNull),
	)
	got := strings.Fields(ts.ReadFile(codes))
	if len(commands) < 10 || len(got) != len(commands) {
		ts.Fatalf("%d commands, %d exit codes", len(commands), len(got))
	}
	for i, command := range commands {
		want := "0"
		verb := strings.Fields(command + " - -")[1]
		switch {
		case strings.Contains(command, "stemma audit") && strings.HasSuffix(command, "changed.jsonl --lines 0"):
			want = "1"
		case verb == "promote", verb == "revise", verb == "quarantine" && i == len(commands)-1:
			want = "5" // it was done already
		}
		if got[i] != want {
			ts.Fatalf("$ %s: exit code %s, want %s", command, got[i], want)
		}
	}
}

// A tour that is interrupted leaves nothing behind and says so.
func TestTourInterrupted(t *testing.T) {
	dir, bin, tmp := t.TempDir(), t.TempDir(), t.TempDir()
	started := filepath.Join(dir, "started")
	if out, err := exec.Command("mkfifo", started).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v, %s", err, out)
	}
	slow := "#!/bin/sh\necho >'" + started + "'\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(slow), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("stemma", "tour", "--here")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "TMPDIR="+tmp,
		"HOME="+filepath.Join(dir, "home"), "XDG_DATA_HOME=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(started); err != nil { // until git has started
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 || out.String() != "stemma: interrupted; the tour kept nothing\n" {
		t.Errorf("it ended with %v and said %q", err, out.String())
	}
	for _, d := range []string{tmp, filepath.Join(dir, "home")} {
		if there, err := os.ReadDir(d); len(there) > 0 {
			t.Errorf("%s holds %v, %v", d, there, err)
		}
	}
}
