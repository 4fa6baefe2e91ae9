package importers

import (
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// A text is read as what it says, however it is written, and how is told where it is not UTF-8.
func TestDecoded(t *testing.T) {
	const text = "{\"a\":\"Zoë 😀 said: ja\"}\n"
	wide := func(big bool) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(text)) {
			if low, high := byte(u), byte(u>>8); big {
				b.Write([]byte{high, low})
			} else {
				b.Write([]byte{low, high})
			}
		}
		return b.String()
	}
	for name, tt := range map[string]struct{ bytes, want, said string }{
		"plain":              {text, text, ""},
		"UTF-8 with a mark":  {"\ufeff" + text, text, ""},
		"UTF-16LE":           {"\xff\xfe" + wide(false), text, saidUTF16},
		"UTF-16BE":           {"\xfe\xff" + wide(true), text, saidUTF16},
		"UTF-16, no mark":    {wide(false), text, saidUTF16},
		"UTF-16BE, no mark":  {wide(true), text, saidUTF16},
		"Latin-1":            {"Zo\xeb said: \x93ja\x94", "Zoë said: “ja”", saidLatin},
		"long":               {strings.Repeat("ä😀", 50_000), strings.Repeat("ä😀", 50_000), ""},
		"long, and cut":      {strings.Repeat("ä", 50_000) + "\xc3", strings.Repeat("ä", 50_000) + "Ã", saidLatin},
		"nothing":            {"", "", ""},
		"one byte of UTF-16": {"\xff\xfe\x41", "", saidUTF16},
	} {
		said := ""
		got, err := io.ReadAll(decoded(strings.NewReader(tt.bytes), longBuffer, func(how string) { said += how }))
		if err != nil || string(got) != tt.want || said != tt.said {
			t.Errorf("%s: %.60q as %q, %v; want %.60q as %q", name, got, said, err, tt.want, tt.said)
		}
	}
}
