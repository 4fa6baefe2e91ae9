package pack

import (
	"time"

	"github.com/stemma-memory/stemma/internal/words"
)

// Dated is words with the time at which they were said, in the zone of the reader. What is of another kind, such as a
// goal beside a fact, is not the last word on it.
type Dated struct {
	Text string
	At   time.Time
	Kind string
}

// Bounds of what is compared.
const (
	mostClocks = 64    // texts, those that come first
	mostSaid   = 2_000 // bytes of a text
	alikePart  = 2     // half of the terms of the shorter text are in the other one
)

// Days returns when each was said: its day, and where others said on that day are about the same, the time of day too,
// as fine as is needed to see which is the last word. A time of midnight is a day of which no more is known.
func Days(all []Dated) []string {
	out, of := make([]string, len(all)), make(map[string][]int, len(all))
	for i, s := range all {
		out[i] = s.At.Format(time.DateOnly)
		if h, m, sec := s.At.Clock(); i < mostClocks && h+m+sec+s.At.Nanosecond() > 0 {
			of[out[i]] = append(of[out[i]], i)
		}
	}
	for _, day := range of {
		if len(day) > 1 {
			clocks(out, all, day)
		}
	}
	return out
}

// date gives entries with a time their days, for their order to be seen.
func date(entries []Entry) {
	var at []int
	var said []Dated
	for i := range entries {
		if e := &entries[i]; !e.When.IsZero() && len(e.Turns) == 0 {
			at, said = append(at, i), append(said, Dated{e.Text, e.When, e.Kind})
		}
	}
	for i, day := range Days(said) {
		entries[at[i]].At = day
	}
}

// clocks adds times to what was said on one day.
func clocks(out []string, all []Dated, day []int) {
	terms := make([]map[string]bool, len(day))
	for i, at := range day {
		terms[i] = make(map[string]bool)
		for _, t := range words.Query(all[at].Text[:min(len(all[at].Text), mostSaid)]) {
			terms[i][t] = true
		}
	}
	form := make([]string, len(day))
	for i := range day {
		for j := range i {
			a, b := &all[day[i]], &all[day[j]]
			if fact(a.Kind) != fact(b.Kind) || !alike(terms[i], terms[j]) {
				continue
			}
			f := apart(a.At, b.At)
			form[i], form[j] = max(form[i], f), max(form[j], f)
		}
	}
	for i, at := range day {
		if form[i] != "" {
			out[at] = all[at].At.Format(form[i])
		}
	}
}

// alike reports whether two texts are about the same, by their terms.
func alike(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for t := range a {
		if b[t] {
			shared++
		}
	}
	return shared > 0 && shared*alikePart >= len(a)
}

// fact is the kind of what states how things are, "" for all that does; others are by themselves.
func fact(kind string) string {
	switch kind {
	case "belief", "note", "raw", "episode":
		return ""
	}
	return kind
}

// apart returns the coarser form of a time in which two differ, "" if they do not: a finer one is longer.
func apart(a, b time.Time) string {
	for _, f := range []string{"2006-01-02 15:04", time.DateTime} {
		if a.Format(f) != b.Format(f) {
			return f
		}
	}
	return ""
}
