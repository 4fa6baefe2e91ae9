package engine

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
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
	if v.selfMade(it.Record, b, subject, v.latestCheck(it.Ref.ID, further)) {
		out.Status, out.why = trust.Unverifiable, "made by the author: a person checks it with 'stemma anchor check'"
	}
	if v.ring.Fault(it.Record) != memory.Sound {
		out.Status, out.why = trust.Unverifiable, "the anchor's own signature does not stand"
	}
	return out
}

// selfMade reports whether an agent anchored what an agent of the same owner wrote to
// something that the same agent can make: a file, a commit, a stamp by its own
// authority. No one outside holds that, until a person has looked at it.
func (v *vouching) selfMade(a *memory.Record, b *memory.Anchor, subject, check *memory.Record) bool {
	made, wrote := v.ring.Voice(a), v.ring.Voice(subject)
	if made.Principal == "" || made.Principal != wrote.Principal || made.Owner || wrote.Owner {
		return false
	}
	if check != nil && v.ring.Voice(check).Owner {
		return false
	}
	return b.Type == "file" || b.Type == "git_commit" || b.Type == "rfc3161"
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

// anchorOptions say where this engine looks.
func (e *Engine) anchorOptions(online bool) anchor.Options {
	o := anchor.Options{Dir: e.c.Dir, Online: online, Now: e.c.Now}
	if e.c.Cache != "" {
		o.Cache = filepath.Join(e.c.Cache, "anchors")
	}
	if e.c.TimestampRoots != nil {
		o.Roots = e.c.TimestampRoots
	}
	return o
}

// Anchor ties a memory to something outside: a commit that carries its digest, a
// page, a file, a timestamp. What is there now is kept as its digest, to be
// compared later. A URL is fetched, which is the one thing here that uses the
// network.
func (e *Engine) Anchor(ctx context.Context, in api.AnchorRequest) (api.AnchorReply, error) {
	var reply api.AnchorReply
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	if it.Record == nil {
		return reply, conflict("%s was purged; there is nothing to anchor", it.Ref.Short())
	}
	if !slices.Contains(memory.AnchorTypes, in.Type) {
		return reply, invalid("type: must be one of %s, got %q", strings.Join(memory.AnchorTypes, ", "), memory.Cut(in.Type, 40))
	}
	o := e.anchorOptions(true)
	a, err := anchor.Make(ctx, in.Type, in.Reference, it.Ref, o)
	if err != nil {
		return reply, anchorError(err)
	}
	claim, err := e.sign(keyHeader("anchor"), a)
	if err != nil {
		return reply, err
	}
	f := anchor.Check(ctx, a, o)
	check, err := e.anchorCheck(claim.Ref(), f)
	if err != nil {
		return reply, err
	}
	if err := e.append(ctx, store.Batch{Records: []*memory.Record{claim, check}}); err != nil {
		return reply, err
	}
	reply = api.AnchorReply{
		Claim: claim.Ref().String(), Type: a.Type, Reference: a.Reference, SHA256: a.SHA256, Status: string(f.Status), Bound: f.Bound, Why: f.Why,
	}
	if !f.Bound && !signedIn(it.Record, a) {
		reply.Hint = "it does not name the memory, and so counts for nothing: put the line '" + anchorTrailer(it.Ref) + "' there, or let the memory's author name it as evidence"
	}
	after, err := e.store.Get(ctx, it.Ref.ID)
	if err != nil {
		return reply, sorted(err)
	}
	reply.Trust, err = e.trustOf(ctx, after[0])
	return reply, err
}

// anchorTrailer is the line by which a commit, a page or a file names a memory.
func anchorTrailer(ref memory.Ref) string { return "Memory-Digest: sha256:" + ref.ID.String() }

// AnchorStamp gives the line by which something outside names a memory, and the
// request that an authority answers with a timestamp.
func (e *Engine) AnchorStamp(ctx context.Context, in api.ShowRequest) (api.AnchorStampReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return api.AnchorStampReply{}, err
	}
	return api.AnchorStampReply{Ref: it.Ref.String(), Line: anchorTrailer(it.Ref), Query: anchor.Request(it.Ref.ID)}, nil
}

// anchorError gives an error of an anchor its kind.
func anchorError(err error) error {
	why := strings.TrimPrefix(oneLine(err), "anchor: ")
	switch {
	case errors.Is(err, anchor.ErrInvalid):
		return invalid("anchor: %s", why)
	case errors.Is(err, anchor.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return notFound("anchor: %s", why)
	case hasKind(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &failure{kind: api.ErrUnavailable, text: "anchor: " + oneLine(err)}
}

// anchorCheck signs how a check came out.
func (e *Engine) anchorCheck(of memory.Ref, f anchor.Finding) (*memory.Record, error) {
	b := &memory.Verify{Of: of, Method: checkedUnbound, Notes: memory.Cut(f.Why, 1000)}
	if f.Bound {
		b.Method = checkedBound
	}
	if f.Status != anchor.Verified {
		b.Result = string(f.Status)
	}
	if f.Class != "" {
		b.Evidence = []memory.Evidence{{Type: "text", Reference: f.Class}}
	}
	return e.sign(keyHeader("anchor check"), b)
}

// AnchorCheck compares anchors with the outside as it is, and keeps how that came
// out. Scores go by what was kept: they never check anything themselves.
func (e *Engine) AnchorCheck(ctx context.Context, in api.AnchorCheckRequest) (api.AnchorCheckReply, error) {
	reply := api.AnchorCheckReply{Checked: []api.CheckedAnchor{}}
	all, err := e.anchorsOf(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	v, err := e.vouching(ctx)
	if err != nil {
		return reply, err
	}
	ids := make([]memory.ID, len(all))
	for i, it := range all {
		ids[i] = it.Ref.ID
	}
	further, err := speaking(ctx, e.store, ids, memory.KindVerify)
	if err != nil {
		return reply, err
	}
	var records []*memory.Record
	checked := make(map[memory.ID]int)
	for _, c := range further {
		if f, ok := c.Record.Body.(*memory.Verify); ok && v.root != "" && v.controller(c.Record) == v.root {
			checked[f.Of.ID]++
		}
	}
	for _, it := range all {
		a, ok := it.Record.Body.(*memory.Anchor)
		if !ok {
			reply.Skipped++ // of a newer version
			continue
		}
		last, checks := v.latestCheck(it.Ref.ID, further), checked[it.Ref.ID]
		shown := api.CheckedAnchor{Ref: it.Ref.String(), Of: a.Of.String(), Type: a.Type, Reference: a.Reference}
		made, lately := it.Record.Header.At.Time, time.Time{}
		if last != nil {
			lately = last.Header.At.Time
			shown.Before = or(last.Body.(*memory.Verify).Result, string(anchor.Verified))
		}
		web := a.Type == "url" || a.Type == "moltbook_post"
		if !in.All && in.Ref == "" && anchor.Due(made, lately, checks).After(e.c.Now()) || web && !in.Online {
			reply.Skipped++
			continue
		}
		f := anchor.Check(ctx, a, e.anchorOptions(in.Online))
		if err := ctx.Err(); err != nil {
			return reply, err
		}
		r, err := e.anchorCheck(it.Ref, f)
		if err != nil {
			return reply, err
		}
		records = append(records, r)
		shown.Status, shown.Bound, shown.Why = string(f.Status), f.Bound, f.Why
		shown.Due = memory.At(anchor.Due(made, e.c.Now(), checks+1)).String()
		reply.Checked = append(reply.Checked, shown)
	}
	if len(records) == 0 {
		return reply, nil
	}
	return reply, e.append(ctx, store.Batch{Records: records})
}

// anchorsOf gives the anchor that ref names, those of the memory it names, or all.
func (e *Engine) anchorsOf(ctx context.Context, ref string) ([]*store.Item, error) {
	var out []*store.Item
	if ref != "" {
		it, err := e.resolve(ctx, ref)
		if err != nil {
			return nil, err
		}
		if it.Ref.Kind == memory.KindAnchor && it.Record == nil {
			return nil, conflict("%s was purged", it.Ref.Short())
		}
		if it.Ref.Kind == memory.KindAnchor {
			return []*store.Item{it}, nil
		}
		if out, err = speaking(ctx, e.store, []memory.ID{it.Ref.ID}, memory.KindAnchor); err == nil && len(out) == 0 {
			err = notFound("%s has no anchor", it.Ref.Short())
		}
		return out, err
	}
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindAnchor}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, sorted(err)
		}
		if it.Record != nil {
			out = append(out, it)
		}
	}
	return out, nil
}
