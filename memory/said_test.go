package memory

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

func TestSaid(t *testing.T) {
	noise := make([]byte, 4096)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for blob, want := range map[string]string{
		"caf\xe9 \x80":                      "café €",
		"caf\xe9 du port\r\n":               "café du port",
		"\x93quoted\x94 \x96 na\xefve":      "“quoted” – naïve",
		"héllo w\xf6rld":                    "héllo wörld",
		"one\x00two\x00":                    "one two",
		"\xff\xfec\x00a\x00f\x00\xe9\x00":   "café",
		"\xfe\xff\x00c\x00a\x00f\x00\xe9":   "café",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIH": "",
		string(noise):                       "",
		"\xff":                              "ÿ",
		"\xff\xfe":                          "",
		"\x81\x8d":                          "",
	} {
		raw := &Raw{Base64: base64.StdEncoding.EncodeToString([]byte(blob))}
		if got := raw.Said(); got != want {
			t.Errorf("%.40q: %q, want %q", blob, got, want)
		}
		if string(raw.Blob()) != blob {
			t.Errorf("%.40q is not what was captured", blob)
		}
		if h := raw.headline(); h == "" || !utf8.ValidString(h) || !utf8.ValidString(raw.words()) {
			t.Errorf("%.40q: headline %q, words %q", blob, h, raw.words())
		}
	}
	if got := (&Raw{Text: " as it is\n"}).Said(); got != " as it is\n" {
		t.Errorf("text becomes %q", got)
	}
	if len(windowsHigh) != 32 {
		t.Errorf("%d characters from 0x80 to 0x9f", len(windowsHigh))
	}
}
