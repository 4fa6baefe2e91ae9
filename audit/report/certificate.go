package report

// A Certificate is the signed statement that a list of records was erased. It says of what kinds they were and how
// many, and nothing of what they said or of whom. Its JSON is a promise.
type Certificate struct {
	V     int              `json:"v"`
	ID    string           `json:"id"` // random, so that no two are alike
	At    string           `json:"at"`
	By    string           `json:"by"`    // did:key of the owner who ordered it, and who signed this
	Store string           `json:"store"` // the random name of the store
	Logs  []CertificateLog `json:"logs"`  // of the store, with the act in them
	List  string           `json:"list"`  // the digest of the refs
	Act   []string         `json:"act"`   // the signed marks that order it
	// Erased is how many records, by kind.
	Erased map[string]int    `json:"erased"`
	Probes CertificateProbes `json:"probes"`
	// Kept is how many records stay: decisions and keys that name the person, others' records, records that repeat six
	// words of what went, records that may only look like it, records that the request left out.
	Kept    map[string]int      `json:"kept"`
	Copies  int                 `json:"copies"` // half-made copies that were deleted
	Remotes []CertificateRemote `json:"remotes"`
	// Unreached are places that may still have the words.
	Unreached []CertificatePlace `json:"unreached"`
}

// A CertificateLog is one log of the store, by its length and root.
type CertificateLog struct {
	Size int64  `json:"size"`
	Root string `json:"root"`
}

// CertificateProbes says what was looked for: spans of six words, and words that say much, of what was erased, none of
// which stand in a record that stays.
type CertificateProbes struct {
	Spans  int   `json:"spans"`
	Words  int   `json:"words"`
	Before int   `json:"before"` // found before the act, by the same search
	Found  int   `json:"found"`  // found after it
	Tables int   `json:"tables"` // searched, after
	Files  int   `json:"files"`
	Bytes  int64 `json:"bytes"`
}

// A CertificateRemote is a remote, and what it and the machines behind it said after the act.
type CertificateRemote struct {
	Name      string `json:"name"`
	State     string `json:"state"` // erased, words, waiting, archived, away, denied
	Machines  int    `json:"machines"`
	Confirmed int    `json:"confirmed"`
}

// A CertificatePlace is a place out of reach.
type CertificatePlace struct {
	What  string `json:"what"`
	Where string `json:"where,omitempty"` // the name of a file or a remote
	Count int    `json:"count,omitempty"`
}
