package extract

import (
	"testing"
	"time"
)

// What stands where a name could, and is none.
func TestNoNames(t *testing.T) {
	for _, text := range []string{
		"We celebrated the birthday with a concert", "Gina built a new website for customers to make orders",
		"We made great memories",
	} {
		entities, _ := RememberBy("Ann", text, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
		for _, e := range entities {
			if e.Name == "We" || e.Name == "make" {
				t.Errorf("%q names %+v", text, e)
			}
		}
	}
}
