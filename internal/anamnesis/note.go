package anamnesis

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/memory"
)

// extMember is the member of a record's ext under which stands what an imported
// document had and a record has no place for.
const extMember = "anamnesis"

// Note returns the note that a document becomes, and what its header says of it.
// The caller adds the space, the author, the delegation and the nonce, and may set
// another time; fallback is the confidence if the document states none. The id
// becomes the alias. What has no place, the document's own witnesses, anchors,
// lineage, signature and trust among it, is in Ext, where nothing counts it. An
// error names the member of the document that a record cannot hold.
func (d *Document) Note(fallback memory.Confidence) (memory.Header, *memory.Note, error) {
	h := memory.Header{
		Kind: memory.KindNote, Origin: memory.OriginImport, Confidence: fallback,
		Provenance: memory.Provenance{Via: memory.ViaImport},
		At:         parseTime(d.Provenance.CreatedAt), Alias: []string{d.ID}, Tags: asSet(d.Content.Tags),
		Agent: d.Provenance.Author.AgentID, Platform: said(d.Provenance.Author.Platform),
	}
	if c := d.Provenance.Context; c != nil {
		h.Session, h.Trigger = said(c.SessionID), said(c.Trigger)
		if c.Confidence != nil {
			h.Confidence = *c.Confidence
		}
	}
	n := &memory.Note{Type: d.Content.Type, Summary: d.Content.Summary, Body: said(d.Content.Body)}
	if err := d.check(&h, n); err != nil {
		return memory.Header{}, nil, err
	}
	var err error
	h.Ext, err = d.leftOver().ext()
	return h, n, err
}

// said returns a text as a record holds it: blank is absent.
func said(s *string) string {
	if s == nil || strings.TrimSpace(*s) == "" {
		return ""
	}
	return *s
}

// asSet returns tags as a header keeps them: sorted, each once, without blanks
// around.
func asSet(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.TrimSpace(s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// check holds a document to the bounds of a record, by the names of its own
// members.
func (d *Document) check(h *memory.Header, n *memory.Note) error {
	var wrong *memory.FieldError
	if err := memory.Check(n); errors.As(err, &wrong) {
		return &memory.FieldError{Field: "content." + wrong.Field, Problem: wrong.Problem}
	} else if err != nil {
		return err
	}
	if len(h.Tags) > memory.MaxTags {
		return &memory.FieldError{
			Field:   "content.tags",
			Problem: fmt.Sprintf("has %d entries, at most %d are allowed", len(h.Tags), memory.MaxTags),
		}
	}
	if slices.Contains(h.Tags, "") {
		return &memory.FieldError{Field: "content.tags", Problem: "has a blank entry"}
	}
	err := errors.Join(
		fits("id", d.ID, MaxID),
		fits("provenance.author.agent_id", h.Agent, memory.MaxNameBytes),
		fits("provenance.author.platform", h.Platform, memory.MaxNameBytes),
		fits("provenance.context.session_id", h.Session, memory.MaxText),
		fits("provenance.context.trigger", h.Trigger, memory.MaxText))
	for _, tag := range h.Tags {
		err = errors.Join(err, fits("content.tags", tag, memory.MaxTagBytes))
	}
	return err
}

func fits(field, s string, most int) error {
	if len(s) > most {
		return &memory.FieldError{Field: field, Problem: fmt.Sprintf("must be at most %d bytes, got %d", most, len(s))}
	}
	if strings.IndexByte(s, 0) >= 0 {
		return &memory.FieldError{Field: field, Problem: "contains a NUL byte"}
	}
	return nil
}

// leftOver returns d without what the record holds exactly: what it says and, if
// they are not blank, the session and the trigger. Everything else stays, also
// what the record has in a spelling of its own, such as the order of tags.
func (d *Document) leftOver() *Document {
	left := *d
	left.Content.Type, left.Content.Summary = "", ""
	if said(d.Content.Body) != "" {
		left.Content.Body = nil
	}
	if len(d.Content.Tags) > 0 && slices.Equal(d.Content.Tags, asSet(d.Content.Tags)) {
		left.Content.Tags = nil
	}
	if c := d.Provenance.Context; c != nil {
		context := *c
		if said(c.SessionID) != "" {
			context.SessionID = nil
		}
		if said(c.Trigger) != "" {
			context.Trigger = nil
		}
		left.Provenance.Context = &context
	}
	return &left
}

// ext returns what is left over as the ext of a record.
func (d *Document) ext() (json.RawMessage, error) {
	raw, err := d.compact()
	if err != nil {
		return nil, err
	}
	ext, err := canon.Marshal(map[string]json.RawMessage{extMember: raw})
	if err != nil {
		return nil, fmt.Errorf("store the rest of document %s: %w", d.ID, err)
	}
	if len(ext) > memory.MaxText {
		return nil, &memory.FieldError{Field: "document", Problem: fmt.Sprintf(
			"has %d bytes beside what a note holds (witnesses, anchors, unknown members, …), of which a record keeps at "+
				"most %d in ext",
			len(ext), memory.MaxText)}
	}
	return ext, nil
}

// imported returns what r kept of the document it was made from, with what the
// record itself says put in, or nil if it was made from none.
func imported(r *memory.Record) *Document {
	note, ok := r.Body.(*memory.Note)
	h := &r.Header
	if !ok || h.Origin != memory.OriginImport || len(h.Ext) == 0 {
		return nil
	}
	var ext map[string]json.RawMessage
	if json.Unmarshal(h.Ext, &ext) != nil || len(ext[extMember]) == 0 {
		return nil
	}
	d, err := parse(ext[extMember], true)
	if err != nil || !slices.Contains(h.Alias, d.ID) || d.Provenance.Author.AgentID == "" {
		return nil
	}
	d.Content.Type, d.Content.Summary = contentType(note.Type), note.Summary
	if note.Body != "" || said(d.Content.Body) != "" {
		d.Content.Body = optional(note.Body)
	}
	if !slices.Equal(asSet(d.Content.Tags), h.Tags) {
		d.Content.Tags = slices.Clone(h.Tags)
	}
	if d.Provenance.CreatedAt == "" {
		d.Provenance.CreatedAt = h.At.String()
	}
	d.Provenance.Context = withContext(d.Provenance.Context, h)
	d.Trust = nil
	return d
}

// withContext puts the record's session, trigger and confidence into the context
// of a document.
func withContext(c *Context, h *memory.Header) *Context {
	if c == nil && h.Session == "" && h.Trigger == "" {
		return nil
	}
	if c == nil {
		c = new(Context)
	}
	if h.Session != "" || said(c.SessionID) != "" {
		c.SessionID = optional(h.Session)
	}
	if h.Trigger != "" || said(c.Trigger) != "" {
		c.Trigger = optional(h.Trigger)
	}
	if c.Confidence != nil {
		c.Confidence = new(h.Confidence)
	}
	return c
}

// optional returns s, or nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
