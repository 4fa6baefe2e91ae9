package shorten

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Nanosecond:  "0s",
		time.Millisecond: "1ms", 90 * time.Second: "1m30s", time.Minute: "1m", time.Hour: "1h", 36 * time.Hour: "1.5 days",
		32 * time.Hour:   "1.33333 days",
		90 * time.Minute: "1h30m", 24 * time.Hour: "1 day", 365 * 24 * time.Hour: "365 days", 0: "0 days",
	} {
		if got := Age(d); got != want {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
}
