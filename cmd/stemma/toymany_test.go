//go:build !race

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stemma-memory/stemma/memory"
)

// toyParts are the hand-written parts of a tenth kind, in two files, and of an operation, in
// four. A part with a line to stand below is added to a file that there is.
var toyParts = []struct{ file, below, part string }{
	{"memory/experiment.go", "", "kind.go.txt"},
	{"memory/kinds.go", "\t&playbookForm,", "\t&experimentForm,"},

	{"api/experiment.go", "", "request.go.txt"},
	{"internal/engine/mind/experiment.go", "", "method.go.txt"},
	{"internal/ops/ops.go", "var All = []Op{", "\tdef(\"experiments_due\", false, " +
		"\"List experiments that are still to be run.\", (*engine.Engine).ExperimentsDue),"},
	{"internal/cli/kind.go", "\tswitch k {", "\tcase memory.KindExperiment:\n" +
		"\t\treturn []*cobra.Command{a.experimentsDueCmd()}"},
	{"internal/cli/goal.go", "", "verb.go.txt"},

	{"memory/experiment_test.go", "", "kind_test.go.txt"},
}

// TestAToyKindAndOperation builds stemma with one more kind of memory and one more operation,
// and runs the tests of memory and of the index with them; long also a script, and those of the page, of the
// stores and of the engine.
func TestAToyKindAndOperation(t *testing.T) {
	t.Parallel()
	if memory.Kind("experiment").Known() {
		return // this is that build
	}
	overlay := toyOverlay(t)
	run := func(args ...string) {
		t.Helper()
		c := exec.Command("go", append([]string{"test", "-vet=off", "-overlay", overlay}, args...)...)
		c.Dir = filepath.Join("..", "..")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go test %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("./memory", "./internal/index")
	if os.Getenv("STEMMA_LONG") != "" {
		run("./internal/web")
		run("./cmd/stemma", "-run", "^TestToyScripts$", "-count=1", "-v")
		run("./internal/store/...", "./internal/engine/...")
	}
}

// toyOverlay writes the overlay of that build and returns its name.
func toyOverlay(t *testing.T) string {
	t.Helper()
	dir, root := t.TempDir(), must(filepath.Abs(filepath.Join("..", "..")))
	texts := make(map[string]string)
	for _, p := range toyParts {
		into := filepath.Join(root, filepath.FromSlash(p.file))
		text, seen := texts[into]
		if !seen {
			old, err := os.ReadFile(into)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			text = string(old)
		}
		switch {
		case p.below == "":
			text += string(must(os.ReadFile(filepath.Join("testdata", "toy", p.part))))
		case strings.Count(text, p.below+"\n") != 1:
			t.Fatalf("%s has no line %q, or several", p.file, p.below)
		default:
			text = strings.Replace(text, p.below+"\n", p.below+"\n"+p.part+"\n", 1)
		}
		texts[into] = text
	}
	replace := make(map[string]string)
	for into, text := range texts {
		replace[into] = write(t, dir, strings.TrimPrefix(into, root), text)
	}
	return write(t, dir, "overlay.json", string(must(json.Marshal(map[string]any{"Replace": replace}))))
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestToyScripts runs the script of the toys, in the build that has them.
func TestToyScripts(t *testing.T) {
	if !memory.Kind("experiment").Known() {
		return // TestAToyKindAndOperation makes the build that has it
	}
	p := params()
	p.Dir = filepath.Join("testdata", "toy", "scripts")
	testscript.Run(t, p)
}
