package audit

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/memory"
)

// purge is a mark that says that records are to be erased.
type purge struct {
	by   int // the mark, among the facts
	refs []memory.Ref
}

// erasure is word that a record was purged.
type erasure struct {
	line   int
	ref    memory.Ref
	spaces [2]string // it is of the log of one of these
}

// erasedLines are the lines of a bundle that say that a record was purged.
func (a *Auditor) erasedLines() (lines []report.Line) {
	for _, e := range a.erased {
		if e.line > 0 {
			lines = append(lines, report.Line{Line: e.line, Ref: e.ref.String(), Status: report.Erased})
		}
	}
	return lines
}

// repeat is a second copy of a statement.
type repeat struct {
	finding report.Finding
	space   string
}

// absorb takes what became of a page into account, in order.
func (a *Auditor) absorb(page []output) {
	for i := range page {
		out := &page[i]
		a.good = a.good || out.bad == nil
		switch in := out.in; {
		case in.known:
			a.known(in)
		case out.bad != nil:
			a.report.Statements++
			a.found(report.Finding{Line: in.line, Status: report.BadEnvelope, Why: out.bad.Error()})
		case out.checkpoint != nil:
			a.checkpoint(in.line, out.checkpoint)
		case out.inclusion != nil:
			a.inclusion(in.line, out.inclusion)
		case out.purged != nil:
			a.report.Statements++
			a.purged(in, out.purged.Ref)
		default:
			a.report.Statements++
			a.statement(in, &out.checked)
		}
	}
}

// known keeps the place of a statement that was verified before.
func (a *Auditor) known(in *input) {
	ref := in.kept.ref
	no, again := a.held.number(ref.ID)
	if again {
		a.found(report.Finding{Ref: ref.String(), Status: report.BadEnvelope, Why: "it is present elsewhere too"})
	} else {
		no = int32(a.held.facts())
		a.held.add(&fact{
			ref:   memory.Ref{Kind: memory.Kind(a.word(string(ref.Kind))), ID: ref.ID},
			space: a.word(in.kept.space), seq: in.kept.seq, known: true,
		})
	}
	a.waiting = append(a.waiting, homeless{no, noFact})
	a.settle(in.kept.space, in.kept.seq)
}

// found counts a statement that is not fine, and shows it if it is among the
// first.
func (a *Auditor) found(f report.Finding) {
	a.report.Counts[f.Status]++
	if len(a.report.Offenders) < a.limit {
		a.report.Offenders = append(a.report.Offenders, f)
	}
}

func (a *Auditor) purged(in *input, ref memory.Ref) {
	ref.Kind = memory.Kind(a.word(string(ref.Kind)))
	said := noFact
	if was, again := a.held.find(ref.ID); again {
		a.found(
			report.Finding{
				Line: in.line, Ref: ref.String(), Status: report.BadEnvelope,
				Why: "marked as purged, but present " + was.where(),
			},
		)
	} else {
		a.held.put(ref.ID, seen{kind: ref.Kind, line: in.line, fact: noFact, purged: true})
		said = len(a.erased)
		a.erased = append(a.erased, erasure{line: in.line, ref: ref})
	}
	no, _ := a.held.number(ref.ID)
	a.waiting = append(a.waiting, homeless{no, said})
	if in.kept != nil {
		a.settle(in.kept.space, in.kept.seq)
	}
}

func (s seen) where() string {
	if s.line == 0 {
		return "elsewhere too"
	}
	return fmt.Sprintf("in line %d", s.line)
}

func (a *Auditor) statement(in *input, c *checked) {
	f := report.Finding{Line: in.line, Ref: c.ref.String(), Status: c.status, Why: c.why, Author: c.author}
	if c.ref.Kind == "" {
		f.Ref = c.ref.ID.String()
	}
	var space string
	var seq int64
	if c.record != nil {
		f.Author, f.Agent, space = c.record.Header.Author, c.record.Header.Agent, c.record.Header.Space
	}
	id := c.ref.ID
	if in.kept != nil {
		id, space, seq = in.kept.ref.ID, in.kept.space, in.kept.seq
	}
	was, again := a.held.find(id)
	no := int32(a.held.facts()) // what is sound becomes the next fact
	if !again && c.status != report.OK {
		a.held.put(id, seen{kind: memory.Kind(a.word(string(c.ref.Kind))), line: in.line, fact: noFact})
	}
	if again || c.status != report.OK {
		no, _ = a.held.number(id)
	}
	a.waiting = append(a.waiting, homeless{no, noFact})
	if space != "" {
		space = a.word(space)
		seq = a.settle(space, seq)
	}
	switch {
	case c.status != report.OK:
		a.found(f)
	case again && was.purged:
		f.Status, f.Why = report.BadEnvelope, "it is marked as purged "+was.where()
		a.found(f)
	case again:
		f.Status, f.Why = report.BadEnvelope, "it is present "+was.where()
		a.repeats = append(a.repeats, repeat{f, space})
	default:
		a.sound(in, c.record, space, seq)
	}
}

// sound keeps the facts of a statement whose signatures are valid.
func (a *Auditor) sound(in *input, r *memory.Record, space string, seq int64) {
	h := &r.Header
	ref := memory.Ref{Kind: memory.Kind(a.word(string(h.Kind))), ID: r.ID}
	f := fact{
		line: in.line, ref: ref, space: space, seq: seq, arrived: h.At.Time(),
		author: a.word(h.Author), agent: a.word(h.Agent), delegation: h.Delegation, origin: memory.Origin(
			a.word(string(h.Origin)),
		),
		at: h.At.Time(), cites: r.Cites(),
	}
	for i := range f.cites {
		f.cites[i].Kind = memory.Kind(a.word(string(f.cites[i].Kind)))
	}
	if in.kept != nil {
		f.arrived = in.kept.arrived
	}
	switch b := r.Body.(type) {
	case *memory.Key:
		slim := new(memory.Record)
		f.stub(slim)
		slim.Header.Space, slim.Body, slim.Sigs = h.Space, b, r.Sigs
		a.keys = append(a.keys, slim)
	case *memory.Mark:
		if b.Verb == memory.Purge {
			a.purges = append(a.purges, purge{by: a.held.facts(), refs: f.cites})
		}
	}
	a.teller.keep(in.line, a.held.facts(), r)
	a.held.add(&f)
}

// stub makes r as much of a statement as its verdict depends on. It is no record: it has no bytes.
func (f *fact) stub(r *memory.Record) {
	*r = memory.Record{ID: f.ref.ID, Header: memory.Header{
		V: memory.Version, Kind: f.ref.Kind, Space: f.space, Author: f.author, Delegation: f.delegation, Origin: f.origin,
		At: memory.At(f.at),
	}}
}

// maxWords bounds how many words are kept to be shared.
const maxWords = 100_000

// word returns one copy of a word that comes often.
func (a *Auditor) word(s string) string {
	if w, ok := a.words[s]; ok {
		return w
	}
	w := strings.Clone(s)
	if len(a.words) < maxWords {
		a.words[w] = w
	}
	return w
}
