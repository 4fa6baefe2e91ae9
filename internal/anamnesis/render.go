package anamnesis

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// idPrefix begins the ids of documents.
const idPrefix = "mem_"

// ourMember is the member in which what the schema has no place for stands in
// documents that are made here.
const ourMember = "x_stemma"

// MemID returns the id under which a record that was never imported is known in
// documents.
func MemID(id memory.ID) string { return idPrefix + id.String() }

// ParseMemID is the inverse of MemID. Other ids are not of records made here.
func ParseMemID(s string) (memory.ID, bool) {
	digits, ok := strings.CutPrefix(s, idPrefix)
	if !ok {
		return memory.ID{}, false
	}
	id, err := memory.ParseID(digits)
	return id, err == nil && !id.IsZero()
}

// RenderInput is a memory and what is known of it.
type RenderInput struct {
	Record       *memory.Record   // a memory with its signatures
	Witnesses    []*memory.Record // witness claims; those that speak of another record are left out
	Anchors      []*memory.Record // anchor claims, likewise
	SupersededBy memory.Ref       // what replaced it, if anything did
	Depth        int              // how many levels of sources are behind it
	Trust        *Computed        // nil leaves trust out

	// Name returns the id that a record cited in the lineage has in documents; nil
	// is MemID.
	Name func(memory.Ref) string
}

// ours is what x_stemma says of a memory or a claim.
type ours struct {
	Ref        string       `json:"ref"`
	Kind       memory.Kind  `json:"kind"`
	Type       string       `json:"type,omitempty"` // of a note or belief, where the schema has no such type
	Author     string       `json:"author"`         // the key behind the name
	Supersedes []memory.Ref `json:"supersedes,omitempty"`
}

// Render makes the document of a memory. A note that was imported from a document
// gives that document back, with what the record says in place of what ext says,
// followed by what has become known here; the signature in it is the original's.
// Any other is signed by its author, and x_stemma names the record. Trust is
// that of in, never that of a document.
func Render(in RenderInput) *Document {
	r := in.Record
	d := imported(r)
	if d == nil {
		d = native(r)
	}
	if d.Provenance.Author.AgentID == "" {
		d.Provenance.Author.AgentID = r.Header.Author
	}
	for _, w := range claimsOf[*memory.Witness](r, in.Witnesses) {
		d.Witnesses = append(d.Witnesses, witness(w))
	}
	for _, a := range claimsOf[*memory.Anchor](r, in.Anchors) {
		d.Anchors = append(d.Anchors, anchor(a))
	}
	in.addLineage(d)
	if in.Trust != nil {
		d.Trust = in.Trust.trust()
	}
	return d
}

// native makes the document of a memory that was made in a store.
func native(r *memory.Record) *Document {
	h := &r.Header
	us := ours{Ref: r.Ref().String(), Kind: h.Kind, Author: h.Author}
	switch b := r.Body.(type) {
	case *memory.Note:
		us.Type = b.Type
	case *memory.Belief:
		us.Type = b.Type
	}
	d := &Document{
		Schema: new(SchemaURL), ID: MemID(r.ID), Version: new(int64(1)), Content: content(r),
		Provenance: Provenance{
			Author:    Author{AgentID: h.Agent, Platform: optional(h.Platform), Signature: signature(r)},
			CreatedAt: h.At.String(),
			Context:   &Context{SessionID: optional(h.Session), Trigger: optional(h.Trigger), Confidence: new(h.Confidence)},
		},
		Witnesses: []Witness{}, Anchors: []Anchor{},
		Lineage: &Lineage{SupersededBy: new(""), DerivedFrom: []string{}, ChainDepth: new(int64(0))},
	}
	if us.Type == d.Content.Type {
		us.Type = ""
	}
	if p := h.Provenance.Supersedes; len(p) > 1 {
		us.Supersedes = p // the schema names one
	}
	d.Unknown = us.member()
	return d
}

// member returns the one member that the schema does not know.
func (o ours) member() Unknown {
	raw, err := canon.Marshal(o)
	if err != nil {
		return nil // refs to nothing, which no record has
	}
	return Unknown{ourMember: raw}
}

// signature returns the author's signature over the record, not over the document.
func signature(r *memory.Record) *string {
	for _, s := range r.Sigs {
		if s.Key == r.Header.Author && len(s.Sig) == ed25519.SignatureSize {
			return new(base64.StdEncoding.EncodeToString(s.Sig))
		}
	}
	return nil
}

// claimsOf returns those of claims that are of one kind and speak of r, by time,
// each once.
func claimsOf[B memory.Body](r *memory.Record, claims []*memory.Record) []state.Of[B] {
	var out []state.Of[B]
	seen := make(map[memory.ID]bool)
	for _, c := range claims {
		b, ok := state.As[B](c)
		if ok && !seen[c.ID] && slices.Contains(memory.Subjects(b.Body), r.Ref()) {
			seen[c.ID] = true
			out = append(out, b)
		}
	}
	sorting.By(out, func(a, b state.Of[B]) int {
		return cmp.Or(a.Header.At.Time().Compare(b.Header.At.Time()), a.ID.Compare(b.ID))
	})
	return out
}

func claimed(r *memory.Record) Unknown {
	return ours{Ref: r.Ref().String(), Kind: r.Header.Kind, Author: r.Header.Author}.member()
}

func witness(r state.Of[*memory.Witness]) Witness {
	return Witness{
		AgentID: cmp.Or(r.Header.Agent, r.Header.Author), WitnessedAt: optional(r.Header.At.String()),
		Attestation: r.Body.Attestation, Signature: signature(r.Record), Notes: optional(r.Body.Notes),
		Unknown: claimed(r.Record),
	}
}

func anchor(r state.Of[*memory.Anchor]) Anchor {
	return Anchor{
		Type: r.Body.Type, Reference: r.Body.Reference, CreatedAt: optional(r.Header.At.String()),
		Hash: optional(r.Body.SHA256), Unknown: claimed(r.Record),
	}
}
