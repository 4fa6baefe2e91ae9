package engine

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Trust tells who stands behind a memory and what that is worth, term by term.
// It opens no connection and checks no anchor: it is a sum of what is on record.
func (e *Engine) Trust(ctx context.Context, in api.ShowRequest) (api.TrustReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return api.TrustReply{}, err
	}
	if it.Record == nil {
		return api.TrustReply{}, conflict("%s was purged; there is nothing to trust", it.Ref.Short())
	}
	return e.trustOf(ctx, it)
}

func (e *Engine) trustOf(ctx context.Context, it *store.Item) (api.TrustReply, error) {
	all, err := e.vouch(ctx, []*store.Item{it}, true)
	if err != nil {
		return api.TrustReply{}, err
	}
	base, err := e.vouching(ctx)
	if err != nil {
		return api.TrustReply{}, err
	}
	e.noteShown("trust", []*store.Item{it}, all)
	v, r := all[it.Ref.ID], it.Record
	author := v.facts.Author
	reply := api.TrustReply{
		Ref: it.Ref.String(), Headline: r.Headline(), Author: r.Header.Author, Controller: author, Name: base.called(author),
		Origin: string(r.Header.Origin), Score: decimalTrust(v.Score), Raw: decimalTrust(v.Raw), Level: string(v.Level),
		LevelByRange: string(v.LevelByRange), Actionable: v.actionable, Tainted: v.tainted, Flags: v.Flags,
		Terms: []api.TrustTerm{}, Witnesses: []api.TrustWitness{}, Anchors: []api.TrustAnchor{},
		Reputation: api.TrustRecord{Value: decimalTrust(v.facts.Reputation), Upheld: base.upheld[author], Refuted: base.failed[author]},
		Voices:     api.TrustVoices{Confirm: v.ConfirmVoices, Partial: v.PartialVoices, Dispute: v.DisputeVoices, Anchors: v.Result.Anchors},
		Opinion:    api.TrustOpinion{Belief: decimalTrust(v.Opinion.Belief), Disbelief: decimalTrust(v.Opinion.Disbelief), Uncertainty: decimalTrust(v.Opinion.Uncertainty)},
		Policy:     v.Policy, SeenBy: base.root,
	}
	if reply.Flags == nil {
		reply.Flags = []string{}
	}
	for _, t := range v.Terms {
		reply.Terms = append(reply.Terms, api.TrustTerm{Name: t.Name, Points: decimalTrust(t.Points), Why: t.Why})
	}
	refused := make(map[memory.ID]string)
	for _, x := range v.Refused {
		refused[x.ID] = x.Why
	}
	for _, x := range v.RefusedAnchors {
		refused[x.ID] = x.Why
	}
	for _, w := range v.said.verdicts[it.Ref.ID] {
		reply.Witnesses = append(reply.Witnesses, base.witness(w, refused))
	}
	old, err := e.formerWitnesses(ctx, base, it)
	if err != nil {
		return reply, err
	}
	reply.Witnesses = append(reply.Witnesses, old...)
	for _, a := range v.said.anchors[it.Ref.ID] {
		why, no := refused[a.ID]
		shown := api.TrustAnchor{
			Ref: a.record.Ref().String(), Type: a.Type, Reference: a.Reference, By: a.record.Header.Author, Status: string(a.Status),
			Bound: a.Bound, Class: a.Class, Counts: !no, Why: or(why, ""),
		}
		if no && a.why != "" {
			shown.Why = why + ": " + a.why
		}
		if !a.checked.IsZero() {
			shown.Checked = memory.At(a.checked).String()
		}
		reply.Anchors = append(reply.Anchors, shown)
	}
	if l := v.facts.Limit; l != nil {
		reply.Limit = &api.TrustLimit{Ref: l.Ref.String(), Score: decimalTrust(l.Score), Level: string(l.Level), InForce: v.Limited}
		if src, err := e.store.Get(ctx, l.Ref.ID); err == nil && src[0] != nil && src[0].Record != nil {
			reply.Limit.Headline = src[0].Record.Headline()
		}
	}
	reply.Upstream, reply.WhyNot = v.upstream, v.whyNot()
	return reply, nil
}

// witness shows one witness.
func (v *vouching) witness(w verdict, refused map[memory.ID]string) api.TrustWitness {
	why, no := refused[w.ID]
	name := v.called(w.Controller)
	if w.agent {
		name = "agent"
		if h := &w.record.Header; h.Agent != "" {
			name += " " + memory.Cut(h.Agent, 80)
		}
	}
	return api.TrustWitness{
		Ref: w.record.Ref().String(), Controller: or(w.Controller, w.record.Header.Author), Name: name,
		Attestation: w.Says, Notes: w.record.Body.(*memory.Witness).Notes, At: w.record.Header.At.String(), Counts: !no, Why: why,
		Resolved: w.resolved(),
	}
}

// mostFormer is how many former revisions are asked for their witnesses.
const mostFormer = 100

// formerWitnesses gives those who spoke of earlier revisions: they said nothing of
// this one.
func (e *Engine) formerWitnesses(ctx context.Context, base *vouching, it *store.Item) ([]api.TrustWitness, error) {
	var ids []memory.ID
	seen := make(map[memory.ID]bool)
	for todo := it.Record.Header.Provenance.Supersedes; len(todo) > 0 && len(ids) < mostFormer; {
		ref := todo[0]
		todo = todo[1:]
		if seen[ref.ID] {
			continue
		}
		seen[ref.ID] = true
		ids = append(ids, ref.ID)
		old, err := e.store.Get(ctx, ref.ID)
		if err != nil {
			return nil, sorted(err)
		}
		if old[0] != nil && old[0].Record != nil {
			todo = append(slices.Clone(todo), old[0].Record.Header.Provenance.Supersedes...)
		}
	}
	claims, err := speaking(ctx, e.store, ids, memory.KindWitness)
	if err != nil {
		return nil, err
	}
	var out []api.TrustWitness
	for _, c := range claims {
		w, ok := c.Record.Body.(*memory.Witness)
		if !ok {
			continue // of a newer version
		}
		shown := base.witness(base.verdict(c.Record, w, "", nil), nil)
		shown.Counts, shown.Why = false, "spoke of an earlier revision, "+w.Of.Short()
		out = append(out, shown)
	}
	return out, nil
}

// Explain says why a memory stands as it does, on each of the three axes.
func (e *Engine) Explain(ctx context.Context, in api.ShowRequest) (api.ExplainReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return api.ExplainReply{}, err
	}
	if it.Record == nil {
		return api.ExplainReply{}, conflict("%s was purged; there is nothing to explain", it.Ref.Short())
	}
	var reply api.ExplainReply
	if reply.Memory, err = e.view(ctx, it); err != nil {
		return reply, err
	}
	reply.Conditions = conditions(it)
	if reply.Trust, err = e.trustOf(ctx, it); err != nil {
		return reply, err
	}
	if reply.History, err = e.confidenceHistory(ctx, it); err != nil {
		return reply, err
	}
	if it.Record.HasCode() {
		stands, err := e.stand(ctx, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := stands[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	v, err := e.vouch(ctx, []*store.Item{it}, false)
	if err != nil {
		return reply, err
	}
	f := e.factorsOf(it, v[it.Ref.ID], int(reply.Trust.Score*trust.One+0.5))
	reply.Ranking = api.Ranking{Tier: f.Tier, Trust: f.Trust, Recency: f.Recency}
	return reply, nil
}

// fingerprint gives a key as people compare it; a key that is none is shown as it
// is.
func fingerprint(did string) string {
	if f, err := keys.Fingerprint(did); err == nil {
		return f
	}
	return did
}
