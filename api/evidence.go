package api

// EvidenceReply is what a memory rests on.
type EvidenceReply struct {
	Belief *Node `json:"belief"`
	// Evidence is the episodes, notes and raws behind the memory, each once.
	Evidence struct {
		// Episodes are those behind it.
		Episodes []struct {
			ID        string   `json:"id"`
			Objective string   `json:"objective"`
			Outcome   string   `json:"outcome"` // success, failure, partial or unknown
			Lessons   []string `json:"lessons"`
			Marks     []string `json:"marks,omitempty"`
		} `json:"episodes"`
		// Notes are those behind it.
		Notes []struct {
			ID      string   `json:"id"`
			Type    string   `json:"note_type"`
			Content string   `json:"content"`
			Marks   []string `json:"marks,omitempty"`
		} `json:"notes"`
		// Raws are those behind it, with their words.
		Raws []struct {
			ID         string   `json:"id"`
			Blob       string   `json:"blob"`
			Speaker    string   `json:"speaker,omitempty"`
			CapturedAt string   `json:"captured_at"`
			OccurredAt string   `json:"occurred_at,omitempty"`
			Purged     bool     `json:"purged,omitempty"`
			Marks      []string `json:"marks,omitempty"`
		} `json:"raw_entries"`
	} `json:"evidence"`
	Total   int      `json:"total_evidence_count"` // episodes, notes and raws
	Direct  int      `json:"direct_episodes"`      // those it, or a revision it replaced, names itself
	Raws    int      `json:"source_raw_entries"`
	Missing []string `json:"missing,omitempty"` // cited, but not held here

	// Fallen is also behind it and does not count any more, or is behind it only through
	// what does not.
	Fallen []struct {
		Ref      string `json:"ref"`
		Headline string `json:"headline"`
		Why      string `json:"why"` // rejected, quarantined, disputed, … or what it stands behind that is
	} `json:"no_longer_counts"`
}
