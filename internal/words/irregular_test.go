package words

import (
	"slices"
	"testing"
)

// Forms that no rule brings together are one term, in questions and in texts.
func TestIrregularForms(t *testing.T) {
	for _, forms := range [][]string{
		{"go", "goes", "going", "went", "gone"}, {"child", "children", "child's"}, {"teach", "taught", "teaching"},
		{"person", "people"}, {"index", "indices"}, {"Women", "woman"},
	} {
		for _, f := range forms[1:] {
			if got, want := Terms(f), Terms(forms[0]); !slices.Equal(got, want) {
				t.Errorf("Terms(%q) = %q, want %q as of %q", f, got, want, forms[0])
			}
		}
	}
	if got := Terms("left"); got[0] == Terms("leave")[0] {
		t.Errorf("left is %q; it may be a side", got)
	}
}
