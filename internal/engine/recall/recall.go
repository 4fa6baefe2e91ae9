package recall

import (
	"cmp"
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What a recall gives by default, and what one result costs beside its words.
const (
	recallBudget  = 1000 // tokens
	recallResults = 5
	resultCosts   = 25 // tokens, about
	alwaysShare   = 5  // constraints may take one fifth of the budget
)

// Recall answers a question with the memories that bear on it, best first, within a budget of
// tokens, and with the constraints that bind whatever the question is. What tools gave out is
// left out unless raws are asked for. Without a question it returns what an agent should know
// when its work begins.
func (e *Finder) Recall(ctx context.Context, in api.RecallRequest) (api.RecallReply, error) {
	reply := api.RecallReply{
		Query: in.Query, AsOf: in.AsOf, Budget: cmp.Or(in.Budget, recallBudget), Results: []api.Recalled{},
	}
	if _, err := checkPack("", in.Budget); err != nil {
		return reply, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return e.recallStart(ctx, in, reply)
	}
	s, err := e.searching(api.SearchRequest{
		Query: in.Query, Limit: cmp.Or(in.Limit, recallResults), Kind: in.Kind, Since: in.Since, AsOf: in.AsOf, All: in.All,
	})
	if err != nil {
		return reply, err
	}
	s.said = !s.onlyRaws()
	if s.gathers != nil && in.Limit == 0 { // the budget is the limit
		s.plain, s.limit = s.limit, min(max(s.limit, reply.Budget/resultCosts), core.MaxSearch)
	}
	always, err := s.always(ctx, in)
	if err != nil {
		return reply, err
	}
	left := reply.Budget - costOf(always)
	found, err := s.answer(ctx, true, func(all []api.Result) int {
		n := 0
		for n < len(all) && (n == 0 || left >= costOfWords(all[n].Text)) {
			left -= costOfWords(all[n].Text)
			n++
		}
		reply.Left = len(all) - n
		return n
	})
	if err != nil {
		return reply, err
	}
	reply.Receipt, reply.Warnings, reply.Gathered = found.Receipt, found.Warnings, found.Gathered
	if found.Gathered != nil {
		reply.Left = max(found.Gathered.Found-len(found.Results), 0)
		grouped(found.Results, s.under)
	}
	given := make(map[string]bool, len(found.Results))
	for _, r := range found.Results {
		given[r.Ref] = true
		reply.Results = append(reply.Results, api.Recalled{Result: r})
	}
	for _, c := range always {
		if !given[c.Ref] {
			reply.Always = append(reply.Always, c)
		}
	}
	return reply, e.recallCode(ctx, reply.Results)
}

// recallStart answers without a question.
func (e *Finder) recallStart(
	ctx context.Context, in api.RecallRequest, reply api.RecallReply,
) (api.RecallReply, error) {
	if in.Kind+in.Since+in.AsOf != "" || in.All || in.Limit != 0 {
		return reply, core.Invalid("query: kind, since, as_of, limit and all need a question")
	}
	made, err := e.Load(ctx, api.LoadRequest{Budget: reply.Budget})
	if err != nil {
		return reply, err
	}
	text, err := made.Render(string(pack.Text), false)
	reply.Start, reply.Warnings = strings.TrimSpace(string(text)), made.Warnings
	return reply, err
}

// always returns the constraints that bind, the newest first, as far as their share of the
// budget goes. Of the past none are given: they bind now.
func (s *searching) always(ctx context.Context, in api.RecallRequest) ([]api.Recalled, error) {
	e := s.e
	if in.Kind != "" || in.Since != "" || in.AsOf != "" {
		return nil, nil
	}
	items, err := e.ofType(ctx, trust.ConstraintType)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	states, err := e.views.CodeStates(ctx, items, false)
	if err != nil {
		return nil, err
	}
	trusted, err := e.trust.Rate(ctx, items, false)
	if err != nil {
		return nil, err
	}
	said, err := e.settleIn(ctx, items, trusted, nil)
	if err != nil {
		return nil, err
	}
	left := cmp.Or(in.Budget, recallBudget) / alwaysShare
	var out []api.Recalled
	for _, c := range states {
		v := trusted[c.Ref.ID]
		if c.Section(v) != trust.InConstraints || said.dropped(c.Ref.ID) != "" {
			continue
		}
		f := views.Unscored(c.Item, v)
		if f.Settled = said.said[c.Ref.ID]; f.Settled != nil {
			f.Marks = f.Settled.Marks
		}
		one := api.Recalled{Result: s.result(f), Code: recalledCode(c)}
		if left -= costOfWords(one.Text); left < 0 {
			break
		}
		out, s.also = append(out, one), append(s.also, f)
	}
	return out, nil
}

// recallCode says of results what became of the code that they name.
func (e *Finder) recallCode(ctx context.Context, results []api.Recalled) error {
	var ids []memory.ID
	for i := range results {
		if r, err := memory.ParseRef(results[i].Ref); err == nil && results[i].Remote == "" {
			ids = append(ids, r.ID)
		}
	}
	items, err := e.Store.Get(ctx, ids...)
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
	states, err := e.views.CodeStates(ctx, coded, false)
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

func costOf(all []api.Recalled) int {
	n := 0
	for i := range all {
		n += costOfWords(all[i].Text)
	}
	return n
}

func costOfWords(text string) int { return resultCosts + pack.Estimate(text) }
