package api

// RestoreRequest names a backup.
type RestoreRequest struct {
	From   string `json:"from"`              // a backup, or any other file that is a store
	Force  bool   `json:"force,omitempty"`   // a store that is there is moved aside
	DryRun bool   `json:"dry_run,omitempty"` // only say what would be lost
}

// RestoreReply says what is in the backup, and what of the store that was there is
// not.
type RestoreReply struct {
	File    string         `json:"file"` // the store
	From    string         `json:"from"`
	Store   string         `json:"store"`          // its name
	Made    string         `json:"made,omitempty"` // when the backup was, if it is one
	Aside   string         `json:"aside,omitempty"`
	Records int64          `json:"records"`          // in the backup
	Lost    int            `json:"lost"`             // that the store had, and the backup has not
	Kinds   map[string]int `json:"kinds,omitempty"`  // of those
	Purges  int            `json:"purges,omitempty"` // among them: the words they removed come back
	Spaces  []RestoreSpace `json:"spaces"`
	// Held are checkpoints which somebody else holds and to which the restored log does not
	// lead.
	Held     []HeldCheckpoint `json:"held,omitempty"`
	Unread   string           `json:"unread,omitempty"`
	Restored bool             `json:"restored"`
}

// HeldCheckpoint is a checkpoint that somebody else holds of a log.
type HeldCheckpoint struct {
	Space  string `json:"space"`
	Size   int64  `json:"size"`
	By     string `json:"by"`
	Status string `json:"status"`
}

// RestoreSpace compares the log of a space in the backup with the store's.
type RestoreSpace struct {
	Space  string `json:"space"`
	Size   int64  `json:"size"` // in the backup
	Root   string `json:"root"` // base64
	Had    int64  `json:"had"`  // in the store
	Lost   int    `json:"lost"`
	Status string `json:"status"` // ok, history_rewritten or behind_witness
}
