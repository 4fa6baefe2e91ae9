package core

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/journal"
)

// A Copy is a backup that was begun on this machine.
type Copy struct {
	Store string    `json:"store"` // the name of the store
	File  string    `json:"file"`
	At    time.Time `json:"at"`
}

const (
	copiesFile = "copies.jsonl"
	mostCopies = 256 << 10 // bytes of it
)

// NoteCopy notes a backup before it begins, so that a purge finds what an interrupted one left, and names the others.
func (e *Core) NoteCopy(c Copy) error {
	if e.C.Data == "" {
		return nil
	}
	return journal.Open(filepath.Join(e.C.Data, copiesFile), mostCopies).Append(c.At.Format(time.RFC3339Nano), c)
}

// Copies returns the backups of a store, each file once.
func (e *Core) Copies(name string) (out []Copy) {
	if e.C.Data == "" {
		return nil
	}
	for line, err := range journal.Open(filepath.Join(e.C.Data, copiesFile), mostCopies).All() {
		var c Copy
		if err == nil && json.Unmarshal(line.JSON, &c) == nil && c.Store == name &&
			!slices.ContainsFunc(out, func(o Copy) bool { return o.File == c.File }) {
			out = append(out, c)
		}
	}
	return out
}

// HalfMade begins the name of a copy of a store that is not whole yet.
const HalfMade = ".stemma-copy-"
