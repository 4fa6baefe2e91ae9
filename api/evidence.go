package api

// EvidenceReply is what a memory rests on.
type EvidenceReply struct {
	Belief *Node `json:"belief"`
	// Evidence is the episodes, notes and raws behind the memory, each once.
	Evidence           Evidence `json:"evidence"`
	TotalEvidenceCount int      `json:"total_evidence_count"` // episodes, notes and raws
	DirectEpisodes     int      `json:"direct_episodes"`      // those it, or a revision it replaced, names itself
	SourceRawEntries   int      `json:"source_raw_entries"`
	Missing            []string `json:"missing,omitempty"` // cited, but not held here
	// SaidIn is the turns of conversations that what agents wrote of it comes from. They are no evidence that counts.
	SaidIn []*Node `json:"said_in,omitempty"`

	// NoLongerCounts is also behind it and does not count any more, or is behind it only through
	// what does not.
	NoLongerCounts []FallenEvidence `json:"no_longer_counts"`
}

// Evidence is the episodes, notes and raws behind a memory, each once.
type Evidence struct {
	Episodes   []EpisodeEvidence `json:"episodes"`
	Notes      []NoteEvidence    `json:"notes"`
	RawEntries []RawEvidence     `json:"raw_entries"`
}

// EpisodeEvidence is an episode behind a memory.
type EpisodeEvidence struct {
	ID        string   `json:"id"`
	Objective string   `json:"objective"`
	Text      string   `json:"text,omitempty"` // all that it says, where that is more
	At        string   `json:"at,omitempty"`   // when it was said or happened
	By        string   `json:"by,omitempty"`   // who wrote it, where another person did
	Outcome   string   `json:"outcome"`        // success, failure, partial or unknown
	Lessons   []string `json:"lessons"`
	Marks     []string `json:"marks,omitempty"`
}

// NoteEvidence is a note behind a memory.
type NoteEvidence struct {
	ID       string   `json:"id"`
	NoteType string   `json:"note_type"`
	Content  string   `json:"content"`
	Text     string   `json:"text,omitempty"`
	At       string   `json:"at,omitempty"`
	By       string   `json:"by,omitempty"`
	Marks    []string `json:"marks,omitempty"`
}

// RawEvidence is a raw behind a memory, with its words.
type RawEvidence struct {
	ID         string   `json:"id"`
	Blob       string   `json:"blob"`
	Speaker    string   `json:"speaker,omitempty"`
	At         string   `json:"at,omitempty"`
	By         string   `json:"by,omitempty"`
	CapturedAt string   `json:"captured_at"`
	OccurredAt string   `json:"occurred_at,omitempty"`
	Purged     bool     `json:"purged,omitempty"`
	Marks      []string `json:"marks,omitempty"`
}

// FallenEvidence is something behind a memory that does not count any more.
type FallenEvidence struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Text     string `json:"text,omitempty"`
	At       string `json:"at,omitempty"`
	Why      string `json:"why"` // rejected, quarantined, disputed, … or what it stands behind that is
}
