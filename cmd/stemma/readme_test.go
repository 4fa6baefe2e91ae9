package main

import "testing"

// README's commands run in an empty home, and print what it shows.
func TestReadme(t *testing.T) {
	if n := followPage(t, "../../README.md", false); n < 5 && !t.Failed() {
		t.Errorf("%d commands run in README, want at least 5", n)
	}
}
