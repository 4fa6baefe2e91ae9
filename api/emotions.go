package api

// EmotionSummaryRequest asks how it felt.
type EmotionSummaryRequest struct {
	Since string `json:"since,omitempty" jsonschema:"only episodes recorded since: a time, or an age such as 720h"`
}

// EmotionSummaryReply is how episodes felt, all together and week by week. Of
// episodes that say nothing of it nothing is guessed.
type EmotionSummaryReply struct {
	Since    string `json:"since,omitempty"`
	Episodes int    `json:"episodes"` // live, those that say nothing of it too
	Felt
	Weeks []FeltWeek `json:"weeks"` // the oldest first; those without any are left out
}

// Felt is how some episodes felt.
type Felt struct {
	Count       int          `json:"count"`
	MeanValence *float64     `json:"mean_valence,omitempty"` // -1 to 1
	MeanArousal *float64     `json:"mean_arousal,omitempty"` // 0 to 1
	Labels      []LabelCount `json:"labels"`                 // the most frequent first
}

// LabelCount is how many episodes name a feeling.
type LabelCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// FeltWeek is how the episodes of a week felt.
type FeltWeek struct {
	Week string `json:"week"` // its Monday
	Felt
}

// EmotionSearchRequest asks for episodes by how they felt.
type EmotionSearchRequest struct {
	MinValence *float64 `json:"min_valence,omitempty" jsonschema:"-1 to 1"`
	MaxValence *float64 `json:"max_valence,omitempty" jsonschema:"-1 to 1"`
	MinArousal *float64 `json:"min_arousal,omitempty" jsonschema:"0 to 1"`
	MaxArousal *float64 `json:"max_arousal,omitempty" jsonschema:"0 to 1"`
	Label      string   `json:"label,omitempty" jsonschema:"the name of a feeling"`
	Limit      int      `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}
