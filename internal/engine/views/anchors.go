package views

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
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// anchorOptions say where this engine looks.
func (e *Views) anchorOptions(online bool) anchor.Options {
	o := anchor.Options{Dir: e.C.Dir, Online: online, Now: e.C.Now}
	if e.C.Cache != "" {
		o.Cache = filepath.Join(e.C.Cache, "anchors")
	}
	if e.C.TimestampRoots != nil {
		o.Roots = e.C.TimestampRoots
	}
	return o
}

// Anchor ties a memory to outside proof: a commit that carries its digest, a page, a file or a
// timestamp. The digest of the target is stored, to be compared later. Fetching a URL is the
// only use of the network here.
func (e *Views) Anchor(ctx context.Context, in api.AnchorRequest) (api.AnchorReply, error) {
	rd := e.trust.Reading(ctx)
	var reply api.AnchorReply
	it, err := e.ResolveMemory(rd, in.Ref)
	if err != nil {
		return reply, err
	}
	if it.Record == nil {
		return reply, core.Conflict("%s was purged; there is nothing to anchor", it.Ref.Short())
	}
	if !slices.Contains(memory.AnchorTypes, in.Type) {
		return reply, core.Invalid(
			"type: must be one of %s, got %q", strings.Join(memory.AnchorTypes, ", "), shorten.To(in.Type, 40),
		)
	}
	o := e.anchorOptions(true)
	a, err := anchor.Make(rd, in.Type, in.Reference, it.Ref, o)
	if err != nil {
		return reply, anchorError(err)
	}
	claim, err := e.Sign(core.KeyHeader("anchor"), a)
	if err != nil {
		return reply, err
	}
	f := anchor.Check(rd, a, o)
	check, err := e.anchorCheck(claim.Ref(), f)
	if err != nil {
		return reply, err
	}
	if err := e.Append(rd, store.Batch{Records: []*memory.Record{claim, check}}); err != nil {
		return reply, err
	}
	reply = api.AnchorReply{
		Claim: claim.Ref().String(), Type: a.Type, Reference: a.Reference, SHA256: a.SHA256, Status: string(f.Status),
		Bound: f.Bound, Why: f.Why,
	}
	if !f.Bound && !trust.SignedIn(it.Record, a) {
		reply.Hint = "it does not name the memory, and so counts for nothing: put the line '" + anchorTrailer(it.Ref) +
			"' there, or let the memory's author name it as evidence"
	}
	now := rd.Again()
	after, err := now.Get(it.Ref.ID)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Trust, err = e.TrustOf(now, after[0])
	return reply, err
}

// anchorTrailer is the line by which a commit, a page or a file names a memory.
func anchorTrailer(ref memory.Ref) string { return "Memory-Digest: sha256:" + ref.ID.String() }

// AnchorStamp returns the line by which something outside names a memory, and the
// request that an authority answers with a timestamp.
func (e *Views) AnchorStamp(ctx context.Context, in api.RefRequest) (api.AnchorStampReply, error) {
	rd := e.trust.Reading(ctx)
	it, err := e.ResolveMemory(rd, in.Ref)
	if err != nil {
		return api.AnchorStampReply{}, err
	}
	return api.AnchorStampReply{Ref: it.Ref.String(), Line: anchorTrailer(it.Ref), Query: anchor.Request(it.Ref.ID)}, nil
}

// anchorError classifies an error of an anchor.
func anchorError(err error) error {
	why := strings.TrimPrefix(core.OneLine(err), "anchor: ")
	switch {
	case errors.Is(err, anchor.ErrInvalid):
		return core.Invalid("anchor: %s", why)
	case errors.Is(err, anchor.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return core.NotFound("anchor: %s", why)
	case core.HasKind(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &core.Failure{Kind: api.ErrUnavailable, Text: "anchor: " + core.OneLine(err)}
}

// anchorCheck signs how a check came out.
func (e *Views) anchorCheck(of memory.Ref, f anchor.Finding) (*memory.Record, error) {
	b := &memory.Verify{Of: of, Method: trust.CheckedUnbound, Notes: shorten.To(f.Why, 1000)}
	if f.Bound {
		b.Method = trust.CheckedBound
	}
	if f.Status != anchor.Verified {
		b.Result = string(f.Status)
	}
	if f.Class != "" {
		b.Evidence = []memory.Evidence{{Type: "text", Reference: f.Class}}
	}
	return e.Sign(core.KeyHeader("anchor check"), b)
}

// AnchorCheck compares anchors with the outside as it is, and keeps how that came
// out. Scores go by what was kept: they never check anything themselves.
func (e *Views) AnchorCheck(ctx context.Context, in api.AnchorCheckRequest) (api.AnchorCheckReply, error) {
	rd := e.trust.Reading(ctx)
	reply := api.AnchorCheckReply{Checked: []api.CheckedAnchor{}}
	all, err := e.AnchorsOf(rd, in.Ref)
	if err != nil {
		return reply, err
	}
	v, err := rd.TrustContext()
	if err != nil {
		return reply, err
	}
	ids := make([]memory.ID, len(all))
	for i, it := range all {
		ids[i] = it.Ref.ID
	}
	further, err := rd.Speaking(ids, memory.KindVerify)
	if err != nil {
		return reply, err
	}
	var records []*memory.Record
	checked := make(map[memory.ID]int)
	for _, c := range further {
		if f, ok := c.Record.Body.(*memory.Verify); ok && v.Root != "" && v.Controller(c.Record) == v.Root {
			checked[f.Of.ID]++
		}
	}
	for _, it := range all {
		a, ok := it.Record.Body.(*memory.Anchor)
		if !ok {
			reply.Skipped++ // of a newer version
			continue
		}
		last, checks := v.LatestCheck(it.Ref.ID, further), checked[it.Ref.ID]
		shown := api.CheckedAnchor{Ref: it.Ref.String(), Of: a.Of.String(), Type: a.Type, Reference: a.Reference}
		made, lately := it.Record.Header.At.Time(), time.Time{}
		if last != nil {
			lately = last.Header.At.Time()
			shown.Before = core.Or(last.Body.(*memory.Verify).Result, string(anchor.Verified))
		}
		web := a.Type == "url" || a.Type == "moltbook_post"
		if !in.All && in.Ref == "" && anchor.Due(made, lately, checks).After(e.C.Now()) || web && !in.Online {
			reply.Skipped++
			continue
		}
		f := anchor.Check(rd, a, e.anchorOptions(in.Online))
		if err := rd.Err(); err != nil {
			return reply, err
		}
		r, err := e.anchorCheck(it.Ref, f)
		if err != nil {
			return reply, err
		}
		records = append(records, r)
		shown.Status, shown.Bound, shown.Why = string(f.Status), f.Bound, f.Why
		shown.Due = memory.At(anchor.Due(made, e.C.Now(), checks+1)).String()
		reply.Checked = append(reply.Checked, shown)
	}
	if len(records) == 0 {
		return reply, nil
	}
	return reply, e.Append(rd, store.Batch{Records: records})
}

// AnchorsOf returns the anchor that ref names, those of the memory it names, or all.
func (e *Views) AnchorsOf(rd *trust.Reading, ref string) ([]*store.Item, error) {
	var out []*store.Item
	if ref != "" {
		it, err := e.Lookup(rd, ref)
		if err != nil {
			return nil, err
		}
		if it.Ref.Kind == memory.KindAnchor && it.Record == nil {
			return nil, core.Conflict("%s was purged", it.Ref.Short())
		}
		if it.Ref.Kind == memory.KindAnchor {
			return []*store.Item{it}, nil
		}
		if out, err = rd.Speaking([]memory.ID{it.Ref.ID}, memory.KindAnchor); err == nil && len(out) == 0 {
			err = core.NotFound("%s has no anchor", it.Ref.Short())
		}
		return out, err
	}
	for it, err := range e.Store.List(
		rd, store.Query{Kinds: []memory.Kind{memory.KindAnchor}, Hidden: true, Oldest: true},
	) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil {
			out = append(out, it)
		}
	}
	return out, nil
}
