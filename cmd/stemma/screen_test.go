package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a screen may take to show what a step waits for.
const patience = 30 * time.Second

// screen STEPS COMMAND… runs a command as a person at a terminal of 100 columns
// and 30 rows. The lines of the file are "see TEXT", which waits until the
// screen shows it, and "press KEYS"; the command must then have ended well.
func screen(ts *testscript.TestScript, _ bool, args []string) {
	line := "stty cols 100 rows 30 -echo; NO_COLOR=1 exec"
	for _, arg := range args[1:] {
		line += " '" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	cmd := exec.Command("script", "-qec", line, os.DevNull)
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	keys, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer late.Stop()
	var seen strings.Builder
	for step := range strings.Lines(ts.ReadFile(args[0])) {
		do, what, _ := strings.Cut(strings.TrimSpace(step), " ")
		switch do {
		case "press":
			_, err := io.WriteString(keys, strings.NewReplacer("ENTER", "\r", "ESC", "\x1b", "DOWN", "\x1b[B").Replace(what))
			ts.Check(err)
			seen.Reset()
		case "see":
			for b := make([]byte, 1<<16); !strings.Contains(seen.String(), what); {
				n, err := out.Read(b)
				seen.Write(b[:n])
				if err != nil {
					ts.Fatalf("%q is not on the screen: %v\n%s", what, err, seen.String())
				}
			}
		default:
			ts.Fatalf("screen: no step %q", step)
		}
	}
	rest, err := io.ReadAll(out)
	ts.Check(err)
	ts.Check(cmd.Wait())
	ts.Logf("%s%s", seen.String(), rest)
	ts.Check(os.WriteFile(ts.MkAbs("screen"), append([]byte(seen.String()), rest...), 0o600))
}
