// Package when reads times as other programs write them.
package when

import (
	"strconv"
	"strings"
	"time"
)

var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

// Digits of the seconds and of the milliseconds since 1970, from 2001 to 2286: other
// numbers are a year, a day, or something else.
const (
	secondsDigits = 10
	milliDigits   = 13
)

// Parse reads RFC 3339, the same without a zone, which is taken as UTC, and the seconds
// or milliseconds since 1970. What is no time is none.
func Parse(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return fit(t)
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

func fit(t time.Time) (time.Time, bool) {
	if t.Year() < 1 || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// Units of a span, the greatest first. A month is 30 days and a year 365.
var units = []struct {
	long time.Duration
	name string
}{
	{365 * day, "year"}, {30 * day, "month"}, {7 * day, "week"}, {day, "day"}, {time.Hour, "hour"},
	{time.Minute, "minute"},
}

const day = 24 * time.Hour

// Span says how long something took as a person would: "3 days", "2 years". It counts whole
// units of the greatest kind of which there are two, or about one.
func Span(d time.Duration) string {
	d = d.Abs()
	for _, u := range units {
		switch n := d / u.long; {
		case n == 1 && (d < u.long+u.long/10 || u.long == time.Minute):
			return "1 " + u.name
		case n > 1:
			return strconv.FormatInt(int64(n), 10) + " " + u.name + "s"
		}
	}
	return "less than a minute"
}
