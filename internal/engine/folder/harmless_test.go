package folder

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

// hostile are words that would be more than words in a program that shows Markdown.
var hostile = []string{
	`<script>alert(1)</script>`, `\<script>alert(1)</script>`, `\\<b onclick=x>`, `\\\<img src=x onerror=x>`,
	"<div\nonclick=x>\n\ntext", "<!-- a comment -->", "<?php ?>", "<!DOCTYPE html>", "<![CDATA[ x ]]>", "</p>",
	"   <pre>\nx",
	"<javascript:alert(1)>", "<https://example.org>", "<a@example.org>", "<A HREF=x>", "<x-y />",
	`[a](javascript:alert(1))`, `[a](JaVaScRiPt:alert(1))`, `[a]( javascript:x)`, "[a](\njavascript:x)",
	`[a](<javascript:x>)`,
	`[a](&#106;avascript:x)`, `[a](java&Tab;script:x)`, `[a](&#x6A&#x61;vascript:x)`, `[a](\j\a\vascript:x)`,
	"[a](java\tscript:x)",
	`[a](data:text/html;base64,PHNjcmlwdD4=)`, `[a](vbscript:x)`, `[a](file:///etc/passwd)`, `[a](//evil.example)`,
	`[a](relative.md)`,
	`\[a](javascript:x)`, `\\[a](javascript:x)`, `[a\](javascript:x)`, `[a]\(javascript:x)`, `[a\\](javascript:x)`,
	`[[a]](javascript:x)`,
	"[a]: javascript:x\n\n[a] [b][a] [a][]", "[a]:\n  javascript:x\n\n[a]", "   [a]: <javascript:x> 'title'\n\n[a]",
	"> [a]: data:x\n\n[a]",
	"[a\nb]: javascript:x\n\n[a b]", "[a\\]]: javascript:x\n\n[a\\]]", "- [a]:javascript:x\n- [a]",
	"[a]: &#106;avascript:x\n\n[a]",
	`![a](https://example.org/track.png)`, `![a](data:image/svg+xml,x)`, "![a]\n\n[a]: https://example.org/x.png",
	`!\[a](https://example.org/x.png)`,
	`[![a](https://example.org/x.png)](javascript:x)`, `![[a](javascript:x)](javascript:x)`,
	"![a][b]\n\n[b]: javascript:x",
	"`<b>` and `` [a](javascript:x) `` and ```\n<i>\n```", "```html\n<script>\n[a](javascript:x)\n```",
	"    <b>\n    [a](data:x)",
	"` <b onclick=x> ", "*<b>*", "**[a](javascript:x)**", "| <b> | [a](javascript:x) |\n|---|---|", "# <h1>",
	"<h1>\n===", "> <b>", "1. <b>",
	"\\", "\\\\", "]", "](", "]:", "![", "<", "<a", "<a\\", "]\\", "!\\", "é<é>", "<é>", "a < b", "x <= y", "<3",
	"<-", "List<int>",
	"[ok](https://example.org/a_(b))", "[ok]: https://example.org\n\n[ok]", "[1]: see there", "\\]\\(x", "]\\\\(x",
	"!\\\\[x",
}

// dangerous returns what a program that shows a text as Markdown would make of it beyond
// what the words may have: paragraphs, lists, emphasis, code and links to the web.
func dangerous(t *testing.T, m goldmark.Markdown, source string) (found []string) {
	t.Helper()
	web := func(to []byte) bool {
		to2 := strings.ToLower(string(to))
		return strings.HasPrefix(to2, "https://") || strings.HasPrefix(to2, "http://")
	}
	err := ast.Walk(m.Parser().Parse(
		text.NewReader([]byte(source)),
	), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Image:
			found = append(found, n.Kind().String())
		case *ast.AutoLink:
			if to := n.URL([]byte(source)); !web(to) && n.AutoLinkType != ast.AutoLinkEmail {
				found = append(found, "autolink "+string(to))
			}
		case *ast.Link:
			if !web(n.Destination) {
				found = append(found, "link "+string(n.Destination))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// renderers are those of CommonMark, and of what GitHub makes of it.
func renderers() map[string]goldmark.Markdown {
	return map[string]goldmark.Markdown{
		"CommonMark": goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())),
		"GitHub":     goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())),
	}
}

// Words are no raw HTML, no picture and no link but to the web, and come back as they were.
func TestWordsAreHarmlessInMarkdown(t *testing.T) {
	for name, m := range renderers() {
		before := 0
		for _, words := range hostile {
			if len(dangerous(t, m, words)) > 0 {
				before++
			}
			if found := dangerous(t, m, harmless(words)); len(found) > 0 {
				t.Errorf("%s: %q became %q, with %q", name, words, harmless(words), found)
			}
			if back := harmful(harmless(words)); back != words {
				t.Errorf("%q comes back as %q", words, back)
			}
		}
		if before < len(hostile)/2 {
			t.Errorf("%s: %d of %d texts are hostile: the test tries too little", name, before, len(hostile))
		}
	}
	for words, want := range map[string]string{ // what needs nothing stays as it is
		"a < b, x <= y, <3": "a < b, x <= y, <3", "[ok](https://example.org)": "[ok](https://example.org)",
		"List<int>": `List\<int>`, "[a](b)": `[a]\(b)`, `\<b>`: `\\\<b>`,
	} {
		if got := harmless(words); got != want {
			t.Errorf("%q became %q, want %q", words, got, want)
		}
	}
	// by a person
	for typed, want := range map[string]string{"<b>": "<b>", "[a](b)": "[a](b)", `\<b>`: "<b>", `\\<b>`: `\<b>`} {
		if got := harmful(typed); got != want {
			t.Errorf("%q is read as %q, want %q", typed, got, want)
		}
	}
}

func FuzzHarmless(f *testing.F) {
	for _, words := range hostile {
		f.Add(words)
	}
	all := renderers()
	f.Fuzz(func(t *testing.T, words string) {
		if back := harmful(harmless(words)); back != words {
			t.Errorf("%q comes back as %q", words, back)
		}
		for name, m := range all {
			if found := dangerous(t, m, harmless(words)); len(found) > 0 {
				t.Errorf("%s: %q became %q, with %q", name, words, harmless(words), found)
			}
		}
	})
}

// A whole folder of hostile words has no such thing in any file, front matters
// included, and brings the words back byte for byte.
func TestMarkdownFolderIsHarmless(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	config := core.Config{KeyDir: t.TempDir() + "/keys"}
	config.Fill()
	c := &core.Core{Common: &core.Common{}, Store: memstore.Open(config.Now), C: config}
	tr := trust.New(c, &trust.Scored{})
	j := receipts.New(&receipts.Noted{}, tr)
	s := standing.New(j, tr)
	v := views.New(j, s, tr)
	l := lifecycle.New(j, s, tr, v)
	e := New(intake.New(l, j, s, tr, v), l, tr, v)
	for _, words := range hostile {
		tag := strings.TrimLeft(shorten.To(strings.Join(strings.Fields(words), " "), 60), "# ")
		if tag == "" {
			continue
		}
		if _, err := e.lifecycle.Capture(
			ctx, api.CaptureRequest{Text: words, Meta: api.Meta{Tags: []string{tag}, Session: tag}},
		); err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		if _, err := e.lifecycle.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "episode", Text: "Try " + words,
			Outcome: words, OutcomeType: "success",
			Lessons: []string{words, "and " + words}}, Meta: api.Meta{Tags: []string{tag}, About: []string{tag}}}); err != nil {
			t.Fatalf("%q: %v", words, err)
		}
	}
	reply, err := e.ExportMarkdown(ctx, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	if err != nil || len(files) != reply.Files || len(files) < len(hostile) {
		t.Fatalf("%d files of %d, %v", len(files), reply.Files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range renderers() {
			if found := dangerous(t, m, string(content)); len(found) > 0 {
				t.Errorf("%s: %q in\n%s", name, found, content)
			}
		}
		front, words := markdown.Split(string(content))
		it, err := e.Lookup(ctx, front.Text(frontRef))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		want := tidied(core.DraftOf(it.Record.Body))
		if got := readText(core.DraftOf(it.Record.Body), words); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v comes back as %+v from\n%s", want, got, content)
		}
		if got := front.List(frontTags); !slices.Equal(got, it.Record.Header.Tags) {
			t.Errorf("the tags %q come back as %q", it.Record.Header.Tags, got)
		}
		if !fileSays(it.Record, front, words) {
			t.Errorf("%s is taken for a changed file", file)
		}
	}
}

// A file that a version before wrote, without backslashes, is no changed file.
func TestFilesOfBeforeAreUnchanged(t *testing.T) {
	for _, words := range hostile {
		r := &memory.Record{Body: &memory.Raw{Text: words, Source: "cli"}}
		d := core.DraftOf(r.Body)
		if !fileSays(r, markdown.Front{}, layOutWith(d, func(s string) string { return s })) {
			t.Errorf("%q is taken for changed", words)
		}
	}
}
