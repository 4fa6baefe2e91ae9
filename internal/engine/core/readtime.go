package core

import (
	"strconv"
	"strings"
	"time"
)

var foreignLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

// Digits of the seconds and of the milliseconds since 1970, from 2001 to 2286: other
// numbers are a year, a day, or something else.
const (
	secondsDigits = 10
	milliDigits   = 13
)

// ReadTime reads times as other programs write them: RFC 3339, the same without a zone,
// which is taken as UTC, and the seconds or milliseconds since 1970. What is no time is none.
func ReadTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
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
	}
	return time.Time{}, false
}

func utc(t time.Time) (time.Time, bool) {
	if t.Year() < 1 || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return time.Time{}, false
	}
	return t.UTC(), true
}
