package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// say is a heading between the steps.
func (t *tour) say(s string) {
	fmt.Fprintf(t.a.env.Stdout, "\n%s\n", t.a.paint(bold, s))
}

// show runs a step and prints it as a person would have typed it, with what it
// printed.
func (t *tour) show(args ...string) error {
	t.prompt(args...)
	if code := t.run(t.a.env.Stdout, args...); code != 0 {
		return fmt.Errorf("tour: this step failed with exit code %d", code)
	}
	return nil
}

// step is show for a write; it gives the ref that was stored.
func (t *tour) step(args ...string) (string, error) {
	t.prompt(args...)
	var out bytes.Buffer
	code := t.run(&out, args...)
	fmt.Fprint(t.a.env.Stdout, out.String())
	if code != 0 {
		return "", fmt.Errorf("tour: this step failed with exit code %d", code)
	}
	return strings.TrimSpace(out.String()), nil
}

// prompt shows a command line as it is typed; long refs are cut to the digits
// that people use.
func (t *tour) prompt(args ...string) {
	words := []string{"stemma"}
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case strings.HasPrefix(w, t.dir):
			w = filepath.Base(w)
		case strings.Contains(w, ":") && len(w) > 60 && !strings.Contains(w, " "):
			w = shortRef(w)
		}
		if strings.ContainsAny(w, " \"'$`\\!*?;&|<>()#") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	fmt.Fprintf(t.a.env.Stdout, "\n%s\n", t.a.paint(green, "$ "+clean(strings.Join(words, " "))))
}

// run runs one command line on the tour's own store with its own keys.
func (t *tour) run(out interface{ Write([]byte) (int, error) }, args ...string) int {
	env := t.a.env
	env.Stdout, env.Stderr = out, out // what a person would see
	env.Dir = or(t.at, env.Dir)
	env.person = t.person
	if t.a.colored() && out == t.a.env.Stdout {
		args = append([]string{"--color", "always"}, args...)
	}
	env.Getenv = func(name string) string {
		switch name {
		case "XDG_DATA_HOME":
			return t.dir
		case "STEMMA_STORE":
			return filepath.Join(t.dir, storeFile)
		case "XDG_CACHE_HOME":
			return filepath.Join(t.dir, "cache")
		case "STEMMA_EMBEDDER", "STEMMA_MODEL":
			return "none"
		case "STEMMA_SESSION", "STEMMA_RECEIPTS", hosts.EnvSession:
			return ""
		}
		return t.a.env.Getenv(name)
	}
	return Run(t.ctx, args, env)
}
