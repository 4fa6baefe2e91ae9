package recall

import (
	"cmp"
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What a recall gives by default, and of how many results it chooses.
const (
	recallBudget = 1000 // tokens
	recallPool   = 50
	resultCosts  = 25 // tokens, at the least
)

// Recall answers a question with the memories that bear on it, best first, within a budget of
// tokens, and with the constraints that bind whatever the question is. What tools gave out is
// left out unless raws are asked for. Without a question it returns what an agent should know
// when its work begins.
func (e *Finder) Recall(ctx context.Context, in api.RecallRequest) (api.RecallReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	reply := api.RecallReply{
		Query: in.Query, AsOf: in.AsOf, Budget: cmp.Or(in.Budget, recallBudget), Results: []api.Recalled{},
	}
	if _, err := checkPack("", in.Budget); err != nil {
		return reply, err
	}
	if !knownForm(in.Form) {
		return reply, core.Invalid("form: must be full, short or text, got %.40q", in.Form)
	}
	if strings.TrimSpace(in.Query) == "" {
		if in.Proofs {
			return reply, core.Invalid("proofs: they need a question; without one the answer has no entries to prove")
		}
		return e.recallStart(rd, in, reply)
	}
	s, err := e.searching(api.SearchRequest{
		Query: in.Query, Limit: in.Limit, Kind: in.Kind, Since: in.Since, AsOf: in.AsOf, All: in.All,
	})
	if err != nil {
		return reply, err
	}
	s.said = !s.onlyRaws()
	if pool := min(max(recallPool, reply.Budget/resultCosts), core.MaxSearch); in.Limit == 0 || e.C.Embedder != nil {
		s.limit = max(in.Limit, pool) // the budget is the limit; what meaning found takes no place from what answers
	}
	always, err := s.always(rd, in)
	if err != nil {
		return reply, err
	}
	r := &recalling{s: s, in: in, reply: &reply, always: always}
	found, err := s.answer(rd, true, func(all []api.Result, found []*standing.Found) ([]api.Result, error) {
		return r.choose(rd, all, found)
	})
	if err != nil {
		return reply, err
	}
	reply.Receipt, reply.Warnings, reply.Gathered = found.Receipt, found.Warnings, found.Gathered
	if found.Gathered != nil {
		reply.LeftOut = max(found.Gathered.Found-len(found.Results), 0)
	}
	if in.Proofs {
		return reply, e.prove(rd, &reply)
	}
	return reply, nil
}

// recallStart answers without a question.
func (e *Finder) recallStart(
	rd *trust.Reading, in api.RecallRequest, reply api.RecallReply,
) (api.RecallReply, error) {
	if in.Kind+in.Since+in.AsOf != "" || in.All || in.Limit != 0 {
		return reply, core.Invalid("query: kind, since, as_of, limit and all need a question")
	}
	// what is printed around the start counts too
	around := e.sizeOf(in.Form, &reply)
	for less := around; ; less += max(1, less/8) {
		made, err := e.Load(rd, api.LoadRequest{Budget: max(reply.Budget-less, pack.MinBudget), Format: string(pack.Text)})
		if err != nil {
			return reply, err
		}
		text, err := made.Render(string(pack.Text), false)
		reply.Start, reply.Warnings = strings.TrimSpace(string(text)), made.Warnings
		if err != nil || e.sizeOf(in.Form, &reply) <= reply.Budget || reply.Budget-less <= pack.MinBudget {
			return reply, err
		}
	}
}

// always returns the constraints that bind, the newest first. Of the past none are given: they bind now.
func (s *searching) always(rd *trust.Reading, in api.RecallRequest) ([]*binding, error) {
	e := s.e
	if in.Kind != "" || in.Since != "" || in.AsOf != "" {
		return nil, nil
	}
	items, err := e.ofType(rd, trust.ConstraintType)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	states, err := e.views.CodeStates(rd, items, false)
	if err != nil {
		return nil, err
	}
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	said, err := e.settleIn(rd, items, trusted, nil)
	if err != nil {
		return nil, err
	}
	var out []*binding
	for _, c := range states {
		v := trusted[c.Ref.ID]
		if c.Section(v) != trust.InConstraints || said.dropped(c.Ref.ID) != "" {
			continue
		}
		f := standing.Unscored(c.Item, v)
		if f.Settled = said.said[c.Ref.ID]; f.Settled != nil {
			f.Marks = f.Settled.Marks
		}
		out = append(out, &binding{f, api.Recalled{Result: s.result(f), Code: recalledCode(c)}})
	}
	return out, nil
}

// A binding is a constraint that binds whatever the question is.
type binding struct {
	found *standing.Found
	given api.Recalled
}

// recallCode says of results what became of the code that they name.
func (e *Finder) recallCode(rd *trust.Reading, results []api.Recalled) error {
	var ids []memory.ID
	for i := range results {
		if r, err := memory.ParseRef(results[i].Ref); err == nil && results[i].Remote == "" {
			ids = append(ids, r.ID)
		}
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	var coded []*store.Item
	for _, it := range core.Present(items) {
		if it.Record != nil && it.Record.HasCode() {
			coded = append(coded, it)
		}
	}
	if len(coded) == 0 {
		return nil
	}
	states, err := e.views.CodeStates(rd, coded, false)
	if err != nil {
		return err
	}
	for _, c := range states {
		for i := range results {
			if results[i].Ref == c.Ref.String() {
				results[i].Code = recalledCode(c)
			}
		}
	}
	return nil
}

// recalledCode is the state of code where it is not as it was.
func recalledCode(c *views.CodeState) string {
	if len(c.Refs) == 0 || c.CodeState == code.Verified {
		return ""
	}
	return string(c.CodeState)
}
