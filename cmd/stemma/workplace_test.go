package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/outside/outsidetest"
)

// A workplace is a person's home in which agents work in repositories: hosts call hooks, agents call commands and
// tools.
type workplace struct {
	*testing.T
	env []string
}

// newWorkplace has a home without settings, and nothing of the hosts that run the test.
func newWorkplace(t *testing.T, home string) *workplace {
	t.Helper()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CLAUDE") || strings.HasPrefix(v, "STEMMA_")
	})
	data := filepath.Join(t.TempDir(), "data")
	env = append(env, "HOME="+home, "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "GORACE=atexit_sleep_ms=0", "GOMAXPROCS=2")
	return &workplace{T: t, env: env}
}

// data is a file of the data directory.
func (w *workplace) data(name string) string {
	for _, v := range w.env {
		if dir, is := strings.CutPrefix(v, "XDG_DATA_HOME="); is {
			return filepath.Join(dir, "stemma", name)
		}
	}
	return ""
}

func (w *workplace) command(dir, session, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(slices.Clip(w.env), "STEMMA_SESSION="+session, "PWD="+dir)
	return c
}

// run runs the program as an agent does, with something on standard input.
func (w *workplace) run(dir, session, stdin string, args ...string) string {
	w.Helper()
	c := w.command(dir, session, "stemma", args...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.Output()
	if err != nil {
		said := ""
		if e, is := err.(*exec.ExitError); is {
			said = string(e.Stderr)
		}
		w.Fatalf("stemma %.200q: %v: %.500s%.500s", args, err, out, said)
	}
	return string(out)
}

// hook hands an event to the hook of a host.
func (w *workplace) hook(host, event, dir string, payload []byte) string {
	w.Helper()
	c := w.command(dir, "", "stemma", "hook", "run", host, event)
	if host == "copilot" {
		c.Env = append(c.Env, "COPILOT_CLI=1")
	}
	c.Stdin = strings.NewReader(string(payload))
	out, err := c.CombinedOutput()
	if err != nil {
		w.Fatalf("hook of %s: %v: %s", host, err, out)
	}
	return string(out)
}

// uses tells the hook of a host that a tool was used.
func (w *workplace) uses(c outsidetest.Call, dir, session string) {
	w.Helper()
	event, text := c.Payload(dir, session)
	w.hook(c.Host, event, dir, text)
}

// A given is a memory in a pack: where it is given, and what is said of it.
type given struct {
	Section string `json:"-"`
	Ref     string
	Kind    string
	Type    string
	Text    string
	Marks   []string
}

// gives is what a question brings, by ref.
func (w *workplace) gives(dir, question string, budget int) map[string]given {
	w.Helper()
	var pack struct {
		Sections []struct {
			Name    string
			Entries []given
		}
	}
	out := w.run(dir, "asks", "", "context", question, "--budget", fmt.Sprint(budget), "--json")
	if err := json.Unmarshal([]byte(out), &pack); err != nil {
		w.Fatal(err, out)
	}
	all := make(map[string]given)
	for _, s := range pack.Sections {
		for _, e := range s.Entries {
			e.Section = s.Name
			all[e.Ref] = e
		}
	}
	return all
}
