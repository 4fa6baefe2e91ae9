package core

import (
	"bytes"
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/memory"
)

// ImportDetector found that a record has other words where it comes from.
const ImportDetector = "import"

// mineMember is the member of ext that says that a person imported their own words. Only an import
// writes it: a file that has such a member keeps it under another name. Its value has the form by which a
// store finds what people said.
const (
	mineMember = "stemma_mine"
	mineValue  = `{"origin":"owner"}`
	notOurs    = "stemma_mine_there"
)

// WithMine returns what a record keeps besides, with or without the word that it is the person's own.
func WithMine(ext []byte, mine bool) ([]byte, error) {
	if !mine && !bytes.Contains(ext, []byte(mineMember)) {
		return ext, nil
	}
	all := make(map[string]json.RawMessage)
	if len(ext) > 0 {
		if err := json.Unmarshal(ext, &all); err != nil {
			return nil, Invalid("ext: %v", err)
		}
	}
	if said, has := all[mineMember]; has {
		delete(all, mineMember)
		all[notOurs] = said
	}
	if mine {
		all[mineMember] = json.RawMessage(mineValue)
	}
	return canon.Marshal(all)
}

// Mine reports whether a person imported a record as their own words.
func Mine(r *memory.Record) bool {
	if r == nil || r.Header.Origin != memory.OriginImport || !bytes.Contains(r.Header.Ext, []byte(mineMember)) {
		return false
	}
	var all map[string]json.RawMessage
	return json.Unmarshal(r.Header.Ext, &all) == nil && string(all[mineMember]) == mineValue
}

// Elsewhere reports whether the words of a record come from outside of who signed it: an import that no
// person says is their own, or what a tool printed.
func Elsewhere(r *memory.Record) bool {
	return r.Header.Origin == memory.OriginTool || r.Header.Origin == memory.OriginImport && !Mine(r)
}
