package recall

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPassages(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		sizes      []int
	}{
		{"none", " ", []int{0}},
		{"short", "a word", []int{6}},
		{"one", strings.Repeat("word ", 200), []int{999}},
		{"words", strings.Repeat("word ", 201), []int{849, 154}},
		{"sentences", strings.Repeat("word word. ", 100), []int{846, 252}},
		{"paragraphs", strings.Repeat("w. ", 220) + "\n" + strings.Repeat("w. ", 150), []int{659, 449}},
		{"a paragraph that ends too early", strings.Repeat("w. ", 100) + "\n" + strings.Repeat("w. ", 250), []int{849, 200}},
		{"one word", strings.Repeat("x", 2000), []int{850, 850, 300}},
		{"long", strings.Repeat("word ", 1<<18), slices.Repeat([]int{849}, 16)},
	} {
		var sizes []int
		for _, one := range passages(tt.text) {
			sizes = append(sizes, len(one))
		}
		if !slices.Equal(sizes, tt.sizes) {
			t.Errorf("%s: passages of %v bytes, want %v", tt.name, sizes, tt.sizes)
		}
	}
	text := strings.Repeat("文字", 300) + "\xff" + strings.Repeat("é", 300)
	if got := passages(text); strings.Join(got, "") != text || !utf8.ValidString(got[0]) {
		t.Errorf("%q is not the text", got)
	}
}
