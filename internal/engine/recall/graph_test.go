package recall_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A belief found by its words brings the words it rests on, which share none
// with the question; so it does where only raws are asked for.
func TestGraphBringsTheSource(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "we moved everything off the old box last night")
		belief := consolidate(t, e, "the migration to Frankfurt is complete", raw)
		capture(t, e, "an unrelated line")
		const query = "migration Frankfurt"
		r := search(t, e, api.SearchRequest{Query: query, Explain: true})
		wantRefs(t, "all kinds", r, belief, raw)
		if r.Results[0].Ref != belief {
			t.Errorf("first is %s, want the belief", r.Results[0].Ref)
		}
		if one := found(r, raw); one != nil {
			w := one.Why
			if w.Own != 0 || w.Graph != 0.5 || w.GraphBy == "" || belief[:len(w.GraphBy)] != w.GraphBy {
				t.Errorf("why of the raw is %+v, want half propagated from %s", *w, belief)
			}
		}
		wantRefs(t, "raws", search(t, e, api.SearchRequest{Query: query, Kind: "raw"}), raw)
		wantRefs(t, "beliefs", search(t, e, api.SearchRequest{Query: query, Kind: "belief"}), belief)
		wantRefs(t, "notes", search(t, e, api.SearchRequest{Query: query, Kind: "note"}))

		// what was made of a raw that is found comes along too
		up := search(t, e, api.SearchRequest{Query: "old box", Explain: true, All: true})
		wantRefs(t, "from the raw", up, raw, belief)
		if one := found(up, belief); one != nil && one.Why.Graph != 0.2 {
			t.Errorf("why of the belief is %+v, want a fifth propagated", *one.Why)
		}
		wantRefs(t, "beliefs from the raw", search(t, e, api.SearchRequest{Query: "old box", Kind: "belief"}))
	})
}

// Sources share what their conclusion propagates; what also stands behind a
// conclusion that a hit stands behind gets a little.
func TestGraphSharesAndSiblings(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	one, two := capture(t, e, "the old box"), capture(t, e, "a new machine")
	belief := consolidate(t, e, "the migration to Frankfurt is complete", one, two)
	r := search(t, e, api.SearchRequest{Query: "Frankfurt", Explain: true, All: true})
	wantRefs(t, "two sources", r, belief, one, two)
	for _, ref := range []string{one, two} {
		if got := found(r, ref); got != nil && got.Why.Graph != 0.25 {
			t.Errorf("%s has %v propagated, want 0.25: half of a half", ref[:12], got.Why.Graph)
		}
	}
	r = search(t, e, api.SearchRequest{Query: "box", Explain: true, All: true})
	wantRefs(t, "a sibling", r, one, belief, two)
	if got := found(r, two); got != nil && got.Why.Graph != 0.1 {
		t.Errorf("the sibling has %v propagated, want 0.1", got.Why.Graph)
	}
}

// A conclusion from many propagates to none of them: it says little of each. The same
// for words of which much was made.
func TestGraphOfMany(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	var raws []string
	for i := range 9 {
		raws = append(raws, capture(t, e, fmt.Sprint("line ", i)))
	}
	eight := consolidate(t, e, "a conclusion about Frankfurt", raws[:8]...)
	nine := consolidate(t, e, "a conclusion about Hamburg", raws...)
	wantRefs(t, "of eight", search(t, e, api.SearchRequest{Query: "Frankfurt", All: true}),
		append([]string{eight}, raws[:8]...)...)
	wantRefs(t, "of nine", search(t, e, api.SearchRequest{Query: "Hamburg", All: true}), nine)

	busy := capture(t, e, "the meeting in Bremen")
	var made []string
	for i := range 17 {
		if i == 16 {
			wantRefs(
				t, "sixteen made", search(t, e, api.SearchRequest{Query: "Bremen", Limit: 50, All: true}),
				append([]string{busy}, made...)...,
			)
		}
		made = append(made, consolidate(t, e, fmt.Sprint("conclusion ", i), busy))
	}
	wantRefs(t, "seventeen made", search(t, e, api.SearchRequest{Query: "Bremen", Limit: 50, All: true}), busy)
}

// Hidden records neither pass nor receive score.
func TestGraphOfTheHidden(t *testing.T) {
	p := newPeople(t)
	raw := capture(t, p.Agent, "we moved everything off the old box")
	wrong := consolidate(t, p.Agent, "the migration to Frankfurt is complete", raw)
	reject(t, p.Owner, "", wrong)
	wantRefs(t, "by a rejected one", search(t, p.Agent, api.SearchRequest{Query: "Frankfurt"}))
	wantRefs(t, "by a rejected one, raws", search(t, p.Agent, api.SearchRequest{Query: "Frankfurt", Kind: "raw"}))
	wantRefs(t, "to a rejected one", search(t, p.Agent, api.SearchRequest{Query: "old box"}), raw)
	wantRefs(t, "all", search(t, p.Agent, api.SearchRequest{Query: "Frankfurt", All: true}), raw, wrong)
}
