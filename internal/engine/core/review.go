package core

import (
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// conditions says which conditions of the tiers a memory meets.
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
		"it names no code; --file PATH#SYMBOL when it is written or revised")
	by := "a person"
	if s.AgentVerified {
		by = "an agent"
	}
	add("verified", !s.Verified.IsZero(), "by "+by+" on "+Day(s.Verified), "'stemma verify "+ref+"' says that it holds")
	approval := "a person approves with 'stemma approve " + ref + "'"
	switch {
	case s.Review == memory.ReviewRejected:
		approval = "it was rejected"
	case s.AgentApproved:
		approval = "an agent's approval counts for nothing; " + approval
	}
	add("approved", s.Review == memory.ReviewApproved, "by a person on "+Day(s.ReviewedAt), approval)
	add("event evidence", s.ReachesRaw, "its lineage reaches words that were captured",
		"nothing captured stands behind it; promote or consolidate what was")
	add("pending review", s.Review == memory.ReviewPending, "an agent or a model wrote it and nobody decided",
		"nobody waits for a decision")
	return out
}

// day writes the date of a time.
func Day(t memory.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Format("2006-01-02")
}

// missing says what is not there for the best tier.
func Missing(it *store.Item) []string {
	var out []string
	for _, c := range Conditions(it) {
		if !c.Met && c.Name != "pending review" && c.Name != "event evidence" {
			out = append(out, c.Name)
		}
	}
	return out
}
