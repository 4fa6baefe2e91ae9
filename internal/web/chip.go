package web

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/memory"
)

// chip returns how a memory stands, and the class of its colour: what status in standing.tsx says. There are four words
// for how one stands. One that is not given any more has what happened to it instead.
func chip(m *api.Result) (word, tone string) {
	const good, bad, waits, gone, usual = "good", "bad", "waits", "gone", "plain"
	approved := m.Review == "approved"
	switch {
	case m.Until != "" && (m.Hidden == "" || m.Hidden == standing.Over):
		return heldUntil(m.Until), gone
	case m.Hidden != "":
		if slices.Contains([]string{"rejected", "quarantined"}, m.Hidden) {
			return m.Hidden, bad
		}
		return happened(m.Hidden), gone
	case m.Disputed:
		return "disputed", bad
	case approved && m.Actionable:
		return "approved", good
	case m.Tainted || m.Unverified:
		if approved {
			return "approved, external", waits
		}
		return "external", waits
	case approved, m.Review == "" && m.Actionable:
		return "approved", good // a person's own word needs no other one
	case m.Type == string(memory.KindRaw):
		return "capture", usual
	}
	return "not reviewed", waits
}

// happened says what happened to a memory that is not given any more.
func happened(hidden string) string {
	if hidden == "superseded" || hidden == "outranked" {
		return "replaced"
	}
	return hidden
}

// stateMarks are marks that the chip says.
var stateMarks = map[string]bool{
	"unverified": true, "external": true, "disputed": true, "rejected": true, "quarantined": true, "forgotten": true,
	"purged": true,
}

// heldUntil says of a memory that is over until when it held.
func heldUntil(until string) string {
	t, err := time.Parse(time.RFC3339Nano, until)
	if err != nil {
		return "held until " + until
	}
	return "held until " + t.UTC().Format("2 Jan 2006")
}

// units are those in which a distance in time is said, in seconds.
var units = []struct {
	name string
	size float64
}{{"year", 31_557_600}, {"month", 2_629_800}, {"week", 604_800}, {"day", 86_400}, {"hour", 3600}, {"minute", 60}}

// ago says how long ago a time is: what ago in standing.tsx says.
func ago(at, now time.Time) string {
	s := float64(at.UnixMilli()-now.UnixMilli()) / 1000
	for _, u := range units {
		n := int(math.Abs(s) / u.size)
		switch past := s < 0; {
		case n == 0:
			continue
		case n == 1 && u.name == "day" && past:
			return "yesterday"
		case n == 1 && u.name == "day":
			return "tomorrow"
		case n == 1 && u.size > 3600 && past:
			return "last " + u.name
		case n == 1 && u.size > 3600:
			return "next " + u.name
		case past:
			return fmt.Sprintf("%d %s ago", n, plural(n, u.name))
		default:
			return fmt.Sprintf("in %d %s", n, plural(n, u.name))
		}
	}
	if s > 0 {
		return "in a moment"
	}
	return "just now"
}

func plural(n int, unit string) string {
	if n > 1 {
		return unit + "s"
	}
	return unit
}
