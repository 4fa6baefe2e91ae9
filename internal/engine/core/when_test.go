package core

import (
	"testing"
	"time"
)

// Days are the reader's: the same word is another time for people elsewhere, and what names a zone is what it says.
func TestDaysAreTheReaders(t *testing.T) {
	now := time.Date(2026, 11, 27, 16, 46, 0, 0, time.UTC) // the 28th in Auckland, the 27th in Los Angeles
	for _, row := range []struct{ zone, field, text, want string }{
		{"UTC", "since", "2026-11-28", "2026-11-28T00:00:00Z"},
		{"Pacific/Auckland", "since", "2026-11-28", "2026-11-27T11:00:00Z"},
		{"America/Los_Angeles", "since", "2026-11-27", "2026-11-27T08:00:00Z"},
		{"Pacific/Auckland", "since", "today", "2026-11-27T11:00:00Z"},
		{"America/Los_Angeles", "since", "Today", "2026-11-27T08:00:00Z"},
		{"Pacific/Auckland", "since", "yesterday", "2026-11-26T11:00:00Z"},
		{"America/Los_Angeles", "until", "yesterday", "2026-11-26T08:00:00Z"},
		{"Pacific/Auckland", "since", "2026-11-28 05:30", "2026-11-27T16:30:00Z"},
		{"Pacific/Auckland", "since", "2026-11-28T05:30:00Z", "2026-11-28T05:30:00Z"},
		{"Pacific/Auckland", "since", "2026-11-28T05:30:00+01:00", "2026-11-28T04:30:00Z"},
		{"Pacific/Auckland", "since", "2h", "2026-11-27T14:46:00Z"},
		{"Pacific/Auckland", "since", "3 days ago", "2026-11-24T16:46:00Z"},
		{"UTC", "since", "3d", "2026-11-24T16:46:00Z"}, {"UTC", "since", "A week ago", "2026-11-20T16:46:00Z"},
		{"UTC", "since", "2 months ago", "2026-09-27T16:46:00Z"}, {"UTC", "since", "90 minutes", "2026-11-27T15:16:00Z"},
		{"Europe/Berlin", "since", "5 weeks", "2026-10-23T15:46:00Z"}, // an hour of the summer between
		{"UTC", "until", "1y", "2025-11-27T16:46:00Z"}, {"UTC", "as_of", "a day ago", "2026-11-26T16:46:00Z"},
		{"Pacific/Auckland", "since", "monday", "2026-11-22T11:00:00Z"},
		{"Pacific/Auckland", "since", "Saturday", "2026-11-27T11:00:00Z"},
		{"UTC", "since", "saturday", "2026-11-21T00:00:00Z"}, {"UTC", "as_of", "Monday", "2026-11-23T23:59:59.999Z"},
		{"UTC", "since", "1000 days ago", "error"}, {"UTC", "since", "3 d ays", "error"}, {"UTC", "since", "ago", "error"},
		{"UTC", "since", "last week", "error"}, {"UTC", "since", "-3 days ago", "error"},
		{"Pacific/Auckland", "as_of", "2026-11-27", "2026-11-27T10:59:59.999Z"},
		{"Pacific/Auckland", "as_of", "yesterday", "2026-11-27T10:59:59.999Z"},
		{"Pacific/Auckland", "as_of", "2026-11-28", "2026-11-27T16:46:00Z"},
		{"America/Los_Angeles", "as_of", "2026-11-26", "2026-11-27T07:59:59.999Z"},
		{"America/Los_Angeles", "as_of", "2026-11-30", "2026-12-01T07:59:59.999Z"},
		{"Europe/Berlin", "since", "2026-03-29", "2026-03-28T23:00:00Z"}, // a day of 23 hours
		{"Europe/Berlin", "as_of", "2026-03-29", "2026-03-29T21:59:59.999Z"},
		{"Europe/Berlin", "since", "", ""},
		{"Europe/Berlin", "since", "tomorrow", "error"}, {"Europe/Berlin", "since", "2026-02-30", "error"},
		{"Europe/Berlin", "since", "-2h", "error"},
	} {
		zone, err := time.LoadLocation(row.zone)
		if err != nil {
			t.Skip(err)
		}
		got := ""
		at, err := When(row.field, row.text, now, zone)
		if err != nil {
			got = "error"
		} else if !at.IsZero() {
			got = at.Time().UTC().Format(time.RFC3339Nano)
		}
		if got != row.want {
			t.Errorf("%s: %s %q is %s, want %s", row.zone, row.field, row.text, got, row.want)
		}
	}
}
