package lifecycle_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Where a person is asked about everything, what an agent wrote waits, the oldest first, with
// what it rests on; what a person wrote, raw words and what was decided do not.
func TestReviewListsWhatWaits(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "strict" })
	raw := capture(t, p.Agent, "the harbour was painted red")
	episode := promote(t, p.Agent, "painting the harbour", raw)
	note := add(t, p.Agent, "note", "the harbour is red")
	add(t, p.Owner, "belief", "the harbour is mine")
	gone, done, taken := add(t, p.Agent, "belief", "one"), add(t, p.Agent, "belief", "two"), add(
		t, p.Agent, "belief", "three",
	)
	forgotten := add(t, p.Agent, "belief", "four")
	reject(t, p.Owner, "", gone)
	approve(t, p.Owner, done)
	mark(t, p.Owner, memory.Quarantine, "", taken)
	mark(t, p.Owner, memory.Forget, "", forgotten)
	old := add(t, p.Agent, "belief", "five")
	head := revise(t, p.Agent, old, "six")

	for _, tt := range []struct {
		what string
		in   api.KindRequest
		want []string
	}{
		{"all", api.KindRequest{}, []string{episode, note, head}},
		{"notes", api.KindRequest{Kind: "note"}, []string{note}},
		{"two", api.KindRequest{Limit: 2}, []string{episode, note}},
		{"no limit", api.KindRequest{Limit: -1}, []string{episode, note, head}},
	} {
		if got := pending(t, p.Owner, tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v wait, want %v", tt.what, shortened(got), shortened(tt.want))
		}
	}
	r, err := p.Owner.Review(t.Context(), api.KindRequest{Limit: 2})
	if err != nil || !r.More {
		t.Fatalf("%v, more %v, want more", err, r.More)
	}
	first := r.Pending[0]
	if len(first.Sources) != 1 || first.Sources[0].Ref != raw ||
		first.Sources[0].Headline != "the harbour was painted red" {
		t.Errorf("sources %+v, want the raw in one line", first.Sources)
	}
	met := make(map[string]bool)
	for _, c := range first.Conditions {
		if c.Says == "" {
			t.Errorf("condition %s says nothing", c.Name)
		}
		met[c.Name] = c.Met
	}
	if !met["event evidence"] || !met["not reviewed"] || met["approved"] || met["verified"] || met["code refs"] ||
		len(met) != 5 {
		t.Errorf("conditions %v", met)
	}
	if _, err := p.Owner.Review(t.Context(), api.KindRequest{Kind: "thought"}); !isInvalid(err) {
		t.Errorf("thoughts: %v, want it invalid", err)
	}
}

// A person's approval lifts the tier and says when; a rejection hides; only
// force takes that back.
func TestApproveRejectForce(t *testing.T) {
	for name, spec := range stores {
		owner := open(t, spec(t), engine.Config{Origin: memory.OriginOwner})
		ref := add(t, owner, "belief", "the harbour is red")
		decide := func(f func() (api.DecideReply, error)) api.DecideReply {
			t.Helper()
			r, err := f()
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		in := api.DecideRequest{Refs: []string{ref, ref}, Reason: "seen"}
		r := decide(func() (api.DecideReply, error) { return owner.Approve(t.Context(), in) })
		if len(r.Memories) != 1 || r.Memories[0].Tier != "observed" || r.Memories[0].Review != "approved" ||
			r.Claim == "" || r.Hint != "" {
			t.Errorf(name+": approved: %+v", r)
		}
		if r := decide(func() (api.DecideReply, error) { return owner.Approve(t.Context(), in) }); r.Claim != "" ||
			len(r.Memories) != 1 {
			t.Errorf(name+": approved again: %+v, want no new claim", r)
		}
		r = decide(func() (api.DecideReply, error) { return owner.Reject(t.Context(), in) })
		if r.Memories[0].Hidden != "rejected" || r.Claim == "" {
			t.Errorf(name+": rejected: %+v", r)
		}
		wantRefs(t, name+": rejected", search(t, owner, api.SearchRequest{Query: "harbour"}))
		if r := decide(func() (api.DecideReply, error) { return owner.Reject(t.Context(), in) }); r.Claim != "" {
			t.Errorf(name+": rejected again: %+v, want no new claim", r)
		}
		if _, err := owner.Approve(t.Context(), in); !errors.Is(err, api.ErrConflict) {
			t.Errorf(name+": approve what was rejected: %v, want a conflict", err)
		}
		in.Force = true
		r = decide(func() (api.DecideReply, error) { return owner.Approve(t.Context(), in) })
		if r.Memories[0].Review != "approved" || r.Memories[0].Hidden != "" {
			t.Errorf(name+": forced: %+v", r)
		}
		wantRefs(t, name+": forced", search(t, owner, api.SearchRequest{Query: "harbour"}), ref)
	}
}

// Several are decided at once, or none.
func TestDecideAllOrNone(t *testing.T) {
	p := newPeople(t)
	one, two := add(t, p.Agent, "value", "one harbour"), add(t, p.Agent, "value", "two harbours")
	raw := capture(t, p.Agent, "a harbour")
	for _, tt := range []struct {
		refs []string
		want error
	}{
		{[]string{one, two, raw}, api.ErrInvalid},
		{[]string{one, "belief:00000000"}, api.ErrNotFound},
		{[]string{one, "nonsense"}, api.ErrInvalid},
		{nil, api.ErrInvalid},
	} {
		if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: tt.refs}); !errors.Is(err, tt.want) {
			t.Errorf("approve %v: %v, want %v", tt.refs, err, tt.want)
		}
	}
	if got := pending(t, p.Owner, api.KindRequest{}); len(got) != 2 {
		t.Errorf("%d wait after what failed, want 2", len(got))
	}
	r, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{one, two}})
	if err != nil || len(r.Memories) != 2 || r.Memories[0].Review != "approved" || r.Memories[1].Review != "approved" {
		t.Errorf("both: %+v, %v", r, err)
	}
	if got := pending(t, p.Owner, api.KindRequest{}); len(got) != 0 {
		t.Errorf("%v still wait", shortened(got))
	}
}

// An agent decides nothing about what its owner wrote, and approves nothing: neither by a verb nor with what it
// writes.
func TestAgentDecides(t *testing.T) {
	p := newPeople(t)
	theirs, own := add(t, p.Owner, "belief", "the owner's harbour"), add(t, p.Agent, "belief", "the agent's harbour")
	raw := capture(t, p.Agent, "the harbour of all")
	for what, f := range map[string]func() error{
		"approve": func() error {
			_, err := p.Agent.Approve(t.Context(), api.DecideRequest{Refs: []string{own, theirs}})
			return err
		},
		"force": func() error {
			_, err := p.Agent.Approve(t.Context(), api.DecideRequest{Refs: []string{theirs}, Force: true})
			return err
		},
		"approve its own": func() error {
			_, err := p.Agent.Approve(t.Context(), api.DecideRequest{Refs: []string{own}})
			return err
		},
		"approve what it adds": func() error {
			_, err := p.Agent.Add(t.Context(), api.AddRequest{
				Draft: api.Draft{Kind: "note", Text: "x"}, Meta: api.Meta{Approve: true},
			})
			return err
		},
		"approve what it promotes": func() error {
			_, err := p.Agent.Promote(t.Context(), api.PromoteRequest{From: []string{raw}, Meta: api.Meta{Approve: true}})
			return err
		},
		"approve what it concludes": func() error {
			_, err := p.Agent.Consolidate(t.Context(), api.ConsolidateRequest{
				From: []string{own}, Draft: api.Draft{Text: "x"}, Meta: api.Meta{Approve: true},
			})
			return err
		},
		"approve what it revises": func() error {
			_, err := p.Agent.Revise(t.Context(), api.ReviseRequest{
				Ref: own, Draft: api.Draft{Text: "x"}, Meta: api.Meta{Approve: true},
			})
			return err
		},
		"reject": func() error {
			_, err := p.Agent.Reject(t.Context(), api.DecideRequest{Refs: []string{theirs}})
			return err
		},
		"merge": func() error {
			_, err := p.Agent.Revise(
				t.Context(), api.ReviseRequest{Ref: own, Merge: []string{theirs}, Draft: api.Draft{Text: "x"}},
			)
			return err
		},
		"merge into it": func() error {
			_, err := p.Agent.Revise(
				t.Context(), api.ReviseRequest{Ref: theirs, Merge: []string{own}, Draft: api.Draft{Text: "x"}},
			)
			return err
		},
	} {
		if err := f(); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: %v, want it forbidden", what, err)
		}
	}
	if m := show(t, p.Owner, theirs); m.Review != "" || m.Tier != "hypothesis" || !m.IsActive {
		t.Errorf("the owner's is %s and %s", m.Review, m.Tier)
	}
	if got := pending(t, p.Owner, api.KindRequest{All: true}); !slices.Equal(got, []string{own}) {
		t.Errorf("%v are undecided, want only the agent's", shortened(got))
	}
	// what the owner decided no agent takes back
	reject(t, p.Owner, "", own)
	if _, err := p.Agent.Approve(t.Context(), api.DecideRequest{Refs: []string{own}, Force: true}); !errors.Is(
		err, api.ErrForbidden,
	) {
		t.Errorf("the agent's force: %v, want it forbidden", err)
	}
	if m := show(t, p.Owner, own); m.Hidden != "rejected" {
		t.Errorf("after the agent's force it is %q, want rejected", m.Hidden)
	}
}

// Merging replaces both by one, which keeps the evidence of both.
func TestMerge(t *testing.T) {
	p := newPeople(t)
	one, two := add(t, p.Owner, "belief", "the harbour is red"), add(t, p.Agent, "belief", "the harbour is crimson")
	raw := capture(t, p.Agent, "painted red")
	three := consolidate(t, p.Agent, "the harbour is scarlet", raw)
	merged, err := p.Owner.Revise(t.Context(), api.ReviseRequest{
		Ref: one, Merge: []string{two, three}, Draft: api.Draft{
			Text: "the harbour is some red",
		}, Meta: api.Meta{Approve: true}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{one, two, three}; !slices.Equal(merged.Superseded, want) ||
		!slices.Equal(merged.DerivedFrom, want) {
		t.Errorf("it replaces %v and rests on %v, want all three",
			shortened(merged.Superseded), shortened(merged.DerivedFrom))
	}
	wantRefs(t, "heads", search(t, p.Agent, api.SearchRequest{Query: "harbour"}), merged.Ref)
	wantRefs(
		t, "all", search(t, p.Agent, api.SearchRequest{Query: "harbour", All: true, Kind: "belief"}), one, two,
		three, merged.Ref,
	)
	for _, ref := range []string{one, two, three} {
		if m := show(t, p.Owner, ref); m.IsActive || m.SupersededBy != merged.Ref {
			t.Errorf("%s is superseded by %q, want %s", ref[:14], m.SupersededBy, merged.Ref)
		}
	}
	ev, err := p.Owner.Evidence(t.Context(), api.RefRequest{Ref: merged.Ref})
	if err != nil || ev.SourceRawEntries != 1 {
		t.Errorf("evidence %+v, %v, want the raw behind the third", ev, err)
	}
	other := add(t, p.Owner, "note", "the harbour is a note")
	for _, tt := range []struct {
		what string
		in   api.ReviseRequest
		want error
	}{
		{"twice", api.ReviseRequest{Ref: merged.Ref, Merge: []string{merged.Ref}}, api.ErrInvalid},
		{"another kind", api.ReviseRequest{Ref: merged.Ref, Merge: []string{other}}, api.ErrInvalid},
		{"one that is superseded", api.ReviseRequest{Ref: merged.Ref, Merge: []string{two}}, api.ErrConflict},
		{"nothing", api.ReviseRequest{Ref: merged.Ref, Merge: []string{"belief:00000000"}}, api.ErrNotFound},
	} {
		tt.in.Text = "x"
		if _, err := p.Owner.Revise(t.Context(), tt.in); !errors.Is(err, tt.want) {
			t.Errorf("merge %s: %v, want %v", tt.what, err, tt.want)
		}
	}
}

// What was captured lately, the newest first, of a session or since a time.
func TestRecent(t *testing.T) {
	p := newPeople(t)
	said := func(session, text string) string {
		r, err := p.Agent.Capture(t.Context(), api.CaptureRequest{Text: text, Meta: api.Meta{Session: session}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	}
	old := said("s1", "long ago")
	p.Ahead(48 * time.Hour)
	one, two := said("s1", "one"), said("s2", "two")
	three := add(t, p.Agent, "belief", "three")
	p.Ahead(3 * time.Hour)
	four := said("s2", "four")
	for _, tt := range []struct {
		what    string
		session string // of the engine
		in      api.RecentRequest
		want    []string
	}{
		{"a day", "", api.RecentRequest{}, []string{four, three, two, one}},
		{"an hour", "", api.RecentRequest{Since: "1h"}, []string{four}},
		{"a time", "", api.RecentRequest{Since: "2026-01-01"}, []string{four, three, two, one, old}},
		{"a session", "", api.RecentRequest{Session: "s1"}, []string{one, old}},
		{"a session since", "", api.RecentRequest{Session: "s1", Since: "24h"}, []string{one}},
		{"the engine's session", "s2", api.RecentRequest{}, []string{four, two}},
		{"since, whatever the engine's session", "s2", api.RecentRequest{Since: "1h"}, []string{four}},
		{"two", "", api.RecentRequest{Limit: 2}, []string{four, three}},
	} {
		e := p.As(memory.OriginAgent, func(c *engine.Config) { c.Session = tt.session })
		r, err := e.Recent(t.Context(), tt.in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range r.Memories {
			got = append(got, m.Ref)
		}
		if !slices.Equal(got, tt.want) || r.More != (tt.in.Limit == 2) {
			t.Errorf("%s: %v, more %v, want %v", tt.what, shortened(got), r.More, shortened(tt.want))
		}
	}
	if _, err := p.Agent.Recent(t.Context(), api.RecentRequest{Since: "-2h"}); !isInvalid(err) {
		t.Errorf("since -2h: %v, want it invalid", err)
	}
}
