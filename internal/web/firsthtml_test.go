package web

import (
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// The chip has the one word that matters most. web/test/first.test.mjs compares it with the page's own.
func TestChip(t *testing.T) {
	for _, tt := range []struct {
		of         api.Result
		word, tone string
	}{
		{api.Result{}, "not reviewed", "waits"},
		{api.Result{Type: "raw", Review: "pending"}, "capture", "plain"},
		{api.Result{Tier: "grounded", Actionable: true}, "approved", "good"},
		{api.Result{Tier: "inferred", Review: "pending"}, "not reviewed", "waits"},
		{api.Result{Review: "approved"}, "approved", "good"},
		{api.Result{Review: "approved", Tainted: true}, "approved, external", "waits"},
		{api.Result{Review: "approved", Tainted: true, Actionable: true}, "approved", "good"},
		{api.Result{Review: "pending", Unverified: true}, "external", "waits"},
		{api.Result{Type: "raw", Tainted: true}, "external", "waits"},
		{api.Result{Review: "approved", Actionable: true, Disputed: true}, "disputed", "bad"},
		{api.Result{Hidden: "rejected", Disputed: true}, "rejected", "bad"},
		{api.Result{Hidden: "purged"}, "purged", "gone"},
		{api.Result{Hidden: "superseded", Until: "2020-03-03T12:00:00Z"}, "replaced", "gone"},
		{api.Result{Hidden: "over", Until: "2020-03-03T23:30:00-05:00"}, "held until 4 Mar 2020", "gone"},
		{api.Result{Until: "some day"}, "held until some day", "gone"},
	} {
		if word, tone := chip(&tt.of); word != tt.word || tone != tt.tone {
			t.Errorf("chip(%+v) = %q, %q, want %q, %q", tt.of, word, tone, tt.word, tt.tone)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	for in, want := range map[time.Duration]string{
		0: "just now", -59 * time.Second: "just now", time.Second: "in a moment", -time.Minute: "1 minute ago",
		-119 * time.Second: "1 minute ago", 3 * time.Minute: "in 3 minutes", -time.Hour: "1 hour ago",
		-23 * time.Hour: "23 hours ago", -24 * time.Hour: "yesterday", 24 * time.Hour: "tomorrow",
		-6 * 24 * time.Hour: "6 days ago", -7 * 24 * time.Hour: "last week", 14 * 24 * time.Hour: "in 2 weeks",
		-31 * 24 * time.Hour: "last month", -366 * 24 * time.Hour: "last year", 800 * 24 * time.Hour: "in 2 years",
	} {
		if got := ago(now.Add(in), now); got != want {
			t.Errorf("ago(%v) = %q, want %q", in, got, want)
		}
	}
	if got := ago(time.Time{}, now); got != "2025 years ago" {
		t.Errorf("the year 1 was %s", got)
	}
}

// A label ends before the 81st character as JavaScript counts them, and within none.
func TestBeginning(t *testing.T) {
	x := strings.Repeat("x", 79)
	for in, want := range map[string]string{
		"": "", "short": "short", x + "yz": x + "y", x + "éz": x + "é", x + "索z": x + "索", x + "😀": x,
		x[1:] + "😀z": x[1:] + "😀",
	} {
		if got := beginning(in); got != want {
			t.Errorf("beginning(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFigureAndPart(t *testing.T) {
	for in, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := figure(in); got != want {
			t.Errorf("figure(%d) = %q, want %q", in, got, want)
		}
	}
	if got := counted(api.Counted{Count: 1000, More: true}) + counted(api.Counted{Count: 2}); got != "1,000+2" {
		t.Errorf("counted = %q", got)
	}
	if got, want := part("a b+c&d/%25!'()*~:é"), "a%20b%2Bc%26d%2F%2525!'()*~%3A%C3%A9"; got != want {
		t.Errorf("part = %q, want %q", got, want)
	}
}
