package views

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for in, want := range map[string]string{
		"0s": "less than a minute", "59s": "less than a minute", "1m": "1 minute", "1m59s": "1 minute", "2m": "2 minutes",
		"1h": "1 hour", "90m": "90 minutes", "-25h": "1 day", "47h": "47 hours", "48h": "2 days", "26280h": "3 years",
		"2160h": "3 months", "336h": "2 weeks",
	} {
		d, err := time.ParseDuration(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := Span(d); got != want {
			t.Errorf("Span(%s) = %q, want %q", in, got, want)
		}
	}
}
