package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// typed is a command line with a slip in it, and what was meant.
type typed struct {
	args  []string
	meant string
}

// slips makes a word wrong in the ways that hands do: a letter left out, two swapped,
// one doubled, the neighbour of one on the keyboard.
func slips(word string) []string {
	at := len(word) / 2
	last := len(word) - 1
	out := []string{word[:at] + word[at+1:], word[:last], word[:at] + word[at:at+1] + word[at:]}
	if last > 0 && word[at-1] != word[at] {
		out = append(out, word[:at-1]+word[at:at+1]+word[at-1:at]+word[at+1:])
	}
	const row = "qwertyuiopasdfghjklzxcvbnm"
	if key := strings.IndexByte(row, word[last]); key > 0 {
		out = append(out, word[:last]+row[key-1:key])
	}
	return out
}

// mistakes is a slip of every kind for every verb in the tree, and verbs that were
// given in the wrong order.
func mistakes(root *cobra.Command) []typed {
	var all []typed
	var walk func(*cobra.Command, []string)
	walk = func(c *cobra.Command, path []string) {
		for _, sub := range c.Commands() {
			for _, slip := range slips(sub.Name()) {
				if len(slip) == 0 || below(c, slip) != nil {
					continue
				}
				line := append(append([]string{}, path...), slip)
				meant := sub.CommandPath()
				switch {
				case c.Annotations[takes] == takesProse:
					all = append(all, typed{append(line[:len(line):len(line)], "3f9a81c0", "some words"), meant})
				case c.Name() == "member" && c.Annotations[takes] == takesName:
					line = append(line, "team", "did:key:z6Mk", "reader")
				}
				all = append(all, typed{line, meant})
			}
			walk(sub, append(append([]string{}, path...), sub.Name()))
		}
	}
	walk(root, nil)
	for line, meant := range map[string]string{
		"history belief": "belief history", "show belief list": "belief list", "history beleif": "belief history",
		"status goal":   "goal status",
		"find playbook": "playbook find", "adopt store": "store adopt", "outcome playbook 3f9a success": "playbook outcome",
		"checkpoint log": "log checkpoint", "introduce trust ada.pub": "trust introduce",
		"beleif hsitory a04e": "belief history",
		"lsit belief":         "belief list", "belief hsitory a04e": "belief history",
		"goal progres 3f9a 40%": "goal progress",
		"raw lsit":              "raw list",
		"note sho":              "note show", "drive shwo X": "drive show", "playbook serach": "playbook find",
		"store adpot": "store adopt", "trust explian": "explain",
		"log chekpoint": "log checkpoint", "key rotat": "key rotate", "remote ad": "remote add", "serach foo": "search",
		"serach foo --limit 5":     "search",
		"belief lsit --provenance": "belief list", "belief explian a04e": "explain",
		"belief a04e history": "belief history a04e", "note serach": "search --kind note",
		"help serach": "search", "revise belief list": "belief list", "check anchor": "anchor check",
		"belief History":              "belief history",
		"add belief --confidence 0.5": "belief add", "hook instal git": "hook install", "completion bsah": "completion bash",
	} {
		all = append(all, typed{strings.Fields(line), "stemma " + meant})
	}
	return all
}

// A mistyped verb stores nothing, ends with 64 and is told what was meant. The table
// is made from the command tree: a new verb is in it.
func TestMistypedVerbs(t *testing.T) {
	dir := t.TempDir()
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	all := mistakes(root)
	named := 0
	for _, m := range all {
		var out, errOut bytes.Buffer
		code := Run(t.Context(), m.args, Env{Stdin: strings.NewReader("words"), Stdout: &out, Stderr: &errOut, Dir: dir,
			Getenv: inHome(dir)})
		if code != 64 || out.Len() > 0 {
			t.Errorf("%q: exit code %d, %q, %q; want 64 and nothing on standard output", m.args, code, out.String(),
				errOut.String())
		}
		if !strings.Contains(errOut.String(), "'"+m.meant+"'") {
			t.Logf("%q: %s, not '%s'", m.args, strings.SplitN(errOut.String(), "\n", 2)[0], m.meant)
			continue
		}
		named++
	}
	if len(all) < 60 || named*100 < len(all)*99 {
		t.Errorf("%d of %d are told what was meant, want 99 of 100", named, len(all))
	}
	t.Logf("%d of %d are told what was meant", named, len(all))
	if made := treeOf(t, dir); len(made) > 0 {
		t.Errorf("made by what was mistyped: %q", made)
	}
}

// What a person means as words is kept, however it begins.
func TestProseIsKept(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"note", "history of the harbour"}, {"raw", "list", "of", "things"}, {"note", "history", "of", "the", "harbour"},
		{"note", "--", "hsitory"},
		{"raw", "--", "list"}, {"raw", "add", "lsit"}, {"relationship", "Lisa"}, {"relationship", "Denise"}, {"value",
			"honesty"}, {"drive", "curiosity"},
		{"note", "lists", "are", "kept", "in", "Go"}, {"value", "trust"}, {"note", "show", "me", "the", "way", "--type",
			"insight"}, {"belief", "The", "list", "is", "long"},
		{"goal", "progress", "on", "the", "importer"}, {"raw", "lost", "cause"}, {"note", "Review"}, {"raw", "2026"},
		{"raw", "lists 3f9a"},
	} {
		var out, errOut bytes.Buffer
		code := Run(t.Context(), args, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir,
			Getenv: inHome(dir)})
		if code != 0 || !strings.Contains(out.String(), ":") {
			t.Errorf("%q: exit code %d, %q, %q", args, code, out.String(), errOut.String())
		}
	}
}

// inHome is the environment of a person whose home is a directory.
func inHome(dir string) func(string) string {
	return func(name string) string {
		return map[string]string{"XDG_DATA_HOME": filepath.Join(dir, "data"), "HOME": dir}[name]
	}
}

// treeOf names everything below a directory.
func treeOf(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path != dir {
			all = append(all, fmt.Sprintf("%s %s", strings.TrimPrefix(path, dir), d.Type()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
