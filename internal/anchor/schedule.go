package anchor

import "time"

const day = 24 * time.Hour

// steps are how long after an anchor is made its first checks are due; after
// them one is due every thirty days.
var steps = []time.Duration{day, 7 * day, 30 * day}

// TTL is how long a page or a file counts as verified after a check: the thirty
// days between checks and a week in which to make the next.
const TTL = 37 * day

// Due returns when an anchor is to be checked again, after so many checks of it:
// 1, 7 and 30 days after it was made, then every 30 days, and never twice in a
// day because checks were late.
func Due(made, lastChecked time.Time, checks int) time.Time {
	if checks >= len(steps) {
		return lastChecked.Add(steps[len(steps)-1])
	}
	due := made.Add(steps[max(checks, 0)])
	if checks > 0 && due.Before(lastChecked.Add(day)) {
		return lastChecked.Add(day)
	}
	return due
}

// Aged returns the status that a finding of this age has now: a page or file
// verified longer ago than TTL is stale. What can be verified offline does not
// go stale, and nothing else than verified does.
func Aged(typ string, s Status, checked, now time.Time) Status {
	switch typ {
	case typeURL, typePost, typeFile:
		if s == Verified && now.Sub(checked) > TTL {
			return Stale
		}
	}
	return s
}
