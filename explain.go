package stemma

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// TrustReply is how far a memory can be believed for who stands behind it, with
// every term of the sum.
type TrustReply struct {
	Ref          string          `json:"ref"`
	Headline     string          `json:"headline"`
	Author       string          `json:"author"`
	Controller   string          `json:"controller"` // the owner behind the author's key
	Name         string          `json:"name,omitempty"`
	Origin       string          `json:"origin"`
	Score        float64         `json:"score"`
	Raw          float64         `json:"raw"` // the sum of the terms
	Level        string          `json:"level"`
	LevelByRange string          `json:"level_by_range"` // what the score alone would say
	Actionable   bool            `json:"actionable"`
	WhyNot       string          `json:"not_actionable,omitempty"` // in a few words
	Tainted      bool            `json:"tainted"`
	Flags        []string        `json:"flags"`
	Terms        []TrustTerm     `json:"terms"`
	Reputation   TrustRecord     `json:"author_reputation"`
	Witnesses    []TrustWitness  `json:"witnesses"`
	Anchors      []TrustAnchor   `json:"anchors"`
	Voices       TrustVoices     `json:"voices"`
	Opinion      TrustOpinion    `json:"opinion"`
	Limit        *TrustLimit     `json:"limit,omitempty"` // an external source that it is not worth more than
	Upstream     []TrustUpstream `json:"upstream,omitempty"`
	Policy       string          `json:"policy"`
	SeenBy       string          `json:"seen_by"` // whose introductions count
}

// TrustTerm is one line of the sum, also where it is worth nothing.
type TrustTerm struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
	Why    string  `json:"why"`
}

// TrustRecord is what an author's record so far is worth.
type TrustRecord struct {
	Value   float64 `json:"value"`
	Upheld  int     `json:"upheld"`  // memories confirmed by somebody independent, undisputed
	Refuted int     `json:"refuted"` // disputes upheld, verdicts rejected
}

// TrustWitness is one witness, counted or not.
type TrustWitness struct {
	Ref         string `json:"ref"`
	Controller  string `json:"controller"`
	Name        string `json:"name,omitempty"`
	Attestation string `json:"attestation"`
	Notes       string `json:"notes,omitempty"`
	At          string `json:"at"`
	Counts      bool   `json:"counts"`
	Why         string `json:"why,omitempty"`      // it does not
	Resolved    string `json:"resolved,omitempty"` // upheld or rejected by the one who looks
}

// TrustAnchor is one anchor, counted or not.
type TrustAnchor struct {
	Ref       string `json:"ref"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
	By        string `json:"by"`
	Status    string `json:"status"`
	Bound     bool   `json:"bound"` // it names the memory, or its author signed it in
	Class     string `json:"class,omitempty"`
	Checked   string `json:"checked_at,omitempty"`
	Counts    bool   `json:"counts"`
	Why       string `json:"why,omitempty"`
}

// TrustVoices counts who speaks for himself: of those whom one has introduced,
// one.
type TrustVoices struct {
	Confirm int `json:"confirm"`
	Partial int `json:"partial"`
	Dispute int `json:"dispute"`
	Anchors int `json:"anchors"`
}

// TrustOpinion shows where witnesses disagree, and how little is known.
type TrustOpinion struct {
	Belief      float64 `json:"belief"`
	Disbelief   float64 `json:"disbelief"`
	Uncertainty float64 `json:"uncertainty"`
}

// TrustLimit is a source from outside that nobody independent lifts a memory
// above.
type TrustLimit struct {
	Ref      string  `json:"ref"`
	Headline string  `json:"headline,omitempty"`
	Score    float64 `json:"score"`
	Level    string  `json:"level"`
	InForce  bool    `json:"in_force"`
}

// TrustUpstream is something behind a memory that is not as it should be.
type TrustUpstream struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Why      string `json:"why"` // disputed, quarantined, rejected
}

// Trust tells who stands behind a memory and what that is worth, term by term.
// It opens no connection and checks no anchor: it is a sum of what is on record.
func (e *Engine) Trust(ctx context.Context, in ShowRequest) (TrustReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return TrustReply{}, err
	}
	if it.Record == nil {
		return TrustReply{}, conflict("%s was purged; there is nothing to trust", it.Ref.Short())
	}
	return e.trustOf(ctx, it)
}

func (e *Engine) trustOf(ctx context.Context, it *store.Item) (TrustReply, error) {
	all, err := e.vouch(ctx, []*store.Item{it}, true)
	if err != nil {
		return TrustReply{}, err
	}
	base, err := e.vouching(ctx)
	if err != nil {
		return TrustReply{}, err
	}
	e.noteShown("trust", []*store.Item{it}, all)
	v, r := all[it.Ref.ID], it.Record
	author := v.facts.Author
	reply := TrustReply{
		Ref: it.Ref.String(), Headline: r.Headline(), Author: r.Header.Author, Controller: author, Name: base.called(author),
		Origin: string(r.Header.Origin), Score: decimalTrust(v.Score), Raw: decimalTrust(v.Raw), Level: string(v.Level),
		LevelByRange: string(v.LevelByRange), Actionable: v.actionable, Tainted: v.tainted, Flags: v.Flags,
		Terms: []TrustTerm{}, Witnesses: []TrustWitness{}, Anchors: []TrustAnchor{},
		Reputation: TrustRecord{decimalTrust(v.facts.Reputation), base.upheld[author], base.failed[author]},
		Voices:     TrustVoices{v.ConfirmVoices, v.PartialVoices, v.DisputeVoices, v.Result.Anchors},
		Opinion:    TrustOpinion{decimalTrust(v.Opinion.Belief), decimalTrust(v.Opinion.Disbelief), decimalTrust(v.Opinion.Uncertainty)},
		Policy:     v.Policy, SeenBy: base.root,
	}
	if reply.Flags == nil {
		reply.Flags = []string{}
	}
	for _, t := range v.Terms {
		reply.Terms = append(reply.Terms, TrustTerm{t.Name, decimalTrust(t.Points), t.Why})
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
		shown := TrustAnchor{
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
		reply.Limit = &TrustLimit{Ref: l.Ref.String(), Score: decimalTrust(l.Score), Level: string(l.Level), InForce: v.Limited}
		if src, err := e.store.Get(ctx, l.Ref.ID); err == nil && src[0] != nil && src[0].Record != nil {
			reply.Limit.Headline = src[0].Record.Headline()
		}
	}
	reply.Upstream, reply.WhyNot = v.upstream, v.whyNot()
	return reply, nil
}

// witness shows one witness.
func (v *vouching) witness(w verdict, refused map[memory.ID]string) TrustWitness {
	why, no := refused[w.ID]
	name := v.called(w.Controller)
	if w.agent {
		name = "agent"
		if h := &w.record.Header; h.Agent != "" {
			name += " " + memory.Cut(h.Agent, 80)
		}
	}
	return TrustWitness{
		Ref: w.record.Ref().String(), Controller: or(w.Controller, w.record.Header.Author), Name: name,
		Attestation: w.Says, Notes: w.record.Body.(*memory.Witness).Notes, At: w.record.Header.At.String(), Counts: !no, Why: why,
		Resolved: w.resolved(),
	}
}

// mostFormer is how many former revisions are asked for their witnesses.
const mostFormer = 100

// formerWitnesses gives those who spoke of earlier revisions: they said nothing of
// this one.
func (e *Engine) formerWitnesses(ctx context.Context, base *vouching, it *store.Item) ([]TrustWitness, error) {
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
	var out []TrustWitness
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

// ExplainReply shows the three axes side by side, never averaged: what the words
// rest on, who stands behind them, and how sure the author is.
type ExplainReply struct {
	Memory
	Conditions []Condition        `json:"conditions"`
	Trust      TrustReply         `json:"trust"`
	History    []ConfidenceChange `json:"confidence_history"`
	Code       []CheckedRef       `json:"code,omitempty"`
	CodeState  string             `json:"code_state,omitempty"`
	Ranking    Ranking            `json:"ranking"`
}

// Ranking is what a memory's score in a search is multiplied with.
type Ranking struct {
	Tier    float64 `json:"tier"`
	Trust   float64 `json:"trust"`
	Recency float64 `json:"recency"`
}

// Explain says why a memory stands as it does, on each of the three axes.
func (e *Engine) Explain(ctx context.Context, in ShowRequest) (ExplainReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return ExplainReply{}, err
	}
	if it.Record == nil {
		return ExplainReply{}, conflict("%s was purged; there is nothing to explain", it.Ref.Short())
	}
	var reply ExplainReply
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
	reply.Ranking = Ranking{f.Tier, f.Trust, f.Recency}
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
