package core

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

func QuotedCut(s string) string { return fmt.Sprintf("%q", shorten.To(s, 60)) }

// Thousandth rounds to what people read.
func Thousandth(f float64) float64 {
	const places = 1000
	if f < 0 {
		return -Thousandth(-f)
	}
	return float64(int(f*places+0.5)) / places
}

// Fingerprint returns a key in the form that people compare; an invalid key is returned
// unchanged.
func Fingerprint(did string) string {
	if f, err := keys.Fingerprint(did); err == nil {
		return f
	}
	return did
}

// DecimalTrust shows ten-thousandths.
func DecimalTrust(n int) float64 { return float64(n) / score.One }

// Hidden says in a word why search and lists leave a record out; "" if they do
// not.
func Hidden(s *state.State) string {
	switch {
	case s.Purged:
		return "purged"
	case s.Forgotten:
		return "forgotten"
	case s.Quarantined:
		return "quarantined"
	case s.Review == state.ReviewRejected:
		return "rejected"
	case !s.SupersededBy.IsZero():
		return "superseded"
	case s.Outranked:
		return "outranked"
	}
	return ""
}

// Plural is "1 episode", "3 episodes", "2 entries" … for the kinds there are.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Conditions says which conditions of the tiers a memory meets.
func Conditions(it *store.Item) []api.Condition {
	if it.Record == nil || it.Ref.Kind == memory.KindRaw || !it.Ref.Kind.IsMemory() {
		return nil
	}
	s, ref := &it.State, it.Ref.Short()
	var out []api.Condition
	add := func(name string, met bool, yes, no string) {
		says := no
		if met {
			says = yes
		}
		out = append(out, api.Condition{Name: name, Met: met, Says: says})
	}
	refs := CodeRefs(it.Record)
	add("code refs", it.Record.HasCode(), fmt.Sprintf("it names %s", Plural(len(refs), "piece")+" of code"),
		"it names no code; add it with `files=PATH#SYMBOL` when you write or revise it")
	by := "a person"
	if s.AgentVerified {
		by = "an agent"
	}
	add("verified", !s.Verified.IsZero(), "by "+by+" on "+Day(s.Verified), "`verify "+ref+"` says that it holds")
	approval := "a person approves with `approve " + ref + "`"
	switch {
	case s.Review == state.ReviewRejected:
		approval = "it was rejected"
	case s.AgentApproved:
		approval = "an agent's approval counts for nothing; " + approval
	}
	add("approved", s.Review == state.ReviewApproved, "by a person on "+Day(s.ReviewedAt), approval)
	events := "no capture is among its sources; promote or consolidate captures"
	if s.AnyRaw {
		events = "the captures among its sources were made with it: they are its own words, and no evidence for it"
	}
	add("event evidence", s.ReachesRaw, "its lineage reaches words that were captured", events)
	add("not reviewed", s.Review == state.ReviewPending, "an agent or a model wrote it and no person decided",
		"it does not wait for a decision")
	return out
}

// Day writes the date of a time.
func Day(t memory.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Time().Format("2006-01-02")
}

// Missing returns the conditions that are not met for the best tier.
func Missing(it *store.Item) []string {
	var out []string
	for _, c := range Conditions(it) {
		if !c.Met && c.Name != "not reviewed" && c.Name != "event evidence" {
			out = append(out, c.Name)
		}
	}
	return out
}

// LongID returns an ID as it is written in a ref.
var LongID = lazy.Regexp(`:[0-9a-f]{64}`)

// Compared returns the words of a memory that are compared.
func Compared(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Note:
		if b.Body != "" && !strings.HasPrefix(b.Body, strings.TrimSuffix(b.Summary, "…")) {
			return b.Summary + " " + b.Body
		}
		return Or(b.Body, b.Summary)
	case *memory.Relationship:
		return b.Name + ": " + b.Description
	}
	return r.Headline()
}
