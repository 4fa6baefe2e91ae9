package core

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What is missing for a better tier is said as it is: a memory whose only captures are its own words
// has captures among its sources.
func TestConditionsSayWhichCapturesThereAre(t *testing.T) {
	r := &memory.Record{Header: memory.Header{Kind: memory.KindBelief}, Body: &memory.Belief{Statement: "x"}}
	for _, tt := range []struct {
		any  bool
		says string
	}{{false, "no capture is among its sources"}, {true, "were made with it"}} {
		it := &store.Item{Ref: memory.Ref{Kind: memory.KindBelief}, Record: r}
		it.State.AnyRaw = tt.any
		for _, c := range Conditions(it) {
			if c.Name == "event evidence" && (c.Met || !strings.Contains(c.Says, tt.says)) {
				t.Errorf("captures %v: %q, want %q", tt.any, c.Says, tt.says)
			}
		}
	}
}
