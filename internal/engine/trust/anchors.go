package trust

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/anchor"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A check of an anchor is stored as a verification of it: its method says whether the target
// itself names the memory, its result is empty if the check passed, and its evidence names the
// authority behind it.
const (
	CheckedBound   = "anchor_bound"
	CheckedUnbound = "anchor"
)

// anchored reads one anchor as the one who looks last found it.
func (v *Context) anchored(it *store.Item, b *memory.Anchor, subject *memory.Record, further []*store.Item) anchored {
	out := anchored{Record: it.Record, Why: "never checked here", Anchor: score.Anchor{
		ID: it.Ref.ID, Type: b.Type, Reference: anchor.CanonicalReference(b), Class: anchor.Class(b),
		Status: score.Unverifiable,
		Bound:  SignedIn(subject, b),
	}}
	if c := v.LatestCheck(it.Ref.ID, further); c != nil {
		f := c.Body.(*memory.Verify)
		status := anchor.Status(f.Result)
		if f.Result == "" {
			status = anchor.Verified
		}
		out.Checked = c.Header.At.Time()
		out.Status = score.Status(anchor.Aged(b.Type, status, out.Checked, v.now))
		out.Bound = out.Bound || f.Method == CheckedBound || out.Status != score.Verified && v.wasBound(it.Ref.ID, further)
		out.Why = f.Notes
		for _, e := range f.Evidence {
			if e.Reference != "" {
				out.Class = e.Reference
			}
		}
	}
	if v.selfMade(it.Record, b, subject, v.LatestCheck(it.Ref.ID, further)) {
		out.Status, out.Why = score.Unverifiable, "made by the author: a person checks it with `check_anchors`"
	}
	if v.Ring.Fault(it.Record) != state.Sound {
		out.Status, out.Why = score.Unverifiable, "the anchor's own signature is not valid"
	}
	return out
}

// selfMade reports whether an agent anchored what an agent of the same owner wrote to
// something that the same agent can make: a file, a commit, a stamp by its own
// authority. No one outside holds that, until a person has looked at it.
func (v *Context) selfMade(a *memory.Record, b *memory.Anchor, subject, check *memory.Record) bool {
	made, wrote := v.Ring.Voice(a), v.Ring.Voice(subject)
	if made.Principal == "" || made.Principal != wrote.Principal || made.Owner || wrote.Owner {
		return false
	}
	if check != nil && v.Ring.Voice(check).Owner {
		return false
	}
	return b.Type == "file" || b.Type == "git_commit" || b.Type == "rfc3161"
}

// SignedIn reports whether the author of a memory named the anchor's target in the signed
// record.
func SignedIn(r *memory.Record, a *memory.Anchor) bool {
	for _, e := range r.Header.Provenance.Evidence {
		if e.Reference != "" && anchor.CanonicalReference(
			&memory.Anchor{Type: a.Type, Reference: e.Reference},
		) == anchor.CanonicalReference(a) ||
			e.Commit != "" && a.Type == "git_commit" && strings.HasPrefix(a.Reference, e.Commit) {
			return true
		}
	}
	return false
}

// wasBound reports whether any check by the reader found that an anchor's target named the memory: if it does not
// now, then the target changed.
func (v *Context) wasBound(id memory.ID, further []*store.Item) bool {
	return slices.ContainsFunc(further, func(c *store.Item) bool {
		b, ok := c.Record.Body.(*memory.Verify)
		return ok && b.Of.ID == id && b.Method == CheckedBound && v.Root != "" && v.Controller(c.Record) == v.Root
	})
}

// LatestCheck returns the last verification of an anchor by the reader or the reader's agents.
func (v *Context) LatestCheck(id memory.ID, further []*store.Item) *memory.Record {
	var out *memory.Record
	for _, c := range further {
		b, ok := c.Record.Body.(*memory.Verify)
		if !ok || b.Of.ID != id || v.Controller(c.Record) != v.Root || v.Root == "" {
			continue
		}
		if out == nil || cmp.Or(out.Header.At.Time().Compare(c.Record.Header.At.Time()), c.Ref.ID.Compare(out.ID)) < 0 {
			out = c.Record
		}
	}
	return out
}
