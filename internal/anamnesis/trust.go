package anamnesis

import (
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/memory"
)

// Computed is a score that was computed here. Score and Reputation are in
// ten-thousandths.
type Computed struct {
	Score, Reputation                     int
	Witnesses, Anchors, AgeDays, Disputes int
	Level                                 string   // beside the schema; "" leaves it out
	Flags                                 []string // likewise
	At                                    memory.Time
}

// tenThousandth is how many ten-thousandths one is.
const tenThousandth = 10_000

func (c *Computed) trust() *Trust {
	t := &Trust{
		Score: json.Number(fraction(c.Score, tenThousandth)),
		Factors: &Factors{
			AuthorReputation: json.Number(fraction(c.Reputation, tenThousandth)),
			WitnessCount:     new(int64(c.Witnesses)), AnchorCount: new(int64(c.Anchors)),
			AgeDays: json.Number(fraction(c.AgeDays, 1)), DisputeCount: new(int64(c.Disputes)),
		},
		ComputedAt: optional(c.At.String()),
	}
	if c.Level != "" || len(c.Flags) > 0 {
		more := struct {
			Level string   `json:"level,omitempty"`
			Flags []string `json:"flags,omitempty"`
		}{c.Level, c.Flags}
		if raw, err := canon.Marshal(more); err == nil {
			t.Unknown = Unknown{ourMember: raw}
		}
	}
	return t
}
