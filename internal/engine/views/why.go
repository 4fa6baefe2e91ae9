package views

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Trust returns the trust score of a memory, term by term. It opens no connection and checks
// no anchor: it sums up what is on record.
func (e *Views) Trust(ctx context.Context, in api.RefRequest) (api.TrustReply, error) {
	rd := e.trust.Reading(ctx)
	it, err := e.ResolveMemory(rd, in.Ref)
	if err != nil {
		return api.TrustReply{}, err
	}
	if it.Record == nil {
		return api.TrustReply{}, core.Conflict("%s was purged; there is nothing to trust", it.Ref.Short())
	}
	return e.TrustOf(rd, it)
}

func (e *Views) TrustOf(rd *trust.Reading, it *store.Item) (api.TrustReply, error) {
	all, err := e.trust.Rate(rd, []*store.Item{it}, true)
	if err != nil {
		return api.TrustReply{}, err
	}
	base, err := rd.TrustContext()
	if err != nil {
		return api.TrustReply{}, err
	}
	e.receipts.NoteShown("trust", []*store.Item{it}, all)
	v, r := all[it.Ref.ID], it.Record
	author := v.Facts.Author
	reply := api.TrustReply{
		Ref: it.Ref.String(), Headline: r.Headline(), Text: standing.Beyond(r), At: standing.At(r),
		Author: r.Header.Author, Controller: author, Name: base.NameOf(author),
		Origin: string(r.Header.Origin), Score: core.DecimalTrust(v.Score), Raw: core.DecimalTrust(v.Raw),
		Level:        string(v.Level),
		LevelByRange: string(v.LevelByRange), Actionable: v.Actionable, Tainted: v.Tainted, Flags: v.Flags,
		Terms: []api.TrustTerm{}, Witnesses: []api.TrustWitness{}, Anchors: []api.TrustAnchor{},
		AuthorReputation: api.TrustRecord{
			Value: core.DecimalTrust(v.Facts.Reputation), Upheld: base.Upheld[author], Refuted: base.Failed[author],
		},
		Voices: api.TrustVoices{
			Confirm: v.ConfirmVoices, Partial: v.PartialVoices, Dispute: v.DisputeVoices, Anchors: v.Result.Anchors,
		},
		Opinion: api.TrustOpinion{
			Belief: core.DecimalTrust(v.Opinion.Belief), Disbelief: core.DecimalTrust(v.Opinion.Disbelief),
			Uncertainty: core.DecimalTrust(v.Opinion.Uncertainty),
		},
		Policy: v.Policy, SeenBy: base.Root,
	}
	if reply.Flags == nil {
		reply.Flags = []string{}
	}
	for _, t := range v.Terms {
		reply.Terms = append(reply.Terms, api.TrustTerm{Name: t.Name, Points: core.DecimalTrust(t.Points), Why: t.Why})
	}
	refused := make(map[memory.ID]string)
	for _, x := range v.Refused {
		refused[x.ID] = x.Why
	}
	for _, x := range v.RefusedAnchors {
		refused[x.ID] = x.Why
	}
	for _, w := range v.Said.Verdicts[it.Ref.ID] {
		reply.Witnesses = append(reply.Witnesses, base.Witness(w, refused))
	}
	old, err := e.formerWitnesses(rd, base, it)
	if err != nil {
		return reply, err
	}
	reply.Witnesses = append(reply.Witnesses, old...)
	for _, a := range v.Said.Anchors[it.Ref.ID] {
		why, no := refused[a.ID]
		shown := api.TrustAnchor{
			Ref: a.Record.Ref().String(), Type: a.Type, Reference: a.Reference, By: a.Record.Header.Author,
			Status: string(a.Status),
			Bound:  a.Bound, Class: a.Class, Counts: !no, Why: core.Or(why, ""),
		}
		if no && a.Why != "" {
			shown.Why = why + ": " + a.Why
		}
		if !a.Checked.IsZero() {
			shown.CheckedAt = memory.At(a.Checked).String()
		}
		reply.Anchors = append(reply.Anchors, shown)
	}
	if l := v.Facts.Limit; l != nil {
		limit := &api.TrustLimit{
			Ref: l.Ref.String(), Score: core.DecimalTrust(l.Score), Level: string(l.Level), InForce: v.Limited,
		}
		reply.Limit = limit
		if src, err := rd.Get(l.Ref.ID); err == nil && src[0] != nil && src[0].Record != nil {
			limit.Headline, limit.Text = src[0].Record.Headline(), standing.Beyond(src[0].Record)
		}
	}
	reply.Upstream, reply.NotActionable = v.Upstream, v.WhyNot()
	return reply, nil
}

// mostFormer is how many former revisions are asked for their witnesses.
const mostFormer = 100

// formerWitnesses returns those who spoke of earlier revisions: they said nothing of
// this one.
func (e *Views) formerWitnesses(rd *trust.Reading, base *trust.Context, it *store.Item) ([]api.TrustWitness, error) {
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
		old, err := rd.Get(ref.ID)
		if err != nil {
			return nil, core.Classify(err)
		}
		if old[0] != nil && old[0].Record != nil {
			todo = append(slices.Clone(todo), old[0].Record.Header.Provenance.Supersedes...)
		}
	}
	claims, err := rd.Speaking(ids, memory.KindWitness)
	if err != nil {
		return nil, err
	}
	var out []api.TrustWitness
	for _, c := range claims {
		w, ok := c.Record.Body.(*memory.Witness)
		if !ok {
			continue // of a newer version
		}
		shown := base.Witness(base.Verdict(c.Record, w, "", nil), nil)
		shown.Counts, shown.Why = false, "spoke of an earlier revision, "+w.Of.Short()
		out = append(out, shown)
	}
	return out, nil
}

// whyRecords is how many records of a tree are given as the reasons for a memory.
const whyRecords = 200

// Why returns what a memory rests on, down to the words, how it relates to others, and the
// reasons behind each of its three axes. It counts as an access.
func (e *Views) Why(ctx context.Context, in api.WhyRequest) (api.WhyReply, error) {
	rd := e.trust.Reading(ctx)
	it, err := e.ResolveMemory(rd, in.Ref)
	if err != nil {
		return api.WhyReply{}, err
	}
	if it.Record == nil {
		return api.WhyReply{}, core.Conflict("%s was purged; there is nothing to give reasons for", it.Ref.Short())
	}
	var reply api.WhyReply
	if reply.Memory, err = e.View(rd, it); err != nil {
		return reply, err
	}
	if reply.Sources, reply.Deeper, err = e.restsOn(rd, it); err != nil {
		return reply, err
	}
	links, err := e.standing.LinksOf(rd, it.Ref.ID)
	if err != nil {
		return reply, err
	}
	if reply.Links, err = e.standing.LinkViews(rd, links); err != nil {
		return reply, err
	}
	rated, err := e.trust.Rate(rd, []*store.Item{it}, false)
	if err != nil {
		return reply, err
	}
	reply.Conditions = rated[it.Ref.ID].Conditions(it)
	reply.Support = api.Support(rated[it.Ref.ID].Support)
	if reply.Trust, err = e.TrustOf(rd, it); err != nil {
		return reply, err
	}
	reply.Trust.Text = "" // the content above has it
	if reply.ConfidenceHistory, err = e.standing.ConfidenceChanges(rd, it); err != nil {
		return reply, err
	}
	if reply.Decisions, err = e.Decided(rd, it); err != nil {
		return reply, err
	}
	if reply.Followed, err = e.Followed(rd, []memory.ID{it.Ref.ID}, mostDecided); err != nil {
		return reply, err
	}
	if it.Record.HasCode() {
		codeStates, err := e.CodeStates(rd, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := codeStates[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	v, err := e.trust.Rate(rd, []*store.Item{it}, false)
	if err != nil {
		return reply, err
	}
	f := e.standing.FactorsOf(it, v[it.Ref.ID], int(reply.Trust.Score*score.One+0.5))
	reply.Ranking.Tier, reply.Ranking.Trust, reply.Ranking.Recency = f.Tier, f.Trust, f.Recency
	e.Touch(rd, it.Ref.ID)
	return reply, nil
}

// restsOn returns the tree of what a memory was made of. deeper says that it has more.
func (e *Views) restsOn(rd *trust.Reading, it *store.Item) (tree []*api.Node, deeper bool, err error) {
	var page api.TraceReply
	tree, err = e.tree(rd, it.Ref.ID, graph.Back, 0, 0, whyRecords, &page)
	if err != nil {
		return nil, false, err
	}
	node := node(it)
	tree, err = e.withInferred(rd, node, tree, graph.Back, 0)
	return tree, page.Deeper, err
}
