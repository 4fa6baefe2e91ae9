package markdown

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// frontOf reads the members between fences.
func frontOf(lines string) []Member {
	front, _ := Split("---\n" + lines + "---\n")
	return front.Members
}

func TestAMemberIsReadAsItIsWritten(t *testing.T) {
	plain := func(text string) Member { return Member{Name: "a", Text: text} }
	quoted := func(text string) Member { return Member{Name: "a", Text: text, Is: Quoted} }
	nested := func(text string) Member { return Member{Name: "a", Text: text, Is: Nested} }
	list := func(list ...string) Member { return Member{Name: "a", List: list, Is: Listed} }
	for lines, want := range map[string]Member{
		// texts, with comments behind them
		"a: b":                      plain("b"),
		"a:\tb":                     plain("b"),
		"a:":                        plain(""),
		"a: # b":                    plain(""),
		"a: b#c":                    plain("b#c"),
		"a: b # c":                  plain("b"),
		"a: b #c":                   plain("b"),
		"a: [b,c]":                  list("b", "c"),
		"a: it's # c":               plain("it's"),
		"a: b\n  c\n\td":            plain("b c d"),
		"a:\n\n":                    plain(""),
		"\"a\":b":                   plain("b"),
		"a: '":                      plain("'"),
		"a: \"b'":                   plain("\"b'"),
		"a: ''":                     quoted(""),
		"a: 'b\\' # c":              quoted("b\\"),
		"a: 'b # c'":                quoted("b # c"),
		"a: \"b \\\" # c\" # d":     quoted("b \" # c"),
		"a: \"\\n\" # d":            quoted("\n"),
		"a: \"b\\q\"":               quoted("b\\q"), // not JSON
		"a: |\n  b\n\n    c\n  d\n": quoted("b\n\n  c\nd"),
		"a: |\n- b\n  c":            quoted("- b\n  c"),
		"a: >\n    b\n  c":          quoted("  b c"),
		"a: |":                      quoted(""),
		// lists
		"a: []":                     list(),
		"a: [b]":                    list("b"),
		"a: [\"b, c\", d]":          list("b, c", "d"),
		"a: [b, \"c\"]":             list("b", "c"),
		"a: [b, \"c # d\"] # e":     list("b", "c # d"),
		"a: [b,\n  c,  d]  ":        list("b", "c", "d"),
		"a: [\"b\\\", c\", d]":      list("b\", c", "d"),
		"a: ['b\\', c]":             list("b\\", "c"),
		"a: [\"\\n\", c]":           list("\n", "c"),
		"a: [it's, b]":              list("it's", "b"),
		"a: [[[b, c]], {d, e}]":     list("[[b, c]]", "{d, e}"),
		"a: [b, , c]":               list("b", "c"),
		"a:\n- b":                   list("b"),
		"a:\n  - b\n\n  # c\n  - d": list("b", "d"),
		"a:\n-\n- b":                list("b"),
		"a:\n- 'b: c' # d":          list("b: c"),
		// deeper
		"a: [b":           nested("[b"),
		"a: [[b]":         nested("[[b]"),
		"a: [\"b]":        nested("[\"b]"),
		"a: {b: c}":       nested("{b: c}"),
		"a: &b c":         nested("&b c"),
		"a: *b":           nested("*b"),
		"a: !b c":         nested("!b c"),
		"a:\n  b":         nested("  b"),
		"a:\n  -b":        nested("  -b"),
		"a:\n- b: c":      nested("- b: c"),
		"a:\n- b\n- - c":  list("b", "- c"),
		"a:\n  b: c\n  d": nested("  b: c\n  d"),
	} {
		if got := frontOf(lines + "\n"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%q is %+v, want %+v", lines, got, want)
		}
	}
}

func TestWhatIsNoMemberIsLeftOut(t *testing.T) {
	for _, line := range []string{"", "  a: b", "\ta: b", "#a: b", "-a: b", "- a: b", "a", "a:b", ": a", "\"\": a",
		"\"a: b"} {
		if got := frontOf(line + "\nc: d\n"); len(got) != 1 || got[0].Name != "c" {
			t.Errorf("%q is %+v, want nothing beside c", line, got)
		}
	}
	if got := frontOf("a: b\n\nc: d\n"); len(got) != 2 || got[1].Name != "c" {
		t.Errorf("a blank line between members: %+v", got)
	}
}

// A front matter that does not end in time is text.
func TestAFrontMatterIsBounded(t *testing.T) {
	for at, want := range map[int]int{maxFront - 1: 1, maxFront: 0, maxFront + 1: 0} {
		file := "---\na: " + strings.Repeat("b", at-4) + "\n---\n"
		if front, _ := Split(file); len(front.Members) != want {
			t.Errorf("a fence at byte %d: %d members, want %d", at, len(front.Members), want)
		}
	}
	if maxFront != 65536 {
		t.Errorf("the bound is %d bytes", maxFront)
	}
	for file, want := range map[string]string{
		"---\na: b\n---":        "",
		"---\na: b\n... \nc":    "c",
		"---\t\r\na: b\n---\nc": "c",
		"---\n---\nc":           "c",
	} {
		if _, text := Split(file); text != want {
			t.Errorf("the text of %q is %q, want %q", file, text, want)
		}
	}
}

func TestAMemberIsATextOrAList(t *testing.T) {
	f := Front{Members: []Member{
		List("two", []string{"b", "c"}), List("one", []string{"b"}), List("none", nil), Text("text", "d, e ,,f"),
	}}
	for name, want := range map[string]struct {
		text string
		list []string
	}{
		"two": {"b", []string{"b", "c"}}, "ONE": {"b", []string{"b"}}, "none": {}, "absent": {},
		"Text": {"d, e ,,f", []string{"d", "e", "f"}},
	} {
		if text, list := f.Text(name), f.List(name); text != want.text || !slices.Equal(list, want.list) {
			t.Errorf("%s is %q and %q, want %q and %q", name, text, list, want.text, want.list)
		}
	}
}

// What a reader of YAML or of Markdown takes for something else stands in quotes.
func TestOnlyATextIsWrittenWithoutQuotes(t *testing.T) {
	for _, text := range []string{
		"a", "z", "A", "Z", "Zed", "abc z", "z9-_./:+ x", "a:b", "0", "9", "10", "0.5", "1.", "yesterday",
		"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z",
	} {
		if got := scalar(text); got != text {
			t.Errorf("%q is written %s", text, got)
		}
	}
	for _, text := range []string{
		"", " a", "a ", "a:", "a: b", "1a", "-a", "[", "{x", "`a", "@a", "é", "zé", "True", "NO", "null", "y",
		".", ".5", "1.2.3", "1..", "1,5", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04Z",
		"2026-01-02T03:04:0Z", "2026-01-0203T:04:05Z", "2026-01-0T203:04:05Z", "2026-01-02T03:04:05Y", "2026-01-02T03:04:0Z5",
		"2026-01-02T03:04:05xZ", "2026-01-02T03:04:05:", "a & b", "/1", ":1",
	} {
		if got, want := scalar(text), fmt.Sprintf("%q", text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"<b>": `"\u003cb>"`, "[a](b)": `"[a]\u0028b)"`, "![a": `"!\u005ba"`, "]: x": `"]\u003a x"`,
		"\u0085\u2028\u2029\u007f": `"\u0085\u2028\u2029\u007f"`, "a\xffb": "\"a\ufffdb\"",
	} {
		if got := scalar(text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}

func TestMembersThatSayNothingAreLeftOut(t *testing.T) {
	f := Front{Members: []Member{
		List("a", nil), Text("b", ""), {Name: "c", Text: "x", Is: Listed}, {Name: "d", List: []string{"x"}}, Text("e", "x"),
		List("f", []string{"", "x"}),
	}}
	if got, want := f.String(), "---\ne: x\nf:\n  - \"\"\n  - x\n---\n"; got != want {
		t.Errorf("written as %q, want %q", got, want)
	}
}

func TestCodeEndsWithItsFence(t *testing.T) {
	const text = "~~~\n[[a]] #a\n~~\n[[b]]\n```\n[[b]] #b\n~~~~\n[[c]] #c #c\n```go\n[[d]] #d\n  ```\n[[e]] #e `#f`"
	if got := Links(text); !slices.Equal(got, []string{"c", "e"}) {
		t.Errorf("links are %q", got)
	}
	if got := Tags(text); !slices.Equal(got, []string{"c", "e"}) {
		t.Errorf("tags are %q", got)
	}
	for target, want := range map[string]string{"a": "a", "/a.md": "a", "b/c/a": "a", "b/": "", "a.md.md": "a.md"} {
		if got := Base(target); got != want {
			t.Errorf("the base of %s is %q, want %q", target, got, want)
		}
	}
}

// A name has no more than 60 bytes, and no part of a letter.
func TestASlugIsBounded(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("a", 59):        strings.Repeat("a", 59),
		strings.Repeat("a", 60):        strings.Repeat("a", 59),
		strings.Repeat("a", 57) + " b": strings.Repeat("a", 57) + "-b",
		strings.Repeat("a", 58) + " b": strings.Repeat("a", 58) + "-b",
		strings.Repeat("a", 59) + " b": strings.Repeat("a", 59),
		strings.Repeat("a", 57) + "éb": strings.Repeat("a", 57) + "é",
		strings.Repeat("a", 58) + "é":  strings.Repeat("a", 58),
		" - a -- 1 ":                   "a-1",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}
