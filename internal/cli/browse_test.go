package cli

import (
	"strings"
	"testing"
)

// A walk begins at a ref only where nothing else can be meant.
func TestBegins(t *testing.T) {
	for line, want := range map[string]string{
		"":                     "",
		"belief:a04e":          "belief:a04e",
		"belief a04e":          "belief:a04e",
		"a04e81c0":             "a04e81c0",
		"cafe":                 "",
		"cache":                "",
		"slow API":             "",
		"http:80":              "",
		"belief: what we hold": "",
		"belief:xyz":           "",
	} {
		ref, words := begins(strings.Fields(line))
		if ref != want || want == "" && words != line {
			t.Errorf("begins(%q) = %q, %q, want %q", line, ref, words, want)
		}
	}
}
