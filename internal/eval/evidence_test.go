package eval

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

func TestNames(t *testing.T) {
	for in, want := range map[string][]string{
		"":                nil,
		"D":               nil,
		"the second talk": nil,
		"D1:3":            {"D1:3"},
		"D8:6; D9:17":     {"D8:6", "D9:17"},
		"D1:1 D1:2":       {"D1:1", "D1:2"},
		"(D1:1,D2:2)":     {"D1:1", "D2:2"},
		"D:11:26":         {"D11:26"},
		"D30:05":          {"D30:5"},
	} {
		if got := names(in); !slices.Equal(got, want) {
			t.Errorf("names(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCitedGivesTurnsThatExistOnce(t *testing.T) {
	var turns []api.Foreign
	for _, id := range []string{"D1:1", "D1:02", "D2:1", "opening"} {
		turns = append(turns, api.Foreign{Alias: []string{"locomo:a:" + id}})
	}
	known := knownTurns("a", turns)
	for _, tt := range []struct{ evidence, want []string }{
		{nil, nil},
		{[]string{"D9:9", "D"}, nil},
		{[]string{"D1:1", "D1:1"}, []string{"locomo:a:D1:1"}},
		{[]string{"D2:1 D1:1; D2:01"}, []string{"locomo:a:D2:1", "locomo:a:D1:1"}},
		{[]string{"D1:2", "D1:02"}, []string{"locomo:a:D1:02"}},
		{[]string{"opening", "D1:3"}, []string{"locomo:a:opening"}},
	} {
		if got := known.cited(tt.evidence); !slices.Equal(got, tt.want) {
			t.Errorf("cited(%q) = %q, want %q", tt.evidence, got, tt.want)
		}
	}
}
