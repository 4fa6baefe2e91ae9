package shorten

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTo(t *testing.T) {
	const s = "aé🙂e\u0301z" // 1, 2, 4, 1+2 and 1 bytes
	for n, want := range []string{"", "a", "a", "aé", "aé", "aé", "aé", "aé🙂", "aé🙂e", "aé🙂e", "aé🙂e\u0301", s, s} {
		got := To(s, n)
		if got != want || !utf8.ValidString(got) {
			t.Errorf("To(%d) = %q, want %q", n, got, want)
		}
	}
	if got := To("\x80\x80", 1); got != "" {
		t.Errorf("of no character To has %q", got)
	}
	if got := To(s, -1); got != "" {
		t.Errorf("To(-1) = %q", got)
	}
}

func TestFirstLine(t *testing.T) {
	for in, want := range map[string]string{"": "", " \n\t": "", "a": "a", "\n \r\n b \nc": "b"} {
		if got := FirstLine(in); got != want {
			t.Errorf("FirstLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzTo(f *testing.F) {
	f.Add("naïve", 3)
	f.Add("\xff\xff\x80", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 0 {
			return
		}
		got := To(text, most)
		if len(got) > most || !strings.HasPrefix(text, got) || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("To(%q, %d) = %q", text, most, got)
		}
	})
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		of   string
		most int
		want string
	}{
		{"short", 9, "short"},
		{"the support group meets", 12, "the support"}, // within a word
		{"the support group meets", 11, "the support"}, // after one
		{"the support group meets", 13, "the support"},
		{"a incomprehensibilities", 12, "a incomprehe"}, // most of it is one word
		{"支持小组在星期五聚会", 10, "支持小"},
		{"ends in space   ", 15, "ends in space"},
		{"", 3, ""},
	} {
		if got := Words(c.of, c.most); got != c.want {
			t.Errorf("Words(%q, %d) = %q, want %q", c.of, c.most, got, c.want)
		}
	}
}
