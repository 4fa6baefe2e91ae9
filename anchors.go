package stemma

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/anchor"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A check of an anchor is kept as a verification of it: its method says whether
// the thing itself names the memory, its result is empty where it holds, its
// evidence names who stands behind it.
const (
	checkedBound   = "anchor_bound"
	checkedUnbound = "anchor"
)

// anchored reads one anchor as the one who looks last found it.
func (v *vouching) anchored(it *store.Item, b *memory.Anchor, subject *memory.Record, further []*store.Item) anchored {
	out := anchored{record: it.Record, why: "never checked here", Anchor: trust.Anchor{
		ID: it.Ref.ID, Type: b.Type, Reference: anchor.CanonicalReference(b), Class: anchor.Class(b), Status: trust.Unverifiable,
		Bound: signedIn(subject, b),
	}}
	if c := v.latestCheck(it.Ref.ID, further); c != nil {
		f := c.Body.(*memory.Verify)
		status := anchor.Status(f.Result)
		if f.Result == "" {
			status = anchor.Verified
		}
		out.checked = c.Header.At.Time
		out.Status = trust.Status(anchor.Aged(b.Type, status, out.checked, v.now))
		out.Bound = out.Bound || f.Method == checkedBound
		out.why = f.Notes
		for _, e := range f.Evidence {
			if e.Reference != "" {
				out.Class = e.Reference
			}
		}
	}
	if verify(it.Record) != nil || v.ring.Fault(it.Record) != memory.Sound {
		out.Status, out.why = trust.Unverifiable, "the anchor's own signature does not stand"
	}
	return out
}

// signedIn reports whether the author of a memory named the anchor's place in
// what he signed.
func signedIn(r *memory.Record, a *memory.Anchor) bool {
	for _, e := range r.Header.Provenance.Evidence {
		if e.Reference != "" && anchor.CanonicalReference(&memory.Anchor{Type: a.Type, Reference: e.Reference}) == anchor.CanonicalReference(a) ||
			e.Commit != "" && a.Type == "git_commit" && strings.HasPrefix(a.Reference, e.Commit) {
			return true
		}
	}
	return false
}
