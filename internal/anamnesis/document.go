// Package anamnesis reads and writes documents of the Memory Provenance Schema,
// draft v0.1, and turns them into notes and memories into them. It needs no
// store: what a document says of witnesses, anchors and trust is a stranger's
// word, which is kept and shown and never counted.
package anamnesis

import (
	"encoding/json"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/memory"
)

// SchemaURL is what $schema says in documents that were made here.
const SchemaURL = "https://anamnesis.dev/schemas/memory-v0.1.json"

// Bounds of what is read.
const (
	// MaxDocument bounds one document, in bytes.
	MaxDocument = memory.MaxRecord
	// MaxEntries bounds each list of a document.
	MaxEntries = memory.MaxSources
	// MaxID bounds the id of a document and those it cites, in bytes.
	MaxID = memory.MaxNameBytes
	// MaxNesting is how many arrays and objects may be open at once: in a record
	// a document stands two objects deep.
	MaxNesting = canon.MaxDepth - 2
)

// The closed lists of the schema. Of the anchors, file, rfc3161 and tlog are
// ours.
var (
	ContentTypes = []string{"insight", "encounter", "decision", "correction", "observation"}
	Attestations = memory.Attestations
	AnchorTypes  = memory.AnchorTypes
)

// Unknown holds the members that the schema does not know, as canonical JSON,
// at the level where they stood.
type Unknown map[string]json.RawMessage

// A Document is one memory as the schema spells it. A nil pointer or list is a
// member that is absent; an empty one is there and empty.
type Document struct {
	Schema     *string // $schema
	ID         string
	Version    *int64 // from 1
	Content    Content
	Provenance Provenance
	Witnesses  []Witness
	Anchors    []Anchor
	Lineage    *Lineage
	Trust      *Trust
	Unknown    Unknown
}

// Content is what the memory says.
type Content struct {
	Type    string // one of ContentTypes
	Summary string // one line
	Body    *string
	Tags    []string
	Unknown Unknown
}

// Provenance is where it comes from, as the document claims.
type Provenance struct {
	Author    Author
	CreatedAt string // RFC 3339, in the spelling it came in
	Context   *Context
	Unknown   Unknown
}

// Author is who wrote it. The name is bound to no key.
type Author struct {
	AgentID   string
	Platform  *string
	Signature *string
	Unknown   Unknown
}

// Context is in what situation it was written.
type Context struct {
	SessionID  *string
	Trigger    *string
	Confidence *memory.Confidence
	Unknown    Unknown
}

// Witness is what the document says another agent said of it.
type Witness struct {
	AgentID     string
	WitnessedAt *string
	Attestation string // one of Attestations
	Signature   *string
	Notes       *string
	Unknown     Unknown
}

// Anchor is what the document says holds it to the outside.
type Anchor struct {
	Type      string // one of AnchorTypes
	Reference string
	CreatedAt *string
	Hash      *string
	Unknown   Unknown
}

// SHA256 returns the digest that an anchor states, as 64 lower-case hex digits, with
// or without "sha256:" before it, or "" if what it states is no such digest.
func (a *Anchor) SHA256() string {
	if a.Hash == nil {
		return ""
	}
	digits := strings.ToLower(strings.TrimPrefix(*a.Hash, "sha256:"))
	if id, err := memory.ParseID(digits); err != nil || id.IsZero() {
		return ""
	}
	return digits
}

// Lineage is what the document says it came from. In Supersedes and
// SupersededBy a pointer to "" is null: there is none, and the document says so.
type Lineage struct {
	Supersedes   *string
	SupersededBy *string
	DerivedFrom  []string
	ChainDepth   *int64
	Unknown      Unknown
}

// Trust is a score. In a document that was read it is what its author would
// like us to think; only Render makes one that was computed.
type Trust struct {
	Score      json.Number // 0 to 1; "" is absent
	Factors    *Factors
	ComputedAt *string
	Unknown    Unknown
}

// Factors are what a score was computed from.
type Factors struct {
	AuthorReputation json.Number // 0 to 1; "" is absent
	WitnessCount     *int64
	AnchorCount      *int64
	AgeDays          json.Number // "" is absent
	DisputeCount     *int64
	Unknown          Unknown
}
