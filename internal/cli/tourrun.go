package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ops"
)

// tourWidth is the width that the steps are printed for.
const tourWidth = 80

// say prints a heading between the steps.
func (t *tour) say(format string, args ...any) {
	fmt.Fprintln(&t.out, t.a.paint(bold, filled(strings.Fields(clean(fmt.Sprintf(format, args...))), 0, tourWidth)))
}

// show runs a step and prints it as a person would type it, with what it prints.
func (t *tour) show(args ...string) error {
	_, err := t.step(args...)
	return err
}

// step is show for a write. It returns the ref that was stored.
func (t *tour) step(args ...string) (string, error) {
	t.prompt(args...)
	var out bytes.Buffer
	code := t.run(&out, args...)
	t.out.Write(out.Bytes())
	if code != ops.ExitOK {
		return "", fmt.Errorf("tour: this step failed with exit code %d", code)
	}
	return strings.TrimSpace(out.String()), nil
}

var unquoted = lazy.Regexp(`^[\w@%+=:,./-]+$`)

// shell returns words as a shell reads them.
func shell(args ...string) string {
	words := make([]string, len(args))
	for i, w := range args {
		if words[i] = w; !unquoted.Get().MatchString(w) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// typed prints a command line as it is typed.
func (t *tour) typed(line string) { fmt.Fprintln(&t.out, t.a.paint(green, "$ "+clean(line))) }

// prompt prints a step. Long refs are cut to the digits that people use.
func (t *tour) prompt(args ...string) {
	words := []string{"stemma"}
	for _, w := range args {
		switch {
		case strings.HasPrefix(w, t.dir+string(filepath.Separator)):
			w = t.file(filepath.Base(w))
		case strings.Contains(w, ":") && len(w) > 60 && !strings.Contains(w, " "):
			w = shortRef(w)
		}
		words = append(words, w)
	}
	t.typed(shell(words...))
}

// file returns the name of a file of the tour, as its commands write it.
func (t *tour) file(name string) string {
	if t.kept == "" || t.at == t.dir {
		return name
	}
	return filepath.Join(t.kept, name)
}

// run runs one command line on the tour's own store with its own keys.
func (t *tour) run(out io.Writer, args ...string) int {
	env := t.a.env
	env.Stdout, env.Stderr = out, out // what a person would see
	env.Dir, env.person, env.columns = t.at, t.person, tourWidth
	if t.in != nil {
		env.Stdin = t.in
	}
	if t.a.colored() {
		args = append([]string{"--color", "always"}, args...)
	}
	data, store := t.dir, filepath.Join(t.dir, storeFile)
	if t.stranger {
		data, store = filepath.Join(t.dir, "stranger"), ""
	}
	env.Getenv = func(name string) string {
		switch {
		case name == "XDG_DATA_HOME", name == "XDG_CONFIG_HOME":
			return data
		case name == "XDG_CACHE_HOME":
			return filepath.Join(t.dir, "cache")
		case name == "STEMMA_STORE":
			return store
		case name == "STEMMA_EMBEDDER" && t.meaning:
			return "box"
		case name == "STEMMA_EMBEDDER", name == "STEMMA_MODEL":
			return "none"
		case strings.HasPrefix(name, "STEMMA_"), name == hosts.EnvSession:
			return ""
		}
		return t.a.env.Getenv(name)
	}
	return t.a.run(t.ctx, args, env)
}
