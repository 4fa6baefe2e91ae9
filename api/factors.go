package api

// Factors are what a relevance is multiplied with. Their product is the score.
type Factors struct {
	Relevance float64 `json:"relevance"` // 1 is the best match
	Tier      float64 `json:"tier"`      // 2 grounded, 1.5 observed, 1 inferred and raw words, 0.5 hypothesis
	Trust     float64 `json:"trust"`     // 1 for what only its author supports, 0.85 to 1.35
	Recency   float64 `json:"recency"`   // 1 today, never below 0.8
}
