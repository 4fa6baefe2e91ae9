package recall

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Replay repeats the question of a receipt and returns the differences with their reasons.
func (e *Finder) Replay(ctx context.Context, in api.ReceiptRequest) (api.ReplayReply, error) {
	rd := e.trust.Reading(ctx)
	r, err := e.receipts.Receipt(rd, in)
	if err != nil {
		return api.ReplayReply{}, err
	}
	if r.Store != "" && r.Store != e.receipts.Given.Store {
		return api.ReplayReply{}, core.Invalid(
			"receipt %s is of another store%s: replay it there", r.ID, orNothing(" at ", r.Path),
		)
	}
	reply := api.ReplayReply{Receipt: r, Now: []api.Receipted{}, Changes: []api.Replacement{}}
	if reply.Now, err = e.again(rd, &r); err != nil {
		return reply, err
	}
	now := make(map[string]api.Receipted)
	for _, n := range reply.Now {
		now[n.Ref] = n
	}
	then := make(map[string]api.Receipted)
	for _, t := range fromHere(r.Results) {
		then[t.Ref] = t
		n, still := now[t.Ref]
		switch {
		case !still:
			reply.Changes = append(
				reply.Changes,
				api.Replacement{Ref: t.Ref, Text: t.Text, Was: t.Rank, Is: 0, Reason: e.whyGone(rd, t.Ref)},
			)
		case n.Rank != t.Rank:
			reply.Changes = append(
				reply.Changes,
				api.Replacement{Ref: t.Ref, Text: t.Text, Was: t.Rank, Is: n.Rank, Reason: whyMoved(t, n)},
			)
		case n.Tier != t.Tier:
			reply.Changes = append(
				reply.Changes,
				api.Replacement{Ref: t.Ref, Text: t.Text, Was: t.Rank, Is: n.Rank, Reason: whyMoved(t, n)},
			)
		}
	}
	for _, n := range reply.Now {
		if _, was := then[n.Ref]; !was {
			reply.Changes = append(
				reply.Changes,
				api.Replacement{Ref: n.Ref, Text: n.Text, Was: 0, Is: n.Rank, Reason: e.whyNew(rd, n.Ref, r.At)},
			)
		}
	}
	return reply, nil
}

func orNothing(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// fromHere returns what this store answered, in its order: no remote is asked again.
func fromHere(all []api.Receipted) []api.Receipted {
	var out []api.Receipted
	for _, t := range all {
		if t.Remote == "" {
			t.Rank = len(out) + 1
			out = append(out, t)
		}
	}
	return out
}

// quiet returns a finder whose answers leave no receipts.
func (e *Finder) quiet() *Finder {
	q := *e
	q.receipts = e.receipts.Quiet()
	return &q
}

// again asks what a receipt asked. It leaves no receipt of its own.
func (e *Finder) again(rd *trust.Reading, r *api.Receipt) ([]api.Receipted, error) {
	quiet := e.quiet()
	read := func(in any) error {
		if json.Unmarshal(r.Request, in) != nil {
			return core.Invalid("receipt %s: its request cannot be read", r.ID)
		}
		return nil
	}
	var given []receipts.Shown
	var err error
	switch r.Op {
	case "search":
		var in api.SearchRequest
		var s *searching
		if err = read(&in); err == nil {
			s, err = quiet.asks(rd, in)
		}
		if err == nil {
			given, err = s.shown(rd)
		}
	case "context":
		var in askedContext
		var made *madePack
		if err = read(&in); err == nil {
			in.ContextRequest.Format = in.Format
			made, err = quiet.packContext(rd, in.ContextRequest)
		}
		if err == nil {
			given = made.given()
		}
	case "load":
		var in askedLoad
		var made *madePack
		if err = read(&in); err == nil {
			in.LoadRequest.Format = in.Format
			made, err = quiet.packLoad(rd, in.LoadRequest)
		}
		if err == nil {
			given = made.given()
		}
	default:
		return nil, core.Invalid("receipt %s: %q cannot be asked again", r.ID, shorten.To(r.Op, 40))
	}
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []api.Receipted
	for i, one := range given {
		out = append(out, receipts.Receipted(i+1, one))
	}
	return out, nil
}

// shown returns what a search finds, as receipts note it.
func (s *searching) shown(rd *trust.Reading) ([]receipts.Shown, error) {
	found, err := s.run(rd)
	found = s.others(found)
	out := make([]receipts.Shown, len(found))
	for i, f := range found {
		out[i] = f.Shown()
	}
	return out, err
}

// whyGone says why a memory is not found any more.
func (e *Finder) whyGone(rd *trust.Reading, ref string) string {
	it, err := e.Lookup(rd, ref)
	if err != nil {
		return "it is not held here"
	}
	if h := core.Hidden(&it.State); h != "" {
		if !it.State.SupersededBy.IsZero() {
			return "superseded by " + memory.Ref{Kind: it.Ref.Kind, ID: it.State.SupersededBy}.Short()
		}
		if it.State.Reason != "" {
			return h + ": " + it.State.Reason
		}
		return h
	}
	return "others rank before it now"
}

// whyNew says why a memory is found that was not.
func (e *Finder) whyNew(rd *trust.Reading, ref, at string) string {
	it, err := e.Lookup(rd, ref)
	if err == nil && it.Record != nil && it.Record.Header.At.String() > at {
		return "recorded since"
	}
	return "it ranks higher now"
}

func whyMoved(then, now api.Receipted) string {
	if then.Tier != now.Tier {
		return "its tier was " + core.Or(then.Tier, "none") + " and is " + core.Or(now.Tier, "none")
	}
	if then.Factors.Relevance != now.Factors.Relevance {
		return fmt.Sprintf("its relevance was %.3f and is %.3f", then.Factors.Relevance, now.Factors.Relevance)
	}
	return "others moved around it"
}
