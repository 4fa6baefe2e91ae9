package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/bearing"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

// Search finds memories of every kind by their words and, with an embedder, by
// their meaning. Hubs that the person lets be searched are asked at the same time,
// for three seconds, and what they find is merged by score.
func (e *Finder) Search(ctx context.Context, in api.SearchRequest) (api.SearchReply, error) {
	rd := e.trust.Reading(ctx)
	return e.SearchIn(rd, in, true)
}

// SearchIn is Search; without across only this store is asked.
func (e *Finder) SearchIn(ctx context.Context, in api.SearchRequest, across bool) (api.SearchReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	s, err := e.asks(rd, in)
	if err != nil {
		return api.SearchReply{Query: in.Query, AsOf: in.AsOf, Results: []api.Result{}}, err
	}
	reply, err := s.answer(rd, across && s.like == nil, nil)
	if err != nil || len(reply.Results) > 0 || in.Type == "" {
		return reply, err
	}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return reply, err
	}
	return reply, e.views.KnownType(rd, in.Type, spaces)
}

// asks reads a request for what answers a query, or for what is like a memory.
func (e *Finder) asks(rd *trust.Reading, in api.SearchRequest) (*searching, error) {
	like, err := e.likeWhat(rd, &in)
	if err != nil {
		return nil, err
	}
	s, err := e.searching(in)
	if err != nil || like == nil {
		return s, err
	}
	s.like, s.gathers, s.asks = like, nil, bearing.Question{}
	s.limit++ // itself is no result
	return s, nil
}

// likeWhat returns the memory that others are wanted of which they are like, and puts its words in the place of the
// query; nil is that there is a query.
func (e *Finder) likeWhat(rd *trust.Reading, in *api.SearchRequest) (*store.Item, error) {
	if in.Like == "" {
		return nil, nil
	}
	if strings.TrimSpace(in.Query) != "" {
		return nil, core.Invalid("like: goes without a query")
	}
	it, err := e.ResolveMemory(rd, in.Like)
	if err != nil {
		return nil, err
	}
	if it.Record == nil || !it.State.Live() && !in.All {
		return nil, core.Invalid("like: %s is not shown", it.Ref.Short())
	}
	in.Query = shorten.To(meant(it.Record), mostLike)
	return it, nil
}

// others leaves out the memory itself that others are wanted of which they are like.
func (s *searching) others(found []*standing.Found) []*standing.Found {
	if s.like == nil {
		return found
	}
	found = slices.DeleteFunc(found, func(f *standing.Found) bool { return f.Ref == s.like.Ref })
	return found[:min(s.limit-1, len(found))]
}

// mostLike is how many bytes of a memory others are compared with.
const mostLike = 4000

// answer returns the reply of a search. choose, if any, returns those of the results that are given: the receipt
// names no others.
func (s *searching) answer(
	rd *trust.Reading, across bool, choose func([]api.Result, []*standing.Found) ([]api.Result, error),
) (reply api.SearchReply, err error) {
	e, in := s.e, s.in
	reply = api.SearchReply{Query: in.Query, AsOf: in.AsOf, Results: []api.Result{}}
	if s.like != nil { // its words are no question
		reply.Query, in.Query = "", ""
	}
	var asked *askingRemotes
	if across {
		if asked, err = e.askRemotes(rd, in, &reply); err != nil {
			return reply, err
		}
		defer asked.end()
	}
	found, err := s.run(rd)
	if err != nil {
		return reply, core.Classify(err)
	}
	if choose != nil || s.onlyWhatBears() {
		found = slices.DeleteFunc(found, func(f *standing.Found) bool { return s.fit(f) == fitNone })
	}
	if choose == nil {
		found = s.behind(found)
	}
	found = s.others(found)
	if s.after != nil {
		found = s.after(found)
	}
	reply.Warnings, reply.Embedder = append(reply.Warnings, s.warnings...), s.embedder
	reply.Gathered = s.gathers.reply()
	for _, f := range found {
		r := s.result(f)
		r.Rank = len(reply.Results) + 1
		reply.Results = append(reply.Results, r)
	}
	if found, err = asked.join(rd, s, &reply, found); err != nil {
		return reply, err
	}
	items := make([]*store.Item, len(found))
	for i, f := range found {
		items[i] = f.Item
	}
	open, err := e.standing.UndecidedAt(rd, s.keep.AsOf, items)
	if err != nil {
		return reply, err
	}
	states, err := s.codeStates(rd, items)
	if err != nil {
		return reply, err
	}
	for _, f := range found {
		for i := range reply.Results {
			if r := &reply.Results[i]; r.Ref == f.Ref.String() {
				for _, l := range open[f.Ref.ID] {
					r.Undecided = append(r.Undecided, l.Against(r.Ref))
				}
				r.Marks = resultMarks(f, r.Undecided, states[f.Ref.ID])
			}
		}
	}
	if choose == nil && s.onlyWhatBears() {
		reply.Results, reply.Note = onlyBearing(reply.Results, len(reply.Results), false)
	}
	if choose == nil {
		for i := range reply.Results {
			reply.Results[i].Rank = i + 1
		}
	}
	if choose == nil {
		s.cutLong(reply.Results, s.nearParts(found))
	}
	if choose != nil {
		if reply.Results, err = choose(reply.Results, found); err != nil {
			return reply, err
		}
	}
	shown := reply
	for _, f := range s.also {
		if !slices.ContainsFunc(reply.Results, func(r api.Result) bool { return r.Ref == f.Ref.String() }) {
			shown.Results, found = append(slices.Clip(shown.Results), s.result(f)), append(found, f)
		}
	}
	if e.receipts.KeepsReceipts() {
		reply.Receipt = e.receipt(in, shown, found, e.receipts.Withheld(rd, s.hid, overBudget(s.leftOut)))
	}
	return reply, nil
}

// searchBudget is how many tokens the words of a search's results may take. What is longer than its share is cut around
// what answers.
const searchBudget = 20_000

// cutLong cuts results that are so long that the others would be lost beside them.
func (s *searching) cutLong(results []api.Result, near map[string]string) {
	if len(results) == 0 {
		return
	}
	share := max(searchBudget/len(results), pack.MinBudget)
	for i := range results {
		r := &results[i]
		if passage, of := pack.Passage(r.Text, s.terms, near[r.Ref], share); of > 0 {
			r.Text, r.Cut, r.Words = passage, true, of
		}
	}
}

// nearParts returns, by ref, the passages of long texts that meaning found and nothing else did: a text that is cut is
// cut around its passage.
func (s *searching) nearParts(found []*standing.Found) map[string]string {
	out := make(map[string]string)
	for _, f := range found {
		n, near := s.near[f.Ref.ID]
		if !near || f.Record == nil || s.bears(f) {
			continue
		}
		if all := passages(meant(f.Record)); n < len(all) && len(all) > 1 {
			out[f.Ref.String()] = all[n]
		}
	}
	return out
}
