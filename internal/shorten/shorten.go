// Package shorten returns shorter forms of texts. Every room needs it, and the client too:
// so it is by itself and imports nothing.
package shorten

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// To returns at most n bytes of s, ending between two characters.
func To(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Words returns at most n bytes of s, and ends after a whole word if half of them or more are whole words.
func Words(s string, n int) string {
	part := To(s, n)
	if len(part) < len(s) && strings.TrimLeftFunc(s[len(part):], unicode.IsSpace) == s[len(part):] {
		if at := strings.LastIndexFunc(part, unicode.IsSpace); at > n/2 {
			part = part[:at]
		}
	}
	return strings.TrimRightFunc(part, unicode.IsSpace)
}

// FirstLine returns the first line of s that is not blank, trimmed.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// Age says how long something is: in days, or in hours and less where it is less than a day.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d > 0 && d < day:
		text := d.Round(time.Microsecond).String()
		if t, ok := strings.CutSuffix(text, "m0s"); ok {
			text = t + "m"
		}
		if t, ok := strings.CutSuffix(text, "h0m"); ok {
			text = t + "h"
		}
		return text
	case d == day:
		return "1 day"
	}
	return strconv.FormatFloat(float64(d.Round(time.Minute))/float64(day), 'g', 6, 64) + " days"
}
