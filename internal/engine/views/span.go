package views

import (
	"strconv"
	"time"
)

// spanUnits are the units of a span, the greatest first. A month is 30 days and a year 365.
var spanUnits = []struct {
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
	for _, u := range spanUnits {
		switch n := d / u.long; {
		case n == 1 && (d < u.long+u.long/10 || u.long == time.Minute):
			return "1 " + u.name
		case n > 1:
			return strconv.FormatInt(int64(n), 10) + " " + u.name + "s"
		}
	}
	return "less than a minute"
}
