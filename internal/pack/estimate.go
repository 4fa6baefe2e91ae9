package pack

import "github.com/stemma-memory/stemma/internal/tokens"

// Estimator names the rule that Estimate counts by.
const Estimator = "o200k_base and cl100k_base, the larger"

// Estimate returns how many tokens a text costs a language model: the larger of its counts in the vocabularies o200k
// and cl100k.
func Estimate(s string) int { return tokens.Count(s) }
