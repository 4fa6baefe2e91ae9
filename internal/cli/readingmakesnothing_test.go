package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/ops"
)

// readWith are arguments for reading verbs that need some.
var readWith = map[string][]string{
	"entity": {"Alice"}, "relationship_history": {"Alice"}, "receipt": {"3f9a81c0"}, "replay": {"3f9a81c0"},
	"remote_members": {"team"},
	"remote_view":    {"team"}, "remote_compare": {"team", "view.json"}, "key_export_public": nil,
}

// Reading makes nothing: where there is no store, each verb that reads leaves the
// home and the project as they were. The verbs are those of the table of operations.
func TestReadingMakesNothing(t *testing.T) {
	fill := strings.NewReplacer("$B", "belief:3f9a81c0", "$R", "raw:3f9a81c0")
	var lines [][]string
	for _, op := range ops.All {
		if op.Writes {
			continue
		}
		v := verbs[op.Name]
		line := append(strings.Fields(v.command), v.args...)
		line = append(line, readWith[op.Name]...)
		for i := range line {
			line[i] = fill.Replace(line[i])
		}
		lines = append(lines, line)
	}
	for _, text := range []string{"export", "config list", "config get packs.budget", "store list",
		"hook status", "backup copy.db",
		"import", "belief list", "belief show 3f9a81c0", "raw show 3f9a81c0 --text",
		"show belief:3f9a81c0 --trace", "export --format anamnesis", "review --json",
		"check", "anchor check", "anchor check --online", "forget run --dry-run",
		"undo --dry-run", "purge belief:3f9a81c0 --dry-run", "quarantine belief:3f9a81c0 --dry-run",
		"trust distrust Alice --dry-run",
		"release belief:3f9a81c0 --dry-run", "suggestions show belief:3f9a81c0", "audit out.jsonl",
		"search words --space other", "list --user",
		"list --project", "key list"} {
		lines = append(lines, strings.Fields(text))
	}
	held := filepath.Join(t.TempDir(), "held.txt")
	if err := os.WriteFile(held, []byte("stemma/other/main\n1\nAAAA\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, []string{"log", "check", held},
		[]string{"stats", "--store", filepath.Join(t.TempDir(), "other.db")})
	for _, line := range lines {
		for _, place := range []string{"", "work"} { // at home, and in a project with git
			home := t.TempDir()
			dir := filepath.Join(home, place)
			if place != "" {
				if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			before := treeOf(t, home)
			var out, errOut bytes.Buffer
			code := Run(t.Context(), line, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir,
				Getenv: inHome(home)})
			if made := treeOf(t, home); !slices.Equal(before, made) {
				t.Errorf("%q (exit code %d) made %q", line, code, made[len(before):])
			}
			if place == "" {
				t.Logf("%q: %d %.150q %.150q", line, code, out.String(), errOut.String())
			}
		}
	}
}
