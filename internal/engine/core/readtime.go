package core

import (
	"strconv"
	"strings"
	"time"
)

var foreignLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	"2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999 Z0700",
	"2006-01-02 15:04:05.999999999 Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST", "20060102T150405Z0700",
	"2006/01/02 15:04:05", "2006/01/02 15:04", "2006/01/02",
	"Mon, 2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", time.ANSIC,
	"January 2, 2006 3:04 PM", "January 2, 2006", "Jan 2, 2006, 3:04:05 PM", "Jan 2, 2006",
}

// Digits of the seconds, milliseconds and microseconds since 1970, from 2001 to 2286: other
// numbers are a year, a day, or something else.
const (
	secondsDigits = 10
	milliDigits   = 13
	microDigits   = 16
)

// ReadTime reads times as other programs write them: RFC 3339, the same without a zone, which is
// taken as UTC, SQLite's, those of mails and of Notion, and the seconds, milliseconds or microseconds
// since 1970. What is no time is none.
func ReadTime(s string) (time.Time, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\u202f", " ") // as some write before PM
	if at := strings.LastIndex(s, " ("); at > 0 && strings.HasSuffix(s, ")") {
		s = s[:at] // a zone by its name, after its offset
	}
	if s == "" {
		return time.Time{}, false
	}
	for _, layout := range foreignLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return utc(t)
		}
	}
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, false
	}
	switch len(whole) {
	case secondsDigits:
		ms, _ := strconv.ParseFloat("0."+fraction+"0", 64) // digits only
		return time.UnixMilli(n*1000 + int64(ms*1000)).UTC(), true
	case milliDigits:
		return time.UnixMilli(n).UTC(), true
	case microDigits:
		return time.UnixMicro(n).UTC(), true
	}
	return time.Time{}, false
}

func utc(t time.Time) (time.Time, bool) {
	if t.Year() < 1 || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return time.Time{}, false
	}
	return t.UTC(), true
}
