package api

import (
	"time"
)

// SyncState is how exchanges with a remote went, whoever began them.
type SyncState struct {
	Last     string `json:"last,omitempty"`     // when one last went through
	Tried    string `json:"tried,omitempty"`    // when one last ended
	Failures int    `json:"failures,omitempty"` // since then, in a row
	Problem  string `json:"problem,omitempty"`  // of the last one, if it failed
}

// AutoSync asks for an exchange that no one waits for.
type AutoSync struct {
	Remote string
	Quiet  time.Duration // one that ended so short a time ago is enough
}

// AutoSynced says what came of it.
type AutoSynced struct {
	SyncReply
	Skipped  bool   // another process does it, did so a moment ago, or was faster
	Failures int    // in a row
	Problem  string // of this one
}
