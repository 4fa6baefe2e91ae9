package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/ops"
)

func TestHintsAreTypedAsVerbs(t *testing.T) {
	for text, want := range map[string]string{
		"`verify belief:a04e` says so":                "'stemma verify belief:a04e' says so",
		"use `again=true`":                            "use --again",
		"`witness b:1 attestation=confirm|dispute`":   "'stemma witness b:1 --confirm|--dispute'",
		"`verify b:1 files=PATH`, `key_rotate`":       "'stemma verify b:1 --file PATH', 'stemma key rotate'",
		"`recover_file a.db to=NEW` and `dry_run=no`": "'stemma recover a.db --to NEW' and --dry-run no",
	} {
		if got := inVerbs(text); got != want {
			t.Errorf("inVerbs(%q) = %q, want %q", text, got, want)
		}
	}
}

// Each operation is named as the verb that does it.
func TestHintsNameVerbsThatExist(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	for _, op := range ops.All {
		verb, _, _ := strings.Cut(hintVerb(op.Name), " --")
		if want := verbs[op.Name].command; verb != want {
			t.Errorf("hintVerb(%q) = %q, want %q", op.Name, verb, want)
		}
	}
	for _, name := range ops.Files {
		if c, rest, err := root.Find(strings.Fields(hintVerb(name))); err != nil || len(rest) > 0 || c == root {
			t.Errorf("hintVerb(%q) = %q: there is no such verb", name, hintVerb(name))
		}
	}
}

// The flags that a hint of the engine names belong to the verb that it names.
func TestHintsNameFlagsThatExist(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	found := 0
	for _, text := range messages(t, "../engine", "../store", "../importers", "../owned", "../settings") {
		ops.Hints(text, func(h ops.Hint) string {
			if h.Op == "" {
				return ""
			}
			found++
			c, _, err := root.Find(strings.Fields(hintVerb(h.Op)))
			if err != nil {
				t.Errorf("%q: %v", text, err)
				return ""
			}
			words := strings.FieldsFunc(verbsOf(h), func(r rune) bool { return strings.ContainsRune(" |'", r) })
			for _, word := range words {
				if flag, is := strings.CutPrefix(word, "--"); is && c.Flag(flag) == nil {
					t.Errorf("%q: %s has no flag --%s", text, c.CommandPath(), flag)
				}
			}
			return ""
		})
	}
	if found < 40 {
		t.Errorf("%d hints were found in the source, want at least 40", found)
	}
}

// messages are the texts in the Go files below some directories.
func messages(t *testing.T, dirs ...string) []string {
	t.Helper()
	var all []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					all = append(all, text)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
