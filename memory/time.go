package memory

import (
	"fmt"
	"time"
)

// timeLayout is the one spelling of a time in signed bytes: UTC, always three
// digits of a second.
const timeLayout = "2006-01-02T15:04:05.000Z"

// A Time is an instant in UTC, to the millisecond. The zero Time is "none".
type Time struct{ t time.Time }

// At returns t in UTC, cut to the millisecond.
func At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.UTC().Truncate(time.Millisecond)}
}

// Time returns t for the arithmetic of package time, the zero time.Time for none.
func (t Time) Time() time.Time { return t.t }

// IsZero reports whether t is the zero time.
func (t Time) IsZero() bool { return t.t.IsZero() }

// String returns the spelling used in signed bytes, or "" for none.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.t.Format(timeLayout)
}

// MarshalText returns the one spelling; years beyond 9999 cannot be written.
func (t Time) MarshalText() ([]byte, error) {
	if y := t.t.Year(); t.IsZero() || y < 1 || y > 9999 {
		return nil, fmt.Errorf("time %v is outside the years 1 to 9999", t.t)
	}
	return []byte(t.String()), nil
}

// UnmarshalText reads the one spelling and no other.
func (t *Time) UnmarshalText(b []byte) error {
	got, err := time.Parse(timeLayout, string(b))
	if err != nil {
		return fmt.Errorf("a time is written YYYY-MM-DDTHH:MM:SS.sssZ, got %q", clip(string(b)))
	}
	*t = At(got)
	return nil
}

// UnmarshalJSON reads the one spelling in quotes, and refuses null.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("a time is a string, got %s", clip(string(b)))
	}
	return t.UnmarshalText(b[1 : len(b)-1])
}
