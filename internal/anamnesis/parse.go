package anamnesis

import (
	"encoding/json"
	"math"

	"github.com/stemma-memory/stemma/internal/canon"
)

// Parse reads one document strictly: members named twice, text that is not
// Unicode, values of another type, out of their list or out of their range are
// refused by an error that names the member and matches memory.ErrInvalid.
// Members that the schema does not know are kept. Nothing that the document says
// of itself has been verified.
func Parse(raw []byte) (*Document, error) {
	return parse(raw, false)
}

func parse(raw []byte, partial bool) (*Document, error) {
	r := &reading{partial: partial}
	if len(raw) > MaxDocument {
		r.fail("document", "must be at most %d bytes, got %d", MaxDocument, len(raw))
		return nil, r.err
	}
	canonical, err := canon.Transform(raw)
	if err != nil {
		if member, literal, ok := notANumber(raw); ok {
			r.fail(member, "%s is not a number in JSON", literal)
		}
		r.fail("document", "%v", err)
		return nil, r.err
	}
	if depth := deepest(canonical); depth > MaxNesting {
		r.fail("document", "nests %d deep, at most %d are allowed", depth, MaxNesting)
		return nil, r.err
	}
	// The numbers are read in their own spelling: canon has rounded them.
	d := r.document(trimSpace(raw))
	if r.err != nil {
		return nil, r.err
	}
	return d, nil
}

// trimSpace drops the white space before a document.
func trimSpace(raw []byte) []byte {
	for len(raw) > 0 && isSpace(raw[0]) {
		raw = raw[1:]
	}
	return raw
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (r *reading) document(raw json.RawMessage) *Document {
	o := r.object("", raw)
	d := &Document{Schema: o.text("$schema"), ID: o.need("id"), Version: o.integer("version", 1)}
	if d.ID != "" {
		o.id("id", d.ID)
	}
	if c := o.object("content", true); c != nil {
		d.Content = c.content()
	}
	if p := o.object("provenance", true); p != nil {
		d.Provenance = p.provenance()
	}
	if o.list("witnesses", MaxEntries, func(field string, raw json.RawMessage) {
		d.Witnesses = append(d.Witnesses, r.object(field+".", raw).witness())
	}) && d.Witnesses == nil {
		d.Witnesses = []Witness{}
	}
	if o.list("anchors", MaxEntries, func(field string, raw json.RawMessage) {
		d.Anchors = append(d.Anchors, r.object(field+".", raw).anchor())
	}) && d.Anchors == nil {
		d.Anchors = []Anchor{}
	}
	if l := o.object("lineage", false); l != nil {
		d.Lineage = l.lineage()
	}
	if t := o.object("trust", false); t != nil {
		d.Trust = t.trust()
	}
	d.Unknown = o.unknown()
	return d
}

func (o *object) content() Content {
	c := Content{Type: o.word("type", ContentTypes), Summary: o.need("summary"), Body: o.text("body")}
	c.Tags = o.texts("tags", nil)
	c.Unknown = o.unknown()
	return c
}

// texts reads a list of strings, each of which passes check.
func (o *object) texts(name string, check func(field, s string)) []string {
	list := []string{}
	if !o.list(name, MaxEntries, func(field string, raw json.RawMessage) {
		s := o.asText(field, raw)
		if s == nil {
			return
		}
		if check != nil {
			check(field, *s)
		}
		list = append(list, *s)
	}) {
		return nil
	}
	return list
}

func (o *object) provenance() Provenance {
	var p Provenance
	if a := o.object("author", true); a != nil {
		p.Author = Author{AgentID: a.need("agent_id"), Platform: a.text("platform"), Signature: a.text("signature")}
		p.Author.Unknown = a.unknown()
	}
	p.CreatedAt = o.need("created_at")
	o.time("created_at", p.CreatedAt)
	if c := o.object("context", false); c != nil {
		p.Context = &Context{
			SessionID: c.text("session_id"), Trigger: c.text("trigger"), Confidence: c.confidence("confidence"),
		}
		p.Context.Unknown = c.unknown()
	}
	p.Unknown = o.unknown()
	return p
}

func (o *object) witness() Witness {
	w := Witness{
		AgentID: o.need("agent_id"), WitnessedAt: o.optionalTime("witnessed_at"),
		Attestation: o.word("attestation", Attestations), Signature: o.text("signature"), Notes: o.text("notes"),
	}
	w.Unknown = o.unknown()
	return w
}

func (o *object) anchor() Anchor {
	a := Anchor{
		Type: o.word("type", AnchorTypes), Reference: o.need("reference"),
		CreatedAt: o.optionalTime("created_at"), Hash: o.text("hash"),
	}
	a.Unknown = o.unknown()
	return a
}

func (o *object) lineage() *Lineage {
	l := &Lineage{Supersedes: o.cited("supersedes"), SupersededBy: o.cited("superseded_by")}
	l.DerivedFrom = o.texts("derived_from", o.id)
	l.ChainDepth = o.integer("chain_depth", 0)
	l.Unknown = o.unknown()
	return l
}

func (o *object) trust() *Trust {
	t := &Trust{Score: o.between("score", 1)}
	if f := o.object("factors", false); f != nil {
		t.Factors = &Factors{
			AuthorReputation: f.between("author_reputation", 1), WitnessCount: f.integer("witness_count", 0),
			AnchorCount: f.integer("anchor_count", 0), AgeDays: f.between("age_days", math.MaxFloat64),
			DisputeCount: f.integer("dispute_count", 0),
		}
		t.Factors.Unknown = f.unknown()
	}
	t.ComputedAt = o.optionalTime("computed_at")
	t.Unknown = o.unknown()
	return t
}
