package api

// Gathered says that a question wants everything there is of something, and how it was answered: through all
// memories by name, words and time, and not by the best few.
type Gathered struct {
	Form  string   `json:"form"`            // of the question: all, list, which, are, times, about, name or time
	Names []string `json:"names,omitempty"` // whom or what they must be about
	Words []string `json:"words,omitempty"` // of which they must have some
	Since string   `json:"since,omitempty"`
	Until string   `json:"until,omitempty"`
	Found int      `json:"found"`          // memories, whether the budget holds them or not
	More  bool     `json:"more,omitempty"` // there are older ones, which were not looked at
}
