package anamnesis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/canon"
)

// Write returns d as JSON: the members in the order of the schema, then those it
// does not know by name, indented by two spaces, with a line end. The same
// document returns the same bytes. What Parse read is written with every member it
// had. Text that is not UTF-8, and an unknown member with the name of a known one,
// are errors.
func Write(d *Document) ([]byte, error) {
	compact, err := d.compact()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("write document %s: %w", d.ID, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// WriteLine is Write without the white space: one line.
func WriteLine(d *Document) ([]byte, error) {
	line, err := d.compact()
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

// compact returns d as JSON without white space. Members that a document must have
// are left out where they are empty.
func (d *Document) compact() ([]byte, error) {
	w := new(writer)
	w.document(d)
	if w.err == nil {
		_, w.err = canon.Transform(w.out.Bytes())
	}
	if w.err != nil {
		return nil, fmt.Errorf("write document %s: %w", d.ID, w.err)
	}
	return w.out.Bytes(), nil
}

// A writer puts members of objects down, with commas between them.
type writer struct {
	out  bytes.Buffer
	more bool // the object has a member already
	err  error
}

func (w *writer) name(name string) {
	if w.more {
		w.out.WriteByte(',')
	}
	w.more = true
	w.quoted(name)
	w.out.WriteByte(':')
}

func (w *writer) quoted(s string) {
	if !utf8.ValidString(s) && w.err == nil {
		w.err = canon.ErrUTF8
	}
	enc := json.NewEncoder(&w.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil && w.err == nil {
		w.err = err
	}
	w.out.Truncate(w.out.Len() - 1) // the line end
}

// need writes a string unless it is empty.
func (w *writer) need(name, s string) {
	if s != "" {
		w.text(name, &s)
	}
}

func (w *writer) text(name string, s *string) {
	if s != nil {
		w.name(name)
		w.quoted(*s)
	}
}

// cited writes an id, or null for "".
func (w *writer) cited(name string, s *string) {
	if s != nil && *s == "" {
		w.literal(name, "null")
		return
	}
	w.text(name, s)
}

func (w *writer) literal(name, literal string) {
	if literal != "" {
		w.name(name)
		w.out.WriteString(literal)
	}
}

func (w *writer) integer(name string, n *int64) {
	if n != nil {
		w.literal(name, strconv.FormatInt(*n, 10))
	}
}

// texts writes a list of strings unless it is nil.
func (w *writer) texts(name string, list []string) {
	if list != nil {
		array(w, name, list, func(s string) { w.quoted(s) })
	}
}

// object writes an object with the members that inside writes, then those
// unknown.
func (w *writer) object(unknown Unknown, inside func()) {
	w.out.WriteByte('{')
	w.more = false
	inside()
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		w.literal(name, string(unknown[name]))
	}
	w.out.WriteByte('}')
	w.more = true
}

func array[T any](w *writer, name string, list []T, each func(T)) {
	w.name(name)
	w.out.WriteByte('[')
	for i, entry := range list {
		if i > 0 {
			w.out.WriteByte(',')
		}
		each(entry)
	}
	w.out.WriteByte(']')
}

func (w *writer) document(d *Document) {
	w.object(d.Unknown, func() {
		w.text("$schema", d.Schema)
		w.need("id", d.ID)
		w.integer("version", d.Version)
		w.name("content")
		w.object(d.Content.Unknown, func() {
			w.need("type", d.Content.Type)
			w.need("summary", d.Content.Summary)
			w.text("body", d.Content.Body)
			w.texts("tags", d.Content.Tags)
		})
		w.name("provenance")
		w.object(d.Provenance.Unknown, func() { w.provenance(&d.Provenance) })
		if d.Witnesses != nil {
			array(w, "witnesses", d.Witnesses, w.witness)
		}
		if d.Anchors != nil {
			array(w, "anchors", d.Anchors, w.anchor)
		}
		if d.Lineage != nil {
			w.name("lineage")
			w.lineage(d.Lineage)
		}
		if d.Trust != nil {
			w.name("trust")
			w.trust(d.Trust)
		}
	})
}

func (w *writer) provenance(p *Provenance) {
	w.name("author")
	w.object(p.Author.Unknown, func() {
		w.need("agent_id", p.Author.AgentID)
		w.text("platform", p.Author.Platform)
		w.text("signature", p.Author.Signature)
	})
	w.need("created_at", p.CreatedAt)
	if c := p.Context; c != nil {
		w.name("context")
		w.object(c.Unknown, func() {
			w.text("session_id", c.SessionID)
			w.text("trigger", c.Trigger)
			if c.Confidence != nil {
				w.literal("confidence", fraction(int(*c.Confidence), thousandth))
			}
		})
	}
}

func (w *writer) witness(x Witness) {
	w.object(x.Unknown, func() {
		w.need("agent_id", x.AgentID)
		w.text("witnessed_at", x.WitnessedAt)
		w.need("attestation", x.Attestation)
		w.text("signature", x.Signature)
		w.text("notes", x.Notes)
	})
}

func (w *writer) anchor(a Anchor) {
	w.object(a.Unknown, func() {
		w.need("type", a.Type)
		w.need("reference", a.Reference)
		w.text("created_at", a.CreatedAt)
		w.text("hash", a.Hash)
	})
}

func (w *writer) lineage(l *Lineage) {
	w.object(l.Unknown, func() {
		w.cited("supersedes", l.Supersedes)
		w.cited("superseded_by", l.SupersededBy)
		w.texts("derived_from", l.DerivedFrom)
		w.integer("chain_depth", l.ChainDepth)
	})
}

func (w *writer) trust(t *Trust) {
	w.object(t.Unknown, func() {
		w.literal("score", t.Score.String())
		if f := t.Factors; f != nil {
			w.name("factors")
			w.object(f.Unknown, func() {
				w.literal("author_reputation", f.AuthorReputation.String())
				w.integer("witness_count", f.WitnessCount)
				w.integer("anchor_count", f.AnchorCount)
				w.literal("age_days", f.AgeDays.String())
				w.integer("dispute_count", f.DisputeCount)
			})
		}
		w.text("computed_at", t.ComputedAt)
	})
}
