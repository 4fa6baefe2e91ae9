package words

import (
	"strings"
	"testing"
)

// A name of several parts is found whole and by each part: at dots, then at dashes and underscores, then at humps.
func TestNestedNamesAreTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"userIDs":                 "userids user id",
		"HTTPServer2Go":           "httpserver2go http server2 go",
		"v1.2.3":                  "123 1 2 3",
		"v1":                      "v1",
		"v.1":                     "v1 v 1",
		"x1.2":                    "x12 x1 2",
		"foo.bar_baz-qux":         "foobarbazqux foo barbazqux bar baz qux",
		"a.bC_d":                  "abcd a bcd bc b c d",
		"a_b.c_d":                 "abcd ab a b cd c d",
		"fooBar.bazQux":           "foobarbazqux foobar foo bar bazqux baz qux",
		"std::fooBar":             "stdfoobar std foobar foo bar",
		"a:b":                     "ab a b",
		"x.yZ":                    "xyz x yz y z",
		"foo.barBaz_quxQuux":      "foobarbazquxquux foo barbazquxquux barbaz bar baz quxquux qux quux",
		"get_userID.name-of":      "getuseridnameof getuserid get userid user id nameof name of",
		"parseHTTP2Server.openIt": "parsehttp2serveropenit parsehttp2server pars http2 server openit open it",
		"a__b":                    "ab a b",
		"__init__":                "init",
		"a-":                      "a",
		"a.b.":                    "ab a b",
	} {
		if got := strings.Join(Terms(text), " "); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// Three letters behind an apostrophe are a word; one or two are written together, unless they are an English ending.
func TestWhatStandsBehindAnApostrophe(t *testing.T) {
	for text, want := range map[string]string{
		"don't": "dont", "a'b": "ab", "a'bc": "abc", "a'bcd": "abcd a bcd", "l'eau": "leau l eau", "she'll": "she",
		"we're": "we", "we've": "we", "it'd": "it", "I'm": "i", "Ann's": "ann", "Ann’s": "ann",
		"rock'n'roll": "rocknroll rockn roll",
		"dogs' house": "dog hous", "'tis": "tis",
	} {
		if got := strings.Join(Terms(text), " "); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestWhichMarksAreOverALetter(t *testing.T) {
	for _, block := range [][2]rune{{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20,
		0xfe2f}} {
		for r, want := range map[rune]bool{block[0] - 1: false, block[0]: true, block[1]: true, block[1] + 1: false} {
			if got := isMark(r); got != want {
				t.Errorf("%U is a mark: %v", r, got)
			}
		}
	}
	if !isMark(0xfe0f) || isMark('a') {
		t.Error("a variation selector is no mark, or a letter is one")
	}
}

func TestWhichLettersNeedNoSpaces(t *testing.T) {
	for r, want := range map[rune]bool{
		'a': false, 'я': false, '\u0dff': false, 'ก': true, 'ຂ': true, 'ក': true, 'က': true, '一': true, '\u9fff': true,
		'\u4dff': false, '가': true, '힣': true, '\ud7a4': false, 'あ': true, 'ア': true, '〇': true, 'ー': true, '、': false,
		'㐀':      true,
		'\ua000': false,
	} {
		if got := isSpaceless(r); got != want {
			t.Errorf("%U (%c): %v, want %v", r, r, got, want)
		}
	}
}
