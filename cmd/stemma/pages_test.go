package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/cli"
)

// guides are the pages that teach, with the words that each may have.
func guides(t *testing.T) map[string]int {
	t.Helper()
	pages := map[string]int{"../../README.md": 450}
	for dir, most := range map[string]int{"tutorials": 700, "how-to": 350} {
		found, err := filepath.Glob("../../docs/" + dir + "/*.md")
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages in %s: %v", dir, err)
		}
		for _, page := range found {
			pages[page] = most
		}
	}
	return pages
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// Pages stay short, so that they are read.
func TestPagesAreShort(t *testing.T) {
	const mostPages, mostWords = 26, 7500
	pages, words := 0, 0
	for name, most := range guides(t) {
		n := len(strings.Fields(readPage(t, name)))
		if n > most {
			t.Errorf("%s has %d words, at most %d are allowed", name, n, most)
		}
		if most == 350 {
			pages, words = pages+1, words+n
		}
	}
	if pages > mostPages || words > mostWords {
		t.Errorf("%d how-to pages of %d words, at most %d of %d are allowed", pages, words, mostPages, mostWords)
	}
}

var (
	fences    = regexp.MustCompile("(?s)```.*?```")
	codes     = regexp.MustCompile("`[^`\n]*`")
	sentences = regexp.MustCompile(`[.!?:]\s+|\n\n+|\n[-|#>]|\s\|`)
	dialect   = regexp.MustCompile(`(?i)\b(nobody|anew|whoever|stands?|tells?|of (yours|mine|theirs)|shelf|shelves)\b`)
)

// Prose is plain: no sentence over 35 words, none of the words that made older pages hard to read. Each page says
// in its first paragraph who it is for.
func TestPagesArePlain(t *testing.T) {
	for name := range guides(t) {
		page := readPage(t, name)
		prose := codes.ReplaceAllString(fences.ReplaceAllString(page, ""), "CODE")
		for _, word := range dialect.FindAllString(prose, -1) {
			t.Errorf("%s: %q", name, word)
		}
		for _, s := range sentences.Split(prose, -1) {
			if n := len(strings.Fields(s)); n > 35 {
				t.Errorf("%s: a sentence of %d words: %s", name, n, s)
			}
		}
		for i, line := range strings.Split(page, "\n") {
			if strings.Contains(line, "/work") || strings.Contains(line, "/tmp/") {
				t.Errorf("%s:%d: a path of one machine: %s", name, i+1, line)
			}
		}
		_, first, _ := strings.Cut(page, "\n\n")
		first, _, _ = strings.Cut(first, ".")
		if !regexp.MustCompile(`^(For |Memory for )`).MatchString(first) {
			t.Errorf("%s does not begin with who it is for, but with %q", name, first)
		}
	}
}

var (
	pageLinks = regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)
	headings  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	marks     = regexp.MustCompile("[^a-z0-9 _-]")
)

// Every link between pages leads to a page, and to a heading where it names one.
func TestPagesLinkSomewhere(t *testing.T) {
	names := []string{"../../docs/README.md"}
	for name := range guides(t) {
		names = append(names, name)
	}
	for _, name := range names {
		for _, m := range pageLinks.FindAllStringSubmatch(readPage(t, name), -1) {
			target := filepath.Join(filepath.Dir(name), m[1])
			if m[1] == "" {
				target = name
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			} else if m[2] != "" && !anchors(readPage(t, target))[m[2]] {
				t.Errorf("%s: %s has no heading %s", name, m[1], m[2])
			}
		}
	}
}

// anchors returns the headings of a page as links name them.
func anchors(page string) map[string]bool {
	out := make(map[string]bool)
	for _, m := range headings.FindAllStringSubmatch(page, -1) {
		id := marks.ReplaceAllString(strings.ToLower(m[1]), "")
		out["#"+strings.ReplaceAll(id, " ", "-")] = true
	}
	return out
}

// The map of the documentation links every page for users once.
func TestMapHasEveryPage(t *testing.T) {
	const root = "../../docs"
	page := readPage(t, root+"/README.md")
	count := make(map[string]int)
	for _, m := range pageLinks.FindAllStringSubmatch(page, -1) {
		count[filepath.Join(root, m[1])]++
	}
	for _, pattern := range []string{"*.md", "tutorials/*.md", "how-to/*.md", "reference/*.md", "explanation/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if n := count[name]; name != filepath.Join(root, "README.md") && n != 1 {
				t.Errorf("docs/README.md links %s %d times, want once", name, n)
			}
		}
	}
}

var (
	quotedWords = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	inlines     = regexp.MustCompile("`(stemma [a-z][^`]*)`")
	afterwards  = regexp.MustCompile(`(?s) [|>&<]\s?.*$|\s+# .*$|\s*\\\n`)
)

// Every command in a page names a verb and flags that exist: asked for help, it does not complain.
func TestPagesNameRealCommands(t *testing.T) {
	count := 0
	for name := range guides(t) {
		page := readPage(t, name)
		for _, command := range commandsIn(page) {
			count++
			words := strings.Fields(quotedWords.ReplaceAllString(command, "words"))
			args := append(words[1:len(words):len(words)], "--help")
			var errs, out bytes.Buffer
			code := cli.Run(context.Background(), args, cli.Env{
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
				Getenv: func(string) string { return "" }, Dir: t.TempDir(),
			})
			usage := strings.Contains(out.String(), "  stemma "+words[1]) || strings.HasPrefix(words[1], "-")
			if code != 0 || !usage {
				t.Errorf("%s: %q: exit code %d: %s", name, command, code, errs.String())
			}
		}
	}
	if count < 100 {
		t.Errorf("%d commands in the pages, want at least 100", count)
	}
}

// commandsIn returns the commands in the blocks of a page and between its words.
func commandsIn(page string) []string {
	var out []string
	add := func(command string) { out = append(out, afterwards.ReplaceAllString(command, "")) }
	for _, block := range fences.FindAllString(page, -1) {
		block = strings.ReplaceAll(block, "\\\n", " ")
		for line := range strings.Lines(block) {
			if line = strings.TrimPrefix(strings.TrimSpace(line), "$ "); strings.HasPrefix(line, "stemma ") {
				add(line)
			}
		}
	}
	for _, m := range inlines.FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		add(m[1])
	}
	return out
}
