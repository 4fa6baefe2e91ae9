// Package ext is what this project's programs keep in the member ext of the records that they sign.
package ext

import (
	"encoding/json"

	"github.com/stemma-memory/stemma/memory"
)

// Names of members.
const (
	SaidAt       = "said_at"       // when the words of a later draft were said
	AfterOutside = "after_outside" // an Exposure
)

// Text returns a member that is a text, "" where there is none.
func Text(h *memory.Header, name string) string {
	var all map[string]json.RawMessage
	var out string
	if len(h.Ext) == 0 || json.Unmarshal(h.Ext, &all) != nil || json.Unmarshal(all[name], &out) != nil {
		return ""
	}
	return out
}

// With returns what a header keeps besides with one member that is a text; "" takes it away.
func With(raw json.RawMessage, name, value string) json.RawMessage {
	all := make(map[string]json.RawMessage)
	if len(raw) > 0 && json.Unmarshal(raw, &all) != nil {
		return raw
	}
	if _, has := all[name]; !has && value == "" {
		return raw
	}
	if delete(all, name); value != "" {
		all[name], _ = json.Marshal(value)
	}
	if len(all) == 0 {
		return nil
	}
	out, err := json.Marshal(all) // members in order, as a signed document has them
	if err != nil {
		return raw
	}
	return out
}

// An Exposure says what words that an agent wrote are to the outside words which it had been shown before.
type Exposure string

// What they are to each other.
const (
	NotExposed Exposure = ""
	Repeats    Exposure = "repeats" // most of the words are those from outside
	HadRead    Exposure = "read"    // they are the agent's own
	SaidThere  Exposure = "said"    // a person said them in the same conversation
)

// ExposureOf returns what a record says of that; NotExposed is that it says nothing. Only what an agent wrote says
// something: the program that wrote it had the conversation before it.
func ExposureOf(r *memory.Record) Exposure {
	if r.Header.Origin != memory.OriginAgent {
		return NotExposed
	}
	switch out := Exposure(Text(&r.Header, AfterOutside)); out {
	case Repeats, HadRead, SaidThere:
		return out
	}
	return NotExposed
}
