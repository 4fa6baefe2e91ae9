package attest

import (
	"slices"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostMemories is of how many memories it is said how they stand.
const mostMemories = 5000

// memories says how each memory that a session had been given stands, once.
func (e *Attest) memories(rd *trust.Reading, p *report.AttestedChange) error {
	var refs []memory.Ref
	had := make(map[string]bool)
	for _, s := range p.Sessions {
		for _, g := range s.Given {
			if had[g.Ref] {
				continue
			}
			had[g.Ref] = true
			if ref, err := memory.ParseRef(g.Ref); err == nil {
				refs = append(refs, ref)
			} else {
				p.Memories = append(p.Memories, report.AttestedMemory{Ref: g.Ref, Missing: "not held"})
			}
		}
	}
	slices.SortFunc(refs, func(a, b memory.Ref) int { return a.ID.Compare(b.ID) })
	if len(refs) > mostMemories {
		refs = refs[:mostMemories]
		p.NotKnown = append(p.NotKnown, "how more than 5000 memories stand")
	}
	reads, err := e.Reads(rd)
	if err != nil {
		return err
	}
	for page := range slices.Chunk(refs, core.ExportPage) {
		items, err := rd.Get(core.IDsOf(page)...)
		if err != nil {
			return core.Classify(err)
		}
		if err := e.page(rd, p, page, items, reads); err != nil {
			return err
		}
	}
	return nil
}

// page says it of some of them.
func (e *Attest) page(
	rd *trust.Reading, p *report.AttestedChange, refs []memory.Ref, items []*store.Item, reads func(string) bool,
) error {
	var shown []*store.Item
	var at []int
	first := len(p.Memories)
	for i, it := range items {
		one := report.AttestedMemory{Ref: refs[i].String()}
		switch {
		case it == nil:
			one.Missing = "not held"
		case it.Record == nil:
			one.Missing = "purged"
		case !reads(it.Record.Header.Space) || e.Elsewhere(it):
			one.Missing = "in a space that is not read here"
		default:
			shown, at = append(shown, it), append(at, first+i)
		}
		p.Memories = append(p.Memories, one)
	}
	all, err := e.views.Views(rd, shown...)
	if err != nil {
		return err
	}
	who, err := rd.Voices()
	if err != nil {
		return err
	}
	for i, m := range all {
		one, r := &p.Memories[at[i]], shown[i].Record
		*one = report.AttestedMemory{
			Ref: m.Ref, Hidden: core.Or(m.Hidden, m.Doubt), Author: m.Author, Owner: who.Ring.Voice(r).Principal,
			Agent: m.Agent, Origin: m.Origin, Via: m.CreatedVia, At: m.CreatedAt, From: m.DerivedFrom, Tier: m.Tier,
			Review: m.Review, Level: m.Level, Actionable: m.Actionable, Outside: m.External || m.Tainted,
			Disputed: m.Disputed,
		}
		if p.Words && one.Hidden == "" {
			one.Words, one.Speaker, one.Source = open(standing.Whole(r)), open(standing.Speaker(r.Body)), m.Source
		}
		if one.Decisions, err = e.decisions(rd, shown[i], p.Words); err != nil {
			return err
		}
	}
	return nil
}

// decisions says who decided about a memory.
func (e *Attest) decisions(rd *trust.Reading, it *store.Item, words bool) (out []report.AttestedDecision, err error) {
	all, err := e.views.Decided(rd, it)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		one := report.AttestedDecision{
			Ref: d.Ref, At: d.At, Act: d.Act, Key: d.Key, Agent: d.Agent, Counts: d.Counts, TakenBack: d.TakenBack,
		}
		if words {
			one.Why = open(d.Why)
			if d.By != "you" { // to whom else would that say who
				one.By = d.By
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// open is a text as it may leave the machine: where somebody let secrets into the store, they stay there.
func open(s string) string {
	s, _ = secrets.Redact(secrets.Private(s))
	return s
}
