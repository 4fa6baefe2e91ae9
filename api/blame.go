package api

// BlameRequest asks which session of an agent wrote lines of code, and on what they rest.
type BlameRequest struct {
	File   string `json:"file,omitempty" jsonschema:"a file of the repository: FILE, FILE:LINE or FILE:FROM-TO"`
	Commit string `json:"commit,omitempty" jsonschema:"a commit: what it brought in or, with a file, the file as it was"`
}

// BlameReply says it of each line.
type BlameReply struct {
	Root     string         `json:"root"`             // of the repository
	File     string         `json:"file,omitempty"`   // in it
	Commit   string         `json:"commit,omitempty"` // that was asked for
	Lines    int            `json:"lines"`
	Seen     int            `json:"seen"` // lines that a session wrote while stemma's hooks looked on
	Parts    []BlamePart    `json:"parts"`
	Sessions []BlameSession `json:"sessions"` // that wrote them, those with the most lines first
	Notes    []string       `json:"notes,omitempty"`
}

// BlamePart is lines that stand together, of one commit and one author.
type BlamePart struct {
	File    string   `json:"file"`
	From    int      `json:"from"`
	To      int      `json:"to"`
	Text    []string `json:"text,omitempty"`
	Commit  string   `json:"commit,omitempty"` // "" is not committed yet
	Summary string   `json:"summary,omitempty"`
	Author  string   `json:"author,omitempty"` // as git has it
	At      string   `json:"at,omitempty"`
	Path    string   `json:"path,omitempty"` // in that commit, where it was another
	Seen    string   `json:"seen"`           // "yes", "no" (not seen by stemma) or "unknown" (the history ends there)
	Session string   `json:"session,omitempty"`
	Host    string   `json:"host,omitempty"`
	Agent   string   `json:"agent,omitempty"`  // the sub-agent, where one wrote it
	Edited  string   `json:"edited,omitempty"` // when
	// Noted is the signed record that says so, made at a commit; "" is a note of a hook on this machine.
	Noted   string `json:"noted,omitempty"`
	NotedBy string `json:"noted_by,omitempty"` // who signed it, where that was another person
}

// BlameSession is one session of an agent that wrote lines.
type BlameSession struct {
	Session     string       `json:"session"`
	Host        string       `json:"host,omitempty"`
	Lines       int          `json:"lines"`
	Prompts     []BlameSaid  `json:"prompts"` // the last ones before its edits, the newest first
	MorePrompts int          `json:"more_prompts,omitempty"`
	Given       []BlameGiven `json:"given"` // memories that it had been given and that bear on the lines
	GivenInAll  int          `json:"given_in_all"`
}

// BlameSaid is a prompt.
type BlameSaid struct {
	Ref  string `json:"ref"`
	At   string `json:"at"`
	Text string `json:"text"`
}

// BlameGiven is a memory that a session had been given before it wrote.
type BlameGiven struct {
	LinkEnd
	At        string     `json:"at,omitempty"` // when it was given
	Bears     string     `json:"bears"`        // why it bears on the lines
	Decisions []Decision `json:"decisions,omitempty"`
}

// Followed is a commit, or an edit that is in none yet, of a session that had been given a memory.
type Followed struct {
	Commit  string   `json:"commit,omitempty"`
	Session string   `json:"session"`
	Host    string   `json:"host,omitempty"`
	At      string   `json:"at"`
	Files   []string `json:"files"`           // FILE:LINES as they were in the commit, or FILE
	Noted   string   `json:"noted,omitempty"` // the signed record
}
