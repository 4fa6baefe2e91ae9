package media

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// png is a picture of n bytes.
func png(n int) string {
	return base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, n-8)...))
}

// lines puts text into lines of n characters.
func lines(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return b.String() + s
}

func TestPicturesInTextsAreNamed(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"nothing", "nothing"},
		{"see data:image/png;base64," + png(34_000) + ".", "see [image/png, 34 kB]."},
		{"![x](data:image/png;base64," + png(68) + ")", "![x]([image/png, 68 bytes])"},
		{"data:audio/wav;rate=8;base64," + png(100), "[audio/wav, 100 bytes]"},
		{"DATA:IMAGE/PNG;BASE64," + png(100), "[image/png, 100 bytes]"},
		{"$ base64 a.png\n" + lines(png(2000), 76) + "\n$ ", "$ base64 a.png\n[image/png, 2 kB]\n$ "},
		{`{"a":"\n` + png(2_500_000) + `\n"}`, `{"a":"\n[image/png, 2.5 MB]\n"}`},
		{"R0lGODlh" + strings.Repeat("A", 100), "[image/gif, 81 bytes]"},
		{"data:text/plain;base64,aGVsbG8gd29ybGQgaGVsbG8=", "data:text/plain;base64,aGVsbG8gd29ybGQgaGVsbG8="},
		{"data:image/svg+xml,%3Csvg/%3E", "data:image/svg+xml,%3Csvg/%3E"},
		{"data: image/png;base64, is how it begins", "data: image/png;base64, is how it begins"},
		{"a PNG begins with iVBORw0KGgo in base64", "a PNG begins with iVBORw0KGgo in base64"},
		{"src/9j/4/index.go", "src/9j/4/index.go"},
	} {
		if got := Named(tt.text); got != tt.want {
			t.Errorf("Named(%.60q) = %.200q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestObjectsWithPicturesAreNamed(t *testing.T) {
	p, text := png(34_000), func(s string) string { return `{"text":"` + s + `","type":"text"}` }
	for _, tt := range []struct{ raw, want string }{
		{`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + p + `"}}]`,
			"[" + text("[image/png, 34 kB]") + "]"},
		{`{"type":"image","file":{"base64":"` + p + `","type":"image/png","originalSize":34000}}`,
			text("[image/png, 34 kB]")},
		{`{"type":"image","data":"` + p + `","mimeType":"image/png"}`, text("[image/png, 34 kB]")},
		{`{"type":"audio","data":"` + strings.Repeat("A", 4000) + `","mimeType":"audio/mpeg"}`, text("[audio/mpeg, 3 kB]")},
		{`{"type":"resource","resource":{"uri":"file:///a.bin","blob":"` + strings.Repeat("A", 4000) + `"}}`,
			text("[file, 3 kB] file:///a.bin")},
		{`{"type":"resource","resource":{"uri":"file:///a.txt","text":"words"}}`,
			`{"type":"resource","resource":{"uri":"file:///a.txt","text":"words"}}`},
		{`{"inlineData":{"mimeType":"image/png","data":"` + p + `"}}`, text("[image/png, 34 kB]")},
		{`{"text":"see","inlineData":{"mimeType":"image/png","data":"` + p + `"}}`,
			`{"inlineData":` + text("[image/png, 34 kB]") + `,"text":"see"}`},
		{`{"type":"input_image","image_url":"data:image/png;base64,` + p + `"}`, text("[image/png, 34 kB]")},
		{`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + p + `"}}`, text("[image/png, 34 kB]")},
		{`{"type":"input_audio","input_audio":{"data":"` + strings.Repeat("A", 4000) + `","format":"wav"}}`,
			text("[wav, 3 kB]")},
		{`{"stdout":"data:image/png;base64,` + p + `","isImage":true}`, `{"isImage":true,"stdout":"[image/png, 34 kB]"}`},
		{`"[{\"type\":\"image\",\"data\":\"` + p + `\",\"mimeType\":\"image/png\"}]"`,
			`"[{\"text\":\"[image/png, 34 kB]\",\"type\":\"text\"}]"`},
		{`{"data":"abcdefghijklmnopqrstuvwxyz","n":12345678901234567890}`,
			`{"data":"abcdefghijklmnopqrstuvwxyz","n":12345678901234567890}`},
		{`{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`,
			`{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`},
		{`no JSON "data"`, `no JSON "data"`},
	} {
		if got := string(In(json.RawMessage(tt.raw))); got != tt.want {
			t.Errorf("In(%.80s) = %.200s, want %s", tt.raw, got, tt.want)
		}
	}
}

func TestLongTextsTakeTimeInProportion(t *testing.T) {
	for _, unit := range []string{
		"data:", "data:a;base64,", "data:image/png;base64,", "iVBORw0KGgo", "/9j/4", "/9j/4\n", "R0lGODlh ", "A",
	} {
		text := strings.Repeat(unit, 1<<20/len(unit)) + ";base64,"
		begin := time.Now()
		Named(text)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%q again and again: %v", unit, took)
		}
	}
}
