package api

import (
	"github.com/stemma-memory/stemma/memory"
)

// SyncRequest asks for an exchange of records.
type SyncRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which; empty is the only one"`
	Push   bool   `json:"push,omitempty" jsonschema:"only give; neither push nor pull is both"`
	Pull   bool   `json:"pull,omitempty" jsonschema:"only take"`
}

// SyncReply says what came of it.
type SyncReply struct {
	Remote string `json:"remote"`
	Pushed int    `json:"pushed"`
	Pulled int    `json:"pulled"`
	Failed int    `json:"failed"`         // peers and spaces with which it did not go through
	Busy   bool   `json:"busy,omitempty"` // another sync with it was under way and does the rest: no failure
	// Withheld is how many records the peers call purged while no purge by an owner is known
	// here, and the record is not either.
	Withheld int `json:"withheld,omitempty"`
	// Reasons say why records were not taken, here or there, most of them first.
	Reasons []NotTaken `json:"reasons,omitempty"`
	// Uncounted are your decisions that do not count, in spaces that you no longer keep or own since this sync: they had
	// not reached the owner when that ended.
	Uncounted []UncountedDecisions `json:"uncounted,omitempty"`
	// KeptBack are spaces of one's own that are not exchanged until a person says whose the remote is.
	KeptBack []string   `json:"kept_back,omitempty"`
	Peers    []SyncPeer `json:"peers"`
}

// UncountedDecisions are your decisions in a space that do not count.
type UncountedDecisions struct {
	Space string   `json:"space"`
	Count int      `json:"count"`
	Refs  []string `json:"refs"` // at most 20
}

// SyncPeer is one peer behind a remote: a hub is one, a folder is one for each store
// that writes to it.
type SyncPeer struct {
	Name    string      `json:"name,omitempty"` // of its store
	Spaces  []SyncSpace `json:"spaces"`
	Problem string      `json:"problem,omitempty"` // why it ended early
	Code    string      `json:"code,omitempty"`    // of that: history_rewritten, denied, unreachable, busy, …

	Answers []string     `json:"answers,omitempty"` // refs of what witnesses said whom this store asked
	Waiting int          `json:"waiting,omitempty"` // requests to be a witness
	Unfit   []SyncRefuse `json:"unfit,omitempty"`   // answers that were not taken, by the id of the request
}

// SyncSpace is what came of one space.
type SyncSpace struct {
	Space    string       `json:"space"`
	Pushed   int          `json:"pushed"`
	Pulled   int          `json:"pulled"`
	Size     int64        `json:"size"`               // of the peer's log
	Cosigned int64        `json:"cosigned,omitempty"` // how much of the log here the peer signed that it saw
	Refused  []SyncRefuse `json:"refused,omitempty"`  // of what the peer gave, at most 20; Reasons count all
	Back     []SyncRefuse `json:"back,omitempty"`     // what the peer did not take, at most 20
	// refs of what the peer calls purged, and of which no purge is known here
	Withheld []string `json:"withheld,omitempty"`
	// WithheldMore says that there may be more than could be remembered.
	WithheldMore bool   `json:"withheld_more,omitempty"`
	Problem      string `json:"problem,omitempty"`
	Code         string `json:"code,omitempty"` // history_rewritten, denied, …
	// something was written here that stays here: the peer lets this store only read the space
	Kept bool `json:"kept,omitempty"`

	Gone     []memory.Ref `json:"-"` // what Withheld is found in
	GoneMore bool         `json:"-"`
}

// SyncRefuse is a record that was not taken.
type SyncRefuse struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}
