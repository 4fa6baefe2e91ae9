package cli

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/ops"
)

// A ref given empty is an error that names the argument, on every verb of an operation
// that takes refs, and with every flag that takes one.
func TestNoArgumentIsEmpty(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) (int, string) {
		var out, errOut bytes.Buffer
		code := Run(t.Context(), args, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir,
			Getenv: inHome(dir)})
		if out.Len() > 0 {
			t.Errorf("%q: %s", args, out.String())
		}
		return code, errOut.String()
	}
	tried := make(map[string]bool)
	refuses := func(names string, args ...string) {
		t.Helper()
		tried[strings.Join(args, " ")] = true
		code, said := run(args...)
		if code != 64 || !strings.Contains(said, names+" is empty") {
			t.Errorf("%q: exit code %d, %q; want 64, and that %s is empty", args, code, said, names)
		}
	}
	takesRefs := map[string]bool{"ref": true, "refs": true, "target": true, "episode": true, "id": true}
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	for _, op := range ops.All {
		in := op.In
		for i := range in.NumField() {
			name, _, _ := strings.Cut(in.Field(i).Tag.Get("json"), ",")
			k := in.Field(i).Type.Kind()
			if !takesRefs[name] || k != reflect.String && k != reflect.Slice || op.Name == "receipts" ||
				op.Name == "remote_uninvite" {
				continue
			}
			words := strings.Fields(verbs[op.Name].command)
			c, _, err := root.Find(words)
			if err != nil {
				t.Fatal(err)
			}
			refuses(placeholder(c), append(words, "", "a word")...)
			refuses(placeholder(c), append(words, "  ")...)
		}
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		for _, name := range refFlags {
			if f := c.Flags().Lookup(name); f != nil && strings.Contains(f.Usage, "ref of") {
				refuses("--"+name, append(path, "words", "--"+name, "")...)
				refuses("--"+name, append(path, "words", "--"+name+"=")...)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	refuses("--ref", "receipts", "list", "--ref", "")
	refuses("--because", "reinforce", "belief:3f9a", "--because", "")
	refuses("REF", "approve", "belief:3f9a", "")
	refuses("REF", "show", "belief", "")
	refuses("REF", "approve", "belief", "")
	refuses("ID", "belief", "show", "")
	refuses("ID", "raw", "show", " ")
	refuses("RAW", "promote", "", "-m", "words")
	refuses("REF", "export", "belief:3f9a", "", "-o", "part.jsonl")
	refuses("FILE", "export", "")
	refuses("PATH", "import", "")
	t.Logf("%d command lines", len(tried))
	if made := treeOf(t, dir); len(made) > 0 {
		t.Errorf("made: %q", made)
	}
}
