package cli

import (
	"os"
	"path/filepath"
	"time"
)

// The clock of a program that is measured: sessions of many days are played in seconds. The program looks at the
// variable only where its data directory holds the file, which is made for a measurement and for nothing else.
const (
	ClockVariable = "STEMMA_EVAL_CLOCK"
	ClockFile     = "eval-clock"
)

// ClockFrom returns a clock that shows at now.
func ClockFrom(at time.Time) func() time.Time {
	ahead := time.Until(at)
	return func() time.Time { return time.Now().Add(ahead) }
}

// measuredClock returns the clock of a program that is measured, or nil.
func (a *app) measuredClock(data string) func() time.Time {
	text := a.env.Getenv(ClockVariable)
	if text == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if _, statErr := os.Stat(filepath.Join(data, ClockFile)); err != nil || statErr != nil {
		return nil
	}
	return ClockFrom(at)
}
