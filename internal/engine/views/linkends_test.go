package views_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What ties two records is called the same from both ends, and is one entry: derivations
// of every way to make them, and links of every relation.
func TestATieIsTheSameFromBothEnds(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ctx := t.Context()
	raw := capture(t, p.Agent, "the Grundfos pump in the boiler room rattles at night")
	other := capture(t, p.Agent, "the valve leaks")
	ref := func(w api.WriteReply, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return w.Ref
	}
	episode := ref(
		p.Agent.Promote(ctx, api.PromoteRequest{From: []string{raw}, Draft: api.Draft{Text: "Listened to the pump"}}),
	)
	second := ref(p.Agent.Promote(ctx, api.PromoteRequest{From: []string{other}, Draft: api.Draft{Text: "Saw the valve"}}))
	belief := ref(
		p.Agent.Consolidate(
			ctx,
			api.ConsolidateRequest{From: []string{episode, second}, Draft: api.Draft{Text: "Pumps wear out"}},
		),
	)
	revised := ref(p.Agent.Revise(ctx, api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "Pumps wear out soon"}}))
	note := ref(
		p.Agent.Add(ctx, api.AddRequest{From: []string{revised}, Draft: api.Draft{Kind: "note", Text: "Order a pump"}}),
	)
	legacy := add(t, p.Agent, "note", "Grundfos pump rattles in the boiler room")
	if r := inferProvenance(t, p.Owner, api.InferProvenanceRequest{Apply: []string{legacy}}); r.Applied == 0 {
		t.Fatalf("%+v, want links", r)
	}
	said, err := p.Agent.Remember(ctx, api.RememberRequest{Text: "Alice works at Acme", Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	updates, err := p.Agent.Remember(ctx, api.RememberRequest{Text: "Alice left Acme and joined StartupX", Wait: true})
	if err != nil || len(updates.Links) != 1 {
		t.Fatalf("%+v, %v, want a link", updates, err)
	}

	derivations := 0
	all := []string{
		raw, other, episode, second, belief, revised, note, legacy, said.Memories[0].Ref,
		updates.Memories[0].Ref,
	}
	links := map[string][]api.LinkView{}
	for _, one := range all {
		back, err := p.Agent.Sources(ctx, api.RefRequest{Ref: one})
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range back.Related {
			from := source.Type + ":" + source.ID
			there, err := p.Agent.Derived(ctx, api.RefRequest{Ref: from})
			if err != nil {
				t.Fatal(err)
			}
			var called []string
			for _, d := range there.Related {
				if d.Type+":"+d.ID == one {
					called = append(called, d.Relationship)
				}
			}
			if !slices.Equal(called, []string{source.Relationship}) || source.Relationship == "" {
				t.Errorf("%s and %s: %q from one end, %q from the other", one, from, source.Relationship, called)
			}
			derivations++
		}
		got := traced(t, p.Agent, one, 0)
		shown, err := p.Agent.Show(ctx, api.RefRequest{Ref: one})
		if err != nil {
			t.Fatal(err)
		}
		drawn := 0
		for _, n := range append(slices.Clone(got.Backward.Sources), got.Forward.Derived...) {
			if n.Inferred {
				drawn++
			}
		}
		if len(got.Links)+drawn != len(shown.Links) {
			t.Errorf("%s: %d links and %d branches in the trace, %d links shown", one, len(got.Links), drawn, len(shown.Links))
		}
		for _, l := range shown.Links {
			links[l.Ref] = append(links[l.Ref], l)
		}
	}
	if derivations < 7 || len(links) < 2 {
		t.Errorf("%d derivations and %d links: this proves little", derivations, len(links))
	}
	for ref, ends := range links {
		if len(ends) != 2 || fmt.Sprint(ends[0]) != fmt.Sprint(ends[1]) {
			t.Errorf("%s is shown as %+v, want the same from both ends", ref, ends)
		}
	}
	sources, err := p.Agent.RawSources(ctx, api.RefRequest{Ref: note})
	if err != nil || len(sources.Related) != 2 || sources.Related[0].Relationship != "promote" {
		t.Errorf("%+v, %v, want raws that were promoted", sources, err)
	}
}
