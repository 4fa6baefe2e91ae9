package extract

import (
	"slices"
	"testing"
	"time"
)

// A list is kept whole where an item says nothing alone; items that do are memories of their own.
func TestListsAreKept(t *testing.T) {
	for text, want := range map[string][]string{
		"The deploy order is fixed:\n\n1. database\n2. api\n\nNobody deploys on Friday.": {
			"The deploy order is fixed: 1. database 2. api Nobody deploys on Friday.",
		},
		"Release steps:\r\n- build the wheel\r\n- sign it": {"Release steps: - build the wheel - sign it"},
		"We decided for the release:\n- tag first\n- freeze main": {
			"We decided for the release: - tag first - freeze main",
		},
		"- milk\n- eggs": {"- milk - eggs"},
		"- Orders are kept in PostgreSQL\n- Builds are made with Bazel": {
			"Orders are kept in PostgreSQL", "Builds are made with Bazel",
		},
	} {
		var got []string
		for _, d := range Kept("", text, time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)) {
			got = append(got, d.Text)
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q is not among %q", text, w, got)
			}
		}
		for _, g := range got {
			if slices.Contains([]string{"The deploy order is fixed", "We decided for the release", "sign it", "milk"}, g) {
				t.Errorf("%q: %q says nothing alone", text, g)
			}
		}
	}
}
