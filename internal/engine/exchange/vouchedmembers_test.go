package exchange_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// packText returns the text of a pack.
func packText(t *testing.T, e *engine.Engine, query string) string {
	t.Helper()
	r, err := e.Context(t.Context(), api.ContextRequest{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// under returns the heading under which a pack has some words, "" where it has them not.
func under(pack, words string) string {
	heading := ""
	for line := range strings.Lines(pack) {
		if strings.HasSuffix(strings.TrimSpace(line), ":") {
			heading = strings.TrimSpace(line)
		}
		if strings.Contains(line, words) {
			return heading
		}
	}
	return ""
}

// A member for whom an accepted keeper vouches is listed as observed, under their name, and
// nowhere above, whatever they do; each end of it counts at once.
func TestAVouchedMemberIsObservedAndNoMore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	team := newTeam(t, 4) // Ada owns the space, Bob reads, Cleo is vouched for, Dan is not
	bob := team.All[1]
	cleo, dan := team.In(2, memory.OriginOwner), team.In(3, memory.OriginOwner)
	approved := add(t, team.In(0, memory.OriginOwner), "belief", "herons of Ada fish at dawn")
	if _, err := team.In(0, memory.OriginOwner).Approve(ctx, api.DecideRequest{Refs: []string{approved}}); err != nil {
		t.Fatal(err)
	}
	said := add(t, cleo, "belief", "herons of Cleo sleep at noon")
	if _, err := cleo.Approve(ctx, api.DecideRequest{Refs: []string{said}}); err != nil {
		t.Fatal(err)
	}
	refs := map[string]string{"belief": said}
	refs["value"] = write(t, cleo, api.AddRequest{Draft: api.Draft{Kind: "value", Name: "herons", Text: "herons first"}})
	refs["goal"] = write(t, cleo, api.AddRequest{Draft: api.Draft{Kind: "goal", Text: "count all herons"}})
	refs["constraint"] = write(
		t, cleo, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "constraint", Text: "never feed the herons"}},
	)
	outside := add(t, dan, "belief", "herons of Dan are blue")
	team.Settle(t)
	before := packText(t, bob.Agent, "herons")

	observed := func(when string, want bool) {
		t.Helper()
		for kind, ref := range refs {
			m := show(t, bob.Agent, ref)
			if m.Actionable || m.Unverified == want || m.Level != "unverified" {
				t.Errorf("%s: the %s of a member is actionable %v, unverified %v, level %s", when, kind, m.Actionable,
					m.Unverified, m.Level)
			}
		}
		for _, ref := range []string{outside, approved} {
			if m := show(t, bob.Agent, ref); m.Actionable || !m.Unverified {
				t.Errorf("%s: %s of somebody else is lifted", when, m.Headline)
			}
		}
		pack := packText(t, bob.Agent, "herons")
		at := under(pack, "of Cleo sleep")
		if is := strings.HasPrefix(at, "Observed"); is != want {
			t.Errorf("%s: it is under %q in %s", when, at, pack)
		}
		for _, words := range []string{"herons first", "count all herons", "never feed"} {
			if at := under(pack, words); at != "" && !strings.HasPrefix(at, "Observed") && !strings.HasPrefix(at, "Unverified") {
				t.Errorf("%s: %q is under %q", when, words, at)
			}
		}
		if !want && pack != before {
			t.Errorf("%s: the pack is\n%s\nwant what it was\n%s", when, pack, before)
		}
	}
	observed("nobody vouched", false)
	if err := team.Vouch(t, 0, false, 2); err != nil {
		t.Fatal(err)
	}
	if err := team.Vouch(t, 2, false, 3); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("a member vouches for a friend: %v, want it forbidden", err)
	}
	friend := api.RemoteMemberRequest{Account: team.All[3].Principal(), Role: "vouched"}
	_, err := team.In(0, memory.OriginAgent).RemoteMemberSet(ctx, friend)
	if !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent of the keeper vouches: %v, want it forbidden", err)
	}
	for i, by := range []*engine.Engine{team.In(0, memory.OriginAgent), cleo} { // as a changed program would write it
		r, err := by.Sign(memory.Header{
			Space: team.Space, Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect},
		}, &memory.Mark{Target: "author:" + team.All[3].Principal(), Verb: "vouch", Value: "Dan"})
		if err != nil {
			t.Fatal(err)
		}
		if err := by.Append(ctx, store.Batch{Records: []*memory.Record{r}}); err != nil {
			t.Fatal(i, err)
		}
	}
	team.Settle(t)
	before = packText(t, bob.Agent, "herons")
	observed("no keeper was accepted", false)

	in := api.RemoteMemberRequest{Account: team.All[0].Principal(), Role: "accepted"}
	drop := api.RemoteMemberRequest{Account: team.All[0].Principal(), Role: "dropped"}
	if _, err := bob.Agent.RemoteMemberSet(ctx, in); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent accepts a keeper: %v, want it forbidden", err)
	}
	if _, err := bob.Owner.RemoteMemberSet(
		ctx, api.RemoteMemberRequest{Account: team.All[2].Principal(), Role: "accepted"},
	); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("a member is accepted as keeper: %v, want that there is none", err)
	}
	accept := func() {
		t.Helper()
		team.Accepts(t, 1, 0)
		approved = said // the keeper's own are a member's too, from here on
	}
	accept()
	observed = func(when string, want bool) {
		t.Helper()
		pack := packText(t, bob.Agent, "herons")
		if at := under(pack, "of Cleo sleep"); strings.HasPrefix(at, "Observed") != want {
			t.Errorf("%s: it is under %q in %s", when, at, pack)
		}
		for kind, ref := range refs {
			m := show(t, bob.Agent, ref)
			if m.Actionable || m.Unverified == want || m.Level != "unverified" {
				t.Errorf("%s: the %s of a member is actionable %v, unverified %v, level %s", when, kind, m.Actionable,
					m.Unverified, m.Level)
			}
		}
		if outside == "" {
		} else if m := show(t, bob.Agent, outside); m.Actionable || !m.Unverified {
			t.Errorf("%s: one for whom nobody vouches is lifted", when)
		}
		for _, words := range []string{"herons first", "count all herons", "never feed"} {
			if at := under(pack, words); at != "" && !strings.HasPrefix(at, "Observed") && !strings.HasPrefix(at, "Unverified") {
				t.Errorf("%s: %q is under %q", when, words, at)
			}
		}
		all := search(t, bob.Agent, api.SearchRequest{Query: "herons"}).Results
		found := slices.ContainsFunc(all, func(r api.Result) bool {
			return r.Ref == said && r.Unverified != want && !r.Actionable && strings.HasSuffix(r.By, " in team")
		})
		if !found {
			t.Errorf("%s: search does not say the same", when)
		}
	}
	observed("accepted", true)
	if pack := packText(t, bob.Agent, "herons"); strings.Contains(pack, "external") && under(pack, "of Cleo sleep") == "" {
		t.Error("the member's memory is not in the pack")
	}

	// what comes from elsewhere is nobody's word in the space, and a confirmation lifts nothing
	if _, err := cleo.Witness(ctx, api.WitnessRequest{Ref: outside, Attestation: "confirm"}); err != nil {
		t.Fatal(err)
	}
	tainted := write(
		t, cleo, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "herons, as Dan says"}, From: []string{outside}},
	)
	elsewhere := add(t, team.All[2].Owner, "belief", "herons at the home of Cleo")
	team.Settle(t)
	for _, ref := range []string{outside, tainted} {
		if m := show(t, bob.Agent, ref); !m.Unverified || m.Actionable || m.Level != "unverified" {
			t.Errorf("%s is lifted by a member: %+v", m.Headline, m.Level)
		}
	}
	if _, err := bob.Owner.Show(ctx, api.RefRequest{Ref: elsewhere}); err == nil {
		t.Error("a space that was not shared came here")
	}

	// each end counts at once
	if _, err := bob.Agent.RemoteMemberSet(ctx, drop); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent drops a keeper: %v, want it forbidden", err)
	}
	if _, err := bob.Owner.RemoteMemberSet(ctx, drop); err != nil {
		t.Fatal(err)
	}
	observed("the keeper was dropped", false)
	accept()
	observed("accepted again", true)
	if err := team.Vouch(t, 0, true, 2); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	observed("the vouch was withdrawn", false)

	// a keeper whom the owner appointed vouches until dismissed; a date does not help
	team.Keeper(t, 3)
	team.Settle(t)
	if err := team.Vouch(t, 3, false, 2); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	observed("by a keeper who was not accepted", false)
	team.Accepts(t, 1, 3)
	outside = "" // Dan's own are a member's while he is an accepted keeper
	observed("by another keeper", true)
	if _, err := team.In(0, memory.OriginOwner).DismissKeeper(ctx, team.Space, team.All[3].Principal()); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	observed("that keeper was dismissed", false)
	if err := team.Vouch(t, 3, false, 2); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("a former keeper vouches: %v, want it forbidden", err)
	}
}
