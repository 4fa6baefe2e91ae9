package api

import (
	"github.com/stemma-memory/stemma/memory"
)

// A Foreign is a record that was somewhere else before: a commit, a turn of a
// conversation, a line of a log. Its alias is the id it had there.
type Foreign struct {
	Alias []string    // at least one; the first makes importing it again do nothing
	Body  memory.Body // what it says
	Meta  Meta
	From  []string   // aliases of what it was derived from
	Via   memory.Via // how the original came about, if it said; "" is import
	Ext   []byte     // unknown members of the original, a JSON object

	// Supersedes is the alias of what it took the place of. That only counts for
	// records that were imported themselves and that no person stands up for.
	Supersedes string

	Was  []string // ids that earlier versions gave it: it is looked for by them too
	Gone string   // why it was deleted or forgotten where it comes from; "" is not
	Mine bool     // its words are those of the person who imports it, as that person says

	Document any `json:"-"` // of a document; Meta, From, Via and Ext are not looked at then
}

// IngestReply counts what was taken in.
type IngestReply struct {
	Read         int                 `json:"read"`
	Added        int                 `json:"added"`
	AlreadyThere int                 `json:"already_there"`
	Changed      int                 `json:"changed,omitempty"` // ids that are held with other words: each is proposed
	Purged       int                 `json:"purged,omitempty"`  // ids that were purged here: they stay so
	ByKind       map[memory.Kind]int `json:"by_kind"`           // of those added

	Changes []LinkView `json:"changes,omitempty"` // the first hundred of them: what is held, and what it says there now

	Redacted map[string]int `json:"redacted,omitempty"` // records that secrets were taken out of, by rule

	// memories of the same words that a person rejected: the words were kept as raws, the first hundred
	Rejected []Rejection `json:"rejected,omitempty"`
}
