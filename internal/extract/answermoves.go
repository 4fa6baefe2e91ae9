package extract

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A Move is what an episode does to a belief.
type Move struct {
	Belief int    // its place in the list asked about, from 0
	Effect string // reinforces, weakens or challenges
	Step   memory.Confidence
	Reason string
}

// ReadRevise reads the answer to AskRevise about n beliefs: at most one move of each.
func ReadRevise(answer string, n int) ([]Move, error) {
	var a struct {
		Moves *[]struct {
			Belief *int     `json:"belief"`
			Effect string   `json:"effect"`
			Step   *float64 `json:"step"`
			Reason *string  `json:"reason"`
		} `json:"moves"`
	}
	if err := strict(answer, &a); err != nil {
		return nil, err
	}
	if a.Moves == nil {
		return nil, nonsense("moves are missing")
	}
	var out []Move
	for _, m := range *a.Moves {
		if m.Belief == nil || m.Step == nil || m.Reason == nil || !slices.Contains(effects, m.Effect) {
			return nil, nonsense("a move lacks something, or has an unknown effect")
		}
		at, err := places([]int{*m.Belief}, n)
		if err != nil {
			return nil, err
		}
		step, err := share("step", *m.Step)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Move) bool { return o.Belief == at[0] }) {
			return nil, nonsense("two moves of belief %d", *m.Belief)
		}
		out = append(out, Move{at[0], m.Effect, step, shorten.To(shown(*m.Reason), maxReason)})
	}
	return out[:min(len(out), maxDrafts)], nil
}

const maxReason = 280

// each reads entries: one that is wrong makes the whole answer nonsense, one that says nothing is left out.
