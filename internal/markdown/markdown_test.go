package markdown

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFrontMatter(t *testing.T) {
	front, text := Split(
		"\ufeff---\r\ntitle: A: plain one # said so\r\n\"odd name\": x\ntags: [a, \"b, c\", [[d]], 'it''s'] # " +
			"none\nlist:\n- one\n  - \"two: 2\"\n# a comment\nfolded: >-\n  goes\n  on\nkept: |\n  line\n    " +
			"deeper\nlong: goes\n  on here\ndeep:\n  a: 1\n  b: 2\nquoted: \"x \\u00e9 # y\"\nempty:\nurl: " +
			"http://x/y#z\n---\nwords\n---\n",
	)
	if text != "words\n---\n" {
		t.Errorf("text = %q", text)
	}
	want := []Member{
		{Name: "title", Text: "A: plain one"}, {Name: "odd name", Text: "x"},
		{Name: "tags", List: []string{"a", "b, c", "[[d]]", "it's"}, Is: Listed},
		{Name: "list", List: []string{"one", "two: 2"}, Is: Listed},
		{Name: "folded", Text: "goes on", Is: Quoted}, {Name: "kept", Text: "line\n  deeper", Is: Quoted},
		{Name: "long", Text: "goes on here"}, {Name: "deep", Text: "  a: 1\n  b: 2", Is: Nested},
		{Name: "quoted", Text: "x é # y", Is: Quoted}, {Name: "empty"}, {Name: "url", Text: "http://x/y#z"},
	}
	if !reflect.DeepEqual(front.Members, want) {
		t.Errorf("members\n%+v, want\n%+v", front.Members, want)
	}
	for _, all := range []string{"", "words", "---", "---\nno end", "--- \nx", "----\n---\n", "\n---\na: b\n---\n"} {
		if front, text := Split(all); text != all || front.Members != nil {
			t.Errorf("Split(%q) = %+v, %q, want all of it text", all, front, text)
		}
	}
	if got := (Front{
		Members: []Member{Text("tags", "a, b,,c")},
	}).List("Tags"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("tags with commas: %q", got)
	}
}

// What is written is read again.
func TestFrontMatterComesBack(t *testing.T) {
	for _, s := range []string{
		"plain", "two words", "yes", "null", "2026-01-02T03:04:05.000Z", "0.8", "1.2.3", "a: b", "a:", "- a", "#a",
		"a #b", "[a]", "{a}", "\"", "'", "\\",
		"é", "line\nbreak", "tab\t", "\u2028", "\u0085", "[[a-b|c]]", "did:key:z6Mk", "---", " blank", "blank ", "*a",
		"&a", "!a", "%a", "@a", "`a`", "|", ">", "~", "?", "0x1f", "1e3",
	} {
		front, text := Split(Front{Members: []Member{Text("a", s), List("b", []string{s, "x", s})}}.String() + "text")
		if got := front.Text("a"); got != s || !slices.Equal(front.List("b"), []string{s, "x", s}) || text != "text" {
			t.Errorf("%q comes back as %q and %q", s, got, front.List("b"))
		}
	}
}

func TestLinksAndTags(t *testing.T) {
	text := "# Heading #one\n[[A]] [[B|shown]] [[C#part]] [[dir/D.md]] [[A]] ![[E.png]] `[[code]]` #two/deep " +
		"(#three) a#b #12 https://x/#no\n```\n[[code]] #code\n```\n[[ ]] [[x\ny]]"
	if got := Links(text); !slices.Equal(got, []string{"A", "B", "C", "dir/D.md", "E.png"}) {
		t.Errorf("links = %q", got)
	}
	if got := Tags(text); !slices.Equal(got, []string{"one", "two/deep", "three"}) {
		t.Errorf("tags = %q", got)
	}
	if got := Base("dir/D.md"); got != "D" {
		t.Errorf("Base = %q", got)
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"The API felt SLOW!": "the-api-felt-slow", "../../etc/passwd": "etc-passwd", "": "", "🙂": "", "e\u0301tude": "étude",
		"日本語": "日本語", "a\x00b": "a-b", strings.Repeat("word ", 40): strings.TrimSuffix(strings.Repeat("word-", 12), "-"),
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("---\na: b\nc: [d, e]\nf:\n  - g\n---\ntext")
	f.Add("---\na: |\n  b\n\"c\": 'd\n---\n")
	f.Fuzz(func(t *testing.T, s string) {
		front, text := Split(s)
		if !strings.HasSuffix(s, text) {
			t.Errorf("the text %q is not the end of %q", text, s)
		}
		_, _ = Links(text), Tags(text)
		if !utf8.ValidString(s) {
			return
		}
		for _, m := range front.Members {
			again, _ := Split(Front{Members: []Member{Text("a", m.Text), List("b", m.List)}}.String())
			if again.Text("a") != m.Text || m.List != nil && !slices.Equal(again.List("b"), m.List) {
				t.Errorf("%+v comes back as %+v", m, again)
			}
		}
		if slug := Slug(text); len(slug) > maxSlug || strings.ContainsAny(slug, `/\.: `) || !utf8.ValidString(slug) {
			t.Errorf("Slug = %q", slug)
		}
	})
}
