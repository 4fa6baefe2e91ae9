package report

// An AttestedChange says which sessions of agents wrote which lines of a change, and what those had been given. It is
// the predicate of an in-toto Statement whose subjects are the commits. Without words it has refs, which are digests of
// signed records, and the keys of people; with them also what those say, and names. Its JSON is a promise: members are
// added and never change their meaning.
type AttestedChange struct {
	At      string `json:"at"`
	By      string `json:"by"`             // did:key of the owner of the store, who signed this
	Owner   string `json:"owner"`          // did:key that began their history; another only after a rotation
	Store   string `json:"store"`          // its random name
	Base    string `json:"base,omitempty"` // the commit that the range begins after
	Head    string `json:"head"`
	Words   bool   `json:"words"`
	Lines   int    `json:"lines"`    // that the commits brought in
	Seen    int    `json:"seen"`     // of them, by sessions that stemma saw
	NotSeen int    `json:"not_seen"` // of them, by a person or another program: not seen by stemma

	Commits  []AttestedCommit  `json:"commits"` // the newest first
	Sessions []AttestedSession `json:"sessions"`
	Memories []AttestedMemory  `json:"memories"` // that the sessions had been given
	Code     []AttestedCode    `json:"code"`     // memories that name code which the change touches
	NotKnown []string          `json:"not_known"`
}

// An AttestedCommit is what one commit brought in. Of a merge only lines count that no parent has.
type AttestedCommit struct {
	Commit    string         `json:"commit"`
	Merge     bool           `json:"merge,omitempty"`
	Lines     int            `json:"lines"`
	Seen      int            `json:"seen"`
	Files     []AttestedFile `json:"files"`
	MoreFiles int            `json:"more_files,omitempty"` // that are not listed
}

// An AttestedFile is one file of a commit. A binary file has no lines, and those of a submodule are in its own
// repository.
type AttestedFile struct {
	Path      string          `json:"path"`
	Lines     int             `json:"lines"`
	Seen      int             `json:"seen"`
	Binary    bool            `json:"binary,omitempty"`
	Submodule bool            `json:"submodule,omitempty"`
	By        []AttestedLines `json:"by,omitempty"`
}

// AttestedLines are the lines of one session in a file.
type AttestedLines struct {
	Session int    `json:"session"` // its place in sessions, from 0
	Agent   string `json:"agent,omitempty"`
	Lines   string `json:"lines"`           // in the commit: "3-7,12"
	Noted   string `json:"noted,omitempty"` // the signed record that says so; "" is a note of the machine that attests
	// NotedBy is the did:key that began the history of who signed that record, where it was another person.
	NotedBy string `json:"noted_by,omitempty"`
}

// An AttestedSession is one session of an agent that wrote lines.
type AttestedSession struct {
	Session  string           `json:"session"`
	Host     string           `json:"host,omitempty"`
	Lines    int              `json:"lines"`
	Last     string           `json:"last"` // its last edit in the change
	Prompts  []AttestedPrompt `json:"prompts"`
	More     int              `json:"more_prompts,omitempty"`
	Given    []AttestedGiven  `json:"given"` // before that edit
	Withheld []AttestedHeld   `json:"withheld"`
	// Unknown says why what was withheld is not known, or not for all answers.
	Unknown string `json:"withheld_unknown,omitempty"`
}

// An AttestedPrompt is what a session was asked.
type AttestedPrompt struct {
	Ref   string `json:"ref"`
	At    string `json:"at"`
	Words string `json:"words,omitempty"`
}

// AttestedGiven is one memory that a session had been given, as it stood then.
type AttestedGiven struct {
	Ref     string `json:"ref"`
	At      string `json:"at,omitempty"`
	Receipt string `json:"receipt,omitempty"` // "" is that a signed record of a commit says so, and not how it stood
	Tier    string `json:"tier,omitempty"`
	Review  string `json:"review,omitempty"`
	Level   string `json:"level,omitempty"`
	Outside bool   `json:"outside,omitempty"` // words from outside that no independent person had confirmed
}

// AttestedHeld is what a session was not given although it was found: a memory, or so many of them.
type AttestedHeld struct {
	Ref    string `json:"ref,omitempty"`
	Reason string `json:"reason"`
	Count  int    `json:"count,omitempty"`
}

// An AttestedMemory is a memory as it stands when the change is attested.
type AttestedMemory struct {
	Ref        string             `json:"ref"`
	Missing    string             `json:"missing,omitempty"` // purged, or not held: nothing else is known
	Hidden     string             `json:"hidden,omitempty"`  // quarantined, rejected, superseded, …
	Author     string             `json:"author,omitempty"`  // did:key that wrote it
	Owner      string             `json:"owner,omitempty"`   // did:key of the person behind that key
	Agent      string             `json:"agent,omitempty"`
	Origin     string             `json:"origin,omitempty"`
	Via        string             `json:"via,omitempty"`
	At         string             `json:"at,omitempty"`
	From       []string           `json:"from,omitempty"` // its direct sources
	Tier       string             `json:"tier,omitempty"`
	Review     string             `json:"review,omitempty"`
	Level      string             `json:"level,omitempty"`
	Actionable bool               `json:"actionable,omitempty"`
	Outside    bool               `json:"outside,omitempty"` // outside words are behind it, not confirmed
	Disputed   bool               `json:"disputed,omitempty"`
	Decisions  []AttestedDecision `json:"decisions,omitempty"`
	Speaker    string             `json:"speaker,omitempty"` // with words
	Source     string             `json:"source,omitempty"`  // with words
	Words      string             `json:"words,omitempty"`   // with words, and not of a hidden one
}

// An AttestedDecision is one act by which somebody decided about a memory.
type AttestedDecision struct {
	Ref       string `json:"ref"` // of the signed record that says so
	At        string `json:"at"`
	Act       string `json:"act"`
	Key       string `json:"key"`
	Agent     string `json:"agent,omitempty"`
	Counts    bool   `json:"counts"`
	TakenBack bool   `json:"taken_back,omitempty"`
	By        string `json:"by,omitempty"`  // with words: the name
	Why       string `json:"why,omitempty"` // with words
}

// AttestedCode is a memory that names code which the change touches.
type AttestedCode struct {
	Ref   string   `json:"ref"`
	State string   `json:"state"` // verified, needs_review, stale or unknown, as the commit that was checked out has it
	Files []string `json:"files"`
	Words string   `json:"words,omitempty"`
}
