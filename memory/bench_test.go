package memory

import (
	"strings"
	"testing"
)

// words is a raw of 700 bytes, about what one turn of a conversation has.
func words() (Header, Body) {
	b := &Raw{Text: strings.Repeat("We ship on Fridays. ", 35), Source: "hook", Event: "turn"}
	return newScene(nil, someone(1)).header(someone(1), noon), b
}

func BenchmarkNew(b *testing.B) {
	h, body := words()
	b.ReportAllocs()
	for b.Loop() {
		_ = must(New(h, body))
	}
}

func BenchmarkDecode(b *testing.B) {
	raw := must(New(words())).Bytes
	b.ReportAllocs()
	for b.Loop() {
		_ = must(Decode(raw))
	}
}

func BenchmarkLoad(b *testing.B) {
	raw := must(New(words())).Bytes
	b.ReportAllocs()
	for b.Loop() {
		_ = must(Load(raw))
	}
}
