package core

import (
	"time"
)

// ago reads a time, or how long ago it was.
func (e *Core) Ago(field, text string) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return e.C.Now().Add(-d), nil
	}
	at, err := ParseTime(field, text)
	return at.Time, err
}
