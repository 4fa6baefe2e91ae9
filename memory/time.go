package memory

import (
	"fmt"
	"time"
)

// timeLayout is the one spelling of a time in signed bytes: UTC, always three
// digits of a second.
const timeLayout = "2006-01-02T15:04:05.000Z"

// A Time is an instant in UTC, to the millisecond. The zero Time is "none".
type Time struct{ time.Time }

// At returns t in UTC, cut to the millisecond.
func At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.UTC().Truncate(time.Millisecond)}
}

// Milli returns the Time that many milliseconds after 1970.
func Milli(ms int64) Time { return At(time.UnixMilli(ms)) }

// String returns the spelling used in signed bytes, or "" for none.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeLayout)
}

// MarshalText returns the one spelling; years beyond 9999 cannot be written.
func (t Time) MarshalText() ([]byte, error) {
	if y := t.UTC().Year(); t.IsZero() || y < 1 || y > 9999 {
		return nil, fmt.Errorf("time %v is outside the years 1 to 9999", t.Time)
	}
	return []byte(t.String()), nil
}

// MarshalJSON is MarshalText in quotes: without it the embedded time.Time
// would write a spelling of its own.
func (t Time) MarshalJSON() ([]byte, error) {
	b, err := t.MarshalText()
	if err != nil {
		return nil, err
	}
	return append(append([]byte{'"'}, b...), '"'), nil
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

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("a time is a string, got %s", clip(string(b)))
	}
	return t.UnmarshalText(b[1 : len(b)-1])
}
