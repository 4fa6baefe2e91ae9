package views

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// How far a goal is stays whole among its marks.
func TestProgressIsWhole(t *testing.T) {
	far := strings.Repeat("another mile of it is done, ", 10) + "\nand the last one comes in May"
	got := CourseWords(api.Course{Status: "active", Progress: far})
	if !strings.HasSuffix(got, "is done, and the last one comes in May") {
		t.Errorf("%q", got)
	}
}
