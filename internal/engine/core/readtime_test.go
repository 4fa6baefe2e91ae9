package core

import (
	"testing"
	"time"
)

// What other programs write is read; what is no time is none.
func TestReadTime(t *testing.T) {
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
		at, ok := ReadTime(in)
		got := ""
		if ok {
			got = at.Format("2006-01-02T15:04:05.000") + "Z"
		}
		if got != want || ok && at.Location() != time.UTC || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", in, got, ok, want)
		}
	}
}
