package pack

import (
	"slices"
	"testing"
	"time"
)

func TestTheLastWordOfADayIsSeen(t *testing.T) {
	at := func(text, when string) Dated {
		tm, err := time.Parse(time.RFC3339Nano, when)
		if err != nil {
			t.Fatal(err)
		}
		return Dated{Text: text, At: tm}
	}
	for _, row := range []struct {
		name string
		said []Dated
		want []string
	}{
		{"about the same", []Dated{
			at("checkout_v2 is on for everyone", "2026-11-28T09:10:00Z"), at("The office is in Ghent", "2026-11-28T09:20:00Z"),
			at("checkout_v2 is back to 10% after the incident", "2026-11-28T15:02:00Z"),
		}, []string{"2026-11-28 09:10", "2026-11-28", "2026-11-28 15:02"}},
		{"in one minute and in one second", []Dated{
			at("Sessions are in Postgres", "2026-11-28T09:10:05.1Z"), at("Sessions are in Redis", "2026-11-28T09:10:05.25Z"),
			at("Sessions are in files", "2026-11-28T09:10:44Z"),
		}, []string{"2026-11-28 09:10:05", "2026-11-28 09:10:05", "2026-11-28 09:10:44"}},
		{"of two kinds", []Dated{
			{"Count every heron", at("", "2026-11-28T09:10:00Z").At, "goal"},
			{"Herons before harbours", at("", "2026-11-28T09:20:00Z").At, "value"},
			{"Herons sleep in harbours", at("", "2026-11-28T09:30:00Z").At, "note"},
			{"Herons sleep in trees", at("", "2026-11-28T09:40:00Z").At, "belief"},
		}, []string{"2026-11-28", "2026-11-28", "2026-11-28 09:30", "2026-11-28 09:40"}},
		{"on two days", []Dated{
			at("Sessions are in Postgres", "2026-11-28T09:10:00Z"), at("Sessions are in Redis", "2026-11-27T09:10:00Z"),
		}, []string{"2026-11-28", "2026-11-27"}},
		{"a day alone is known", []Dated{
			at("Sessions are in Postgres", "2026-11-28T00:00:00Z"), at("Sessions are in Redis", "2026-11-28T09:10:00Z"),
		}, []string{"2026-11-28", "2026-11-28"}},
		{"no word of it", []Dated{at("…", "2026-11-28T10:00:00Z"), at("!", "2026-11-28T09:10:00Z")},
			[]string{"2026-11-28", "2026-11-28"}},
		{"the same moment", []Dated{
			at("Sessions are in Postgres", "2026-11-28T09:10:00Z"), at("Sessions are in Redis", "2026-11-28T09:10:00Z"),
		}, []string{"2026-11-28", "2026-11-28"}},
	} {
		if got := Days(row.said); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
