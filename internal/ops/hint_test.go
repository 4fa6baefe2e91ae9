package ops

import (
	"slices"
	"strings"
	"testing"
)

func TestHintsReplacesOnlyOperationsAndMembers(t *testing.T) {
	say := func(h Hint) string {
		return "<" + h.Op + "|" + strings.Join(h.Args, " ") + ">"
	}
	for text, want := range map[string]string{
		"no hint":                              "no hint",
		"see `audit belief:a04e`":              "see <audit|belief:a04e>",
		"`doctor repair=true` mends it":        "<doctor|repair=true> mends it",
		"rejected; `force=true` approves":      "rejected; <|force=true> approves",
		"`force=true all=true` is two members": "`force=true all=true` is two members",
		"`recover_file a to=b`, `keys`":        "<recover_file|a to=b>, <keys|>",
		"`rm -rf x` is no operation":           "`rm -rf x` is no operation",
		"a single ` and `UPPER` and `` stay":   "a single ` and `UPPER` and `` stay",
	} {
		if got := Hints(text, say); got != want {
			t.Errorf("Hints(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMemberSplitsOnlyMembers(t *testing.T) {
	for arg, want := range map[string][]string{
		"repair=true": {"repair", "true"}, "belief:a04e": {"", "belief:a04e"}, "A=b": {"", "A=b"},
	} {
		name, value, _ := Member(arg)
		if got := []string{name, value}; !slices.Equal(got, want) {
			t.Errorf("Member(%q) = %q, want %q", arg, got, want)
		}
	}
}
