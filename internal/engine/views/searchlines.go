package views

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/memory"
)

// takeLine gives a line the words that yield to it, and their rank.
func (f *Found) TakeLine(words *Found) {
	f.Place = min(f.Place, words.Place)
	for _, ref := range append([]memory.Ref{words.Ref}, words.Wording...) {
		if !slices.Contains(f.Wording, ref) {
			f.Wording = append(f.Wording, ref)
		}
	}
	f.Lift(words.Factors.Score())
}

// lift makes a line at least as relevant as its place in the answer says.
func (f *Found) Lift(score float64) {
	for f.Factors.Score() < score {
		least := max(score/(f.Factors.Tier*f.Factors.Trust*f.Factors.Recency), f.Factors.Relevance) + 0.001
		f.C.Wording += least - f.C.Relevance
		f.C.Relevance = least
		f.Factors = rank.Raised(f.Factors, least)
	}
}
