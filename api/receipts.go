package api

import (
	"encoding/json"
)

// A Receipt says what a search or a pack gave, so that it can be told later why
// an agent believed what it did. It is local, and never synced.
type Receipt struct {
	ID      string `json:"id"`
	Op      string `json:"op"` // search, context or load
	At      string `json:"at"`
	Origin  string `json:"origin"`
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Space   string `json:"space,omitempty"` // where it was asked: what the caller reads by itself; "" is an older receipt
	Key     string `json:"key,omitempty"`   // the session's key that asked; "" is the agent's own
	// which store answered: the beginning of a digest of its path or address
	Store    string          `json:"store,omitempty"`
	Path     string          `json:"path,omitempty"` // of the store, where it is a file
	Query    string          `json:"query,omitempty"`
	Request  json.RawMessage `json:"request"`
	Embedder string          `json:"embedder,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Results  []Receipted     `json:"results"`
	// Withheld is what was found and not given, and why: memories that are hidden, and how many others. Nil is that it
	// was not noted.
	Withheld []Withheld `json:"withheld,omitzero"`
}

// Withheld is a memory that was found and not given, or so many of them.
type Withheld struct {
	Ref    string `json:"ref,omitempty"`
	Reason string `json:"reason"`
	Count  int    `json:"count,omitempty"` // of those that are not named
}

// Receipted is one memory that was given.
type Receipted struct {
	Rank      int     `json:"rank"`
	Ref       string  `json:"ref"`
	Text      string  `json:"text"`
	Score     float64 `json:"score,omitempty"`
	Factors   Factors `json:"factors,omitzero"`
	Tier      string  `json:"tier,omitempty"`
	Review    string  `json:"review,omitempty"`   // as it was then: approved, proposed, …
	Level     string  `json:"level,omitempty"`    // of trust, as it was then
	Signature string  `json:"signature"`          // valid, invalid or none
	Remote    string  `json:"remote,omitempty"`   // whose word it was, where it was not held here
	External  bool    `json:"external,omitempty"` // words from outside that no independent person confirmed
}

// ReceiptsRequest asks what was answered.
type ReceiptsRequest struct {
	Limit   int    `json:"limit,omitempty" jsonschema:"0 is 20, -1 is all"`
	Since   string `json:"since,omitempty" jsonschema:"a time, or how long ago such as 2h"`
	Until   string `json:"until,omitempty" jsonschema:"a time, or how long ago"`
	Session string `json:"session,omitempty"`
	Ref     string `json:"ref,omitempty" jsonschema:"only answers that had this memory"`

	AllStores bool `json:"all_stores,omitempty" jsonschema:"receipts of every store, not only this one; for a person"`
}

// ReceiptsReply lists receipts, the newest first.
type ReceiptsReply struct {
	Receipts   []Receipt `json:"receipts"`
	More       bool      `json:"more,omitempty"`
	Unreadable int       `json:"unreadable,omitempty"` // lines of the file that are none
}

// ReceiptRequest names a receipt by its id or the beginning of it.
type ReceiptRequest struct {
	ID string `json:"id"`
}
