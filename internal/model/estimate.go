package model

import (
	"math"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
)

// Estimate guesses how many tokens a text is, rather too many than too few.
func Estimate(text string) int { return int(min(int64(len(text)+2)/3, math.MaxInt32)) }

// mostPart is how much of a part's text is asked at most, in bytes: Render takes 2,000 characters.
const mostPart = 4 * 2000

// Asked guesses how many tokens it takes to ask q.
func Asked(q llm.Question) int {
	sum := Estimate(q.System) + Estimate(string(q.Schema))
	for _, p := range q.Parts {
		sum += Estimate(shorten.To(p.Text, mostPart)) + Estimate(p.Name) + 16
	}
	return sum
}
