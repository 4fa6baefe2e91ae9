package core

import (
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// AsOf is the field of a time up to which a reader looks: a day counts to its end.
const AsOf = "as_of"

// When reads a time that a reader asks by: RFC 3339, how long ago (72h, 3d, 2 weeks ago), a day of theirs, today,
// yesterday, or a day of the last week by its name. What names no zone is in the reader's, as the days are that they
// are shown; "" is the zero time.
func When(field, text string, now time.Time, zone *time.Location) (memory.Time, error) {
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return memory.At(now.Add(-ago)), nil
	}
	if zone == nil {
		zone = time.UTC
	}
	if t, is := agoOf(text, now.In(zone)); is {
		return memory.At(t), nil
	}
	day, is := dayOf(text, now.In(zone), zone)
	switch {
	case is && field == AsOf:
		if end := day.AddDate(0, 0, 1).Add(-time.Millisecond); end.Before(now) || day.After(now) {
			return memory.At(end), nil
		}
		return memory.At(now), nil // of today there is no more
	case is:
		return memory.At(day), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return memory.At(t), nil
		}
	}
	t, err := ParseTime(field, text)
	if err != nil {
		err = Invalid("%s: a time is written 2006-01-02, 2006-01-02T15:04:05Z, 72h, \"3 days ago\", yesterday or monday, "+
			"got %q", field, shorten.To(text, 40))
	}
	return t, err
}

// ago matches how long ago something was, in units that time.ParseDuration lacks or in words.
var ago = lazy.Regexp(`^(\d{1,3}|an?) ?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?|months?|y|years?)( ago)?$`)

func agoOf(text string, now time.Time) (time.Time, bool) {
	found := ago.Get().FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if found == nil {
		return now, false
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		n = 1
	}
	switch unit := found[2]; {
	case strings.HasPrefix(unit, "mo"):
		return now.AddDate(0, -n, 0), true
	case unit[0] == 'm':
		return now.Add(-time.Duration(n) * time.Minute), true
	case unit[0] == 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case unit[0] == 'd':
		return now.AddDate(0, 0, -n), true
	case unit[0] == 'w':
		return now.AddDate(0, 0, -7*n), true
	}
	return now.AddDate(-n, 0, 0), true
}

// dayOf returns the beginning of a day in a zone.
func dayOf(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	begin := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone) }
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "today":
		return begin(now), true
	case "yesterday":
		return begin(now.AddDate(0, 0, -1)), true
	}
	for back := range 7 { // the last one of its name, which today may be
		one := now.AddDate(0, 0, -back)
		if strings.EqualFold(strings.TrimSpace(text), one.Weekday().String()) {
			return begin(one), true
		}
	}
	t, err := time.ParseInLocation(time.DateOnly, text, zone)
	return t, err == nil
}

// ParseTime reads RFC 3339, with or without seconds, or a date; "" is the zero time.
func ParseTime(field, s string) (memory.Time, error) {
	if s == "" {
		return memory.Time{}, nil
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
		time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return memory.At(t), nil
		}
	}
	return memory.Time{}, Invalid(
		"%s: a time is written 2006-01-02 or 2006-01-02T15:04:05Z, got %q", field, shorten.To(s, 40),
	)
}
