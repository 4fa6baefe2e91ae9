package api

import (
	"time"
)

// BackupReply says what was copied, and what it was at that moment.
type BackupReply struct {
	File     string    `json:"file"`
	Store    string    `json:"store"` // its name
	At       time.Time `json:"at"`
	Bytes    int64     `json:"bytes"`
	Records  int64     `json:"records"`
	Replaced bool      `json:"replaced,omitempty"` // an older backup
	Keys     string    `json:"keys"`               // where the keys lie, which are not in it
	// Spaces is what the log of each space was.
	Spaces []BackupSpace `json:"spaces"`
}

// BackupSpace is the log of one space as a backup has it.
type BackupSpace struct {
	Space string `json:"space"`
	Size  int64  `json:"size"`
	Root  string `json:"root"`           // base64
	Note  string `json:"note,omitempty"` // signed, of the owner's own spaces
}
