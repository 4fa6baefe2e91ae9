package main

import (
	"os/user"
	"runtime"
	"testing"
)

// Without HOME the home is the one that the system has for this user, and with it what it says.
func TestHomeOfTheSystem(t *testing.T) {
	u, err := user.Current()
	if err != nil || runtime.GOOS == "windows" || homeOfUser() == "" {
		t.Skip("this user has no home here")
	}
	t.Setenv("HOME", "")
	if got := getenv("HOME"); got != u.HomeDir {
		t.Errorf("%q, want %q", got, u.HomeDir)
	}
	t.Setenv("HOME", "/elsewhere")
	if got := getenv("HOME"); got != "/elsewhere" {
		t.Errorf("%q, want what HOME says", got)
	}
	t.Setenv("XDG_DATA_HOME", "")
	if got := getenv("XDG_DATA_HOME"); got != "" {
		t.Errorf("%q for another variable", got)
	}
}
