package importers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = "../../docs/reference/imports.md"

// block returns the first block of a language on a page.
func block(t testing.TB, page, language string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n```"+language+"\n")
	block, _, end := strings.Cut(rest, "```\n")
	if !ok || !end {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return block
}

// TestThePageIsTrue: the three examples of the page give what the page says.
func TestThePageIsTrue(t *testing.T) {
	t.Run("git", func(t *testing.T) {
		f := newFolder(t)
		f.write("reader.go", "1")
		f.commit("begin")
		f.write("reader.go", "2")
		f.write("testdata/no end.txt", "x")
		command := block(t, page, "sh")
		message := strings.TrimSuffix(strings.TrimPrefix(command, `git commit -m "`), "\"\n")
		f.commit(message)
		if got, want := raw(t, f.read()[1]).Text+"\n", block(t, page, "text"); got != want {
			t.Errorf("captured as %q, the page says %q", got, want)
		}
	})
	t.Run("locomo", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "trees.json")
		if err := os.WriteFile(path, []byte(block(t, page, "json")), 0o600); err != nil {
			t.Fatal(err)
		}
		all, byAlias := locomo(t, path)
		if len(all) != 4 {
			t.Errorf("%d records, want 4", len(all))
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for form := range strings.SplitSeq(string(text), "`") { // every alias that the page shows
			name := strings.NewReplacer("<conversation>", "trees", "<speaker>", "Ada", "<n>", "1").Replace(form)
			if _, ok := byAlias[name]; strings.HasPrefix(form, "locomo:<") && !ok && !strings.HasSuffix(form, ":session_1") {
				t.Errorf("there is no %s", name)
			}
		}
	})
	t.Run("jsonl", func(t *testing.T) {
		seq, err := JSONL(strings.NewReader(block(t, linesPage, "jsonl")), "work.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		all := collect(t, seq)
		if len(all) != 4 || all[3].From[0] != "jsonl:work.jsonl:e1" || string(all[3].Ext) != `{"ticket":4711}` {
			t.Errorf("records = %+v", all)
		}
	})
	t.Run("members", func(t *testing.T) {
		text, err := os.ReadFile(linesPage)
		if err != nil {
			t.Fatal(err)
		}
		for name := range known {
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("the page does not name %s", name)
			}
		}
	})
}
