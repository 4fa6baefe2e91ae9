package when

import (
	"testing"
	"time"
)

// What other programs write is read; what is no time is none.
func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"2026-01-10T10:00:00.000Z":         "2026-01-10T10:00:00.000Z",
		"2025-03-02T09:04:00.123456-07:00": "2025-03-02T16:04:00.123Z",
		" 2025-03-03T10:00:00 ":            "2025-03-03T10:00:00.000Z",
		"2025-03-03 10:00:00":              "2025-03-03T10:00:00.000Z",
		"2025-03-03":                       "2025-03-03T00:00:00.000Z",
		"1767866400":                       "2026-01-08T10:00:00.000Z",
		"1767866400.25":                    "2026-01-08T10:00:00.250Z",
		"1767866400250":                    "2026-01-08T10:00:00.250Z",
		"2026":                             "",
		"20260108":                         "",
		"-1767866400":                      "",
		"1767866400.x":                     "",
		"0000-12-31T23:00:00-05:00":        "",
		"9999-12-31T23:00:00-05:00":        "",
		"yesterday":                        "",
		"":                                 "",
	} {
		at, ok := Parse(in)
		got := ""
		if ok {
			got = at.Format("2006-01-02T15:04:05.000") + "Z"
		}
		if got != want || ok && at.Location() != time.UTC || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", in, got, ok, want)
		}
	}
}

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
