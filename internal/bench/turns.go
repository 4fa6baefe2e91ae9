package bench

import (
	"fmt"
	"slices"
	"time"
)

// An act is what is measured, the i-th time.
type act func(i int) error

// timed runs acts by turns, so that whatever slows the machine down slows all, and returns how long
// each took each time. Every second turn is backwards: none always follows the same one.
func timed(turns int, acts ...act) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(acts))
	for i := range turns {
		for n := range acts {
			if i%2 == 1 {
				n = len(acts) - 1 - n
			}
			began := time.Now()
			if err := acts[n](i); err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
			took[n] = append(took[n], time.Since(began))
		}
	}
	return took, nil
}

// measure is the line of what took so long each time, against something else.
func measure(what string, ours []time.Duration, against string, other []time.Duration) Measure {
	m := Measure{What: what, Turns: len(ours), Median: ms(at(ours, 50)), P95: ms(at(ours, 95)), Against: against}
	if len(other) > 0 {
		m.Other = ms(at(other, 50))
		m.Ratio = m.Median / max(m.Other, 1e-6)
	}
	return m
}

// rate adds how much was done in a second.
func (m Measure) rate(much float64, unit string) Measure {
	m.PerSecond, m.Unit = much/(m.Median/1000), unit
	return m
}

// at returns what so many of 100 took at most.
func at(took []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
