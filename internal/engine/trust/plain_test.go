package trust

import (
	"reflect"
	"testing"

	score "github.com/stemma-memory/stemma/internal/trust"
)

// A score that was worked out before is that of the facts, whatever was asked between.
func TestScoresWorkedOutOnceAreTheFacts(t *testing.T) {
	s := &scoring{plain: make(map[plain]score.Result)}
	signatures := []score.Signature{score.Valid, score.Invalid, score.Absent, score.UnknownKey, score.Revoked}
	for range 2 {
		for _, signature := range signatures {
			for _, reputation := range []int{0, 4000, score.One} {
				for _, said := range [][]score.Verdict{nil, {{Controller: "did:key:ann", Says: score.Dispute}}} {
					for _, moored := range [][]score.Anchor{nil, {{Type: "git", Reference: "x", Class: "c"}}} {
						for _, limit := range []*score.Limit{nil, {Level: score.Unverified}} {
							f := score.Facts{
								Signature: signature, Author: "did:key:bob", Reputation: reputation,
								Verdicts: said, Anchors: moored, Limit: limit,
							}
							got := s.score(f)
							if want := score.Score(f, score.Seed()); !reflect.DeepEqual(got, want) {
								t.Fatalf("%+v: %+v, want %+v", f, got, want)
							}
							_ = append(got.Flags, "of somebody else")
						}
					}
				}
			}
		}
	}
}
