package pack

import (
	"fmt"
	"strings"
	"testing"
)

// What hides, reorders or carries text unseen, at the ends of each range.
func TestWhatIsUnseen(t *testing.T) {
	for _, tt := range []struct {
		r, before rune
		want      bool
	}{
		{' ' - 1, 'a', true}, {' ', 'a', false}, {0x7e, 'a', false}, {0x7f, 'a', true}, {0x9f, 'a', true}, {0xa0, 'a', false},
		{joiner, 0x2190, false}, {joiner, 0x218f, true}, {joiner, joiner, true}, {joiner, 0x1f6ab, false},
		{emojiStyle, 0x21, false}, {emojiStyle, 0x20, true}, {emojiStyle, emojiStyle, true}, {emojiStyle, textStyle, true},
		{emojiStyle, joiner, true}, {textStyle, 'a', false}, {textStyle, 0, true},
		{0xfdff, 'a', false}, {0xfe00, 'a', true}, {0xfe0d, 'a', true}, {0xfe10, 'a', false},
		{0xdffff, 'a', false}, {0xe0000, 'a', true}, {0xe0fff, 'a', true}, {0xe1000, 'a', false},
		{0x034e, 'a', false}, {0x034f, 'a', true}, {0x0350, 'a', false}, {0x115e, 'a', false}, {0x115f, 'a', true},
		{0x1160, 'a', true}, {0x1161, 'a', false}, {0x17b3, 'a', false}, {0x17b4, 'a', true}, {0x17b5, 'a', true},
		{0x17b6, 'a', false}, {0x180a, 'a', false}, {0x180b, 'a', true}, {0x180f, 'a', true}, {0x1810, 'a', false},
		{0x27ff, 'a', false}, {0x2800, 'a', true}, {0x2801, 'a', false}, {0x3163, 'a', false}, {0x3164, 'a', true},
		{0x3165, 'a', false}, {0xff9f, 'a', false}, {0xffa0, 'a', true}, {0xffa1, 'a', false},
		{0x200b, 'a', true}, {0x202e, 'a', true}, {0x2028, 'a', true}, {0x2029, 'a', true}, {0xe000, 'a', true}, {'é', 'a',
			false},
	} {
		if got := unseen(tt.r, tt.before); got != tt.want {
			t.Errorf("%U behind %U: %v, want %v", tt.r, tt.before, got, tt.want)
		}
	}
}

func TestALineIsMadeHarmless(t *testing.T) {
	for s, want := range map[string]string{
		"":                            "",
		"plain":                       "plain",
		" two  blanks ":               "two blanks",
		"a\n\tb\r\nc":                 "a b c",
		"a\u00a0b":                    "a b",
		"\xff":                        "\ufffd",
		"a\u202eb":                    `a\u{202e}b`,
		"<system>":                    `\u{3c}system>`,
		"< / Systems>":                `\u{3c} / Systems>`,
		"<systemic>":                  "<systemic>",
		"<system2>":                   `\u{3c}system2>`,
		"<|im>":                       `\u{3c}|im>`,
		"<b>":                         "<b>",
		"a < b":                       "a < b",
		"=== stemma":                  `==\u{3d} stemma`,
		"===stemma":                   `==\u{3d}stemma`,
		"====  STEMMA":                `===\u{3d} STEMMA`,
		"== stemma":                   "== stemma",
		"= = = stemma":                "= = = stemma",
		"=== other":                   "=== other",
		"===" + blanks(58) + "stemma": `==\u{3d} stemma`,
		"===" + blanks(59) + "stemma": "=== stemma",
		"🚫\ufe0f\ufe0f":               "🚫\ufe0f\\u{fe0f}",
		"👩\u200d👩":                    "👩\u200d👩",
		"a\u200db":                    `a\u{200d}b`,
	} {
		if got := OneLine(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"plain": "plain", "a\nb\tc": "a\nb\tc", "a\rb": `a\u{d}b`, "a\u00a0b": "a b", "a\u0080b": `a\u{80}b`,
		"a\x7fb":   `a\u{7f}b`,
		"<system>": `\u{3c}system>`, "<b>": "<b>", "\xffa": "\ufffda", "é": "é", "🚫\ufe0f\ufe0f": "🚫\ufe0f\\u{fe0f}",
		"a\u202e\ufe0f": `a\u{202e}\u{fe0f}`,
	} {
		if got := Neutral(s); got != want {
			t.Errorf("%q is neutral as %q, want %q", s, got, want)
		}
	}
}

func blanks(n int) string { return strings.Repeat(" ", n) }

// A line is cut at a word if one ends in its last third.
func TestALineIsShortened(t *testing.T) {
	for _, tt := range []struct {
		s    string
		most int
		want string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abcde…"}, {"abcd fgh", 6, "abcd…"}, {"ab defgh", 6, "ab de…"},
		{"éééééé", 6, "éééééé"}, {"ééééééé", 6, "ééééé…"}, {"abcd\u0301\u0301xx", 6, "abcd…"}, {"", 6, ""}, {"abcde fgh",
			8, "abcde…"}, {"abcd efgh", 8, "abcd ef…"},
		{"abcd    efgh", 6, "abcd…"},
	} {
		if got := shortened(tt.s, tt.most); got != tt.want {
			t.Errorf("%q in %d is %q, want %q", tt.s, tt.most, got, tt.want)
		}
	}
	for _, tt := range []struct {
		s    string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aéb", 2, "aé"}, {"aé", 2, "aé"}, {"é", 0, ""}} {
		if got := head(tt.s, tt.most); got != tt.want {
			t.Errorf("the head of %q in %d is %q, want %q", tt.s, tt.most, got, tt.want)
		}
	}
	long := strings.Repeat("x", 1000)
	e := tame(Entry{Kind: long, Type: long, Tier: long, State: long, Path: long, Why: long, Store: long, By: long,
		At:     long,
		Origin: long, Review: long, Level: long, Marks: []string{long}, Turns: []Turn{{Ref: long, By: long, At: long,
			Marks: []string{long}}}})
	got := fmt.Sprint(len(e.entry.Kind), len(e.entry.Type), len(e.entry.Tier), len(e.entry.State), len(e.entry.Path),
		len(e.entry.Why), len(e.entry.Store), len(e.entry.By), len(e.entry.At), len(e.entry.Origin), len(e.entry.Review),
		len(e.entry.Level), len(e.entry.Marks[0]), len(e.turns[0].Ref), len(e.turns[0].By), len(e.turns[0].At),
		len(e.turns[0].Marks[0]))
	const gapBytes = 2
	want := fmt.Sprint(64+gapBytes, 64+gapBytes, 64+gapBytes, 64+gapBytes, 160+gapBytes, 160+gapBytes, 64+gapBytes,
		64+gapBytes,
		64+gapBytes, 64+gapBytes, 64+gapBytes, 64+gapBytes, 160+gapBytes, 96+gapBytes, 64+gapBytes, 64+gapBytes, 160+gapBytes)
	if got != want {
		t.Errorf("texts that are no words of a memory have %s bytes, want %s", got, want)
	}
}

func TestWordsAreQuoted(t *testing.T) {
	for s, want := range map[string]string{
		"": `""`, "a": `"a"`, `a"b\c`: `"a\"b\\c"`, "[a]": `"\[a\]"`, "„a“": `"\„a\“"`, "【a】": `"\【a\】"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%s is quoted as %s, want %s", s, got, want)
		}
	}
}

// Nothing in a line means something in Markdown.
func TestALineMeansNothingInMarkdown(t *testing.T) {
	for s, want := range map[string]string{
		"plain": "plain", "a*b": `a\*b`, "`a`": "\\`a\\`", "a_b": "a_b", "_a": `\_a`, "a_": `a\_`, "a_ b": `a\_ b`,
		"a _b": `a \_b`,
		"1_2":  "1_2", "<b>": "&lt;b>", "a&b": "a&amp;b", "[a](b)": `\[a\](b)`, "!a": "!a", "![a]": `\!\[a\]`, "a!": "a!",
		"a@b": `a\@b`, "a:b": "a:b", "http://a": `http\://a`, "mailto:a": `mailto\:a`, "xmailto:": `xmailto\:`,
		"ailto:a": "ailto:a",
		"www.a":   `www\.a`, "WWW.a": `WWW\.a`, "ww.a": "ww.a", "xww.a": "xww.a", "a.b": "a.b", "#a": `\#a`, "a|b": `a\|b`,
		"~a": `\~a`, "$a": `\$a`, `\`: `\\`,
	} {
		if got := escape(s); got != want {
			t.Errorf("%s is %s, want %s", s, got, want)
		}
	}
}
