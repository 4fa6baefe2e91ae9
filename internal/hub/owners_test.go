package hub

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// handsOver signs that a space is another's from now on, at a time that is made up.
func (p *person) handsOver(t testing.TB, space string, to *person, made int) []*memory.Record {
	t.Helper()
	defer func(was int) { p.made = max(was, made) + 2 }(p.made)
	p.made = made
	n := p.make(t, space, &memory.Key{Op: memory.OpIntroduce, Key: to.key.DID(), Name: state.HeirName(space)})
	of := n.Ref()
	h := p.make(t, space, &memory.Key{
		Op: memory.OpRevoke, Key: to.key.DID(), Of: &of, Reason: memory.Superseded, From: state.HeldLine(nil),
	})
	return []*memory.Record{n, h}
}

// A hub serves a space as its owner's whom signed records name: from a handover on the new owner
// manages it, the old one writes in it, and no later word of the old one changes that.
func TestAHubFollowsHandovers(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		team := ann.key.DID() + "/team"
		ann.believes(p, team, "herons fish at dawn")
		ann.mustSync(p)
		bob, kim := p.joins("bob", team, store.Writer), p.joins("kim", team, store.Keeper)
		for _, who := range []*person{bob, kim} {
			who.mustSync(p)
		}
		invite := func(who *person, role store.Role) error {
			_, err := who.Invite(ctx, peer.Invite{Space: team, Role: role})
			return err
		}
		set := func(by, who *person, role store.Role) error {
			_, err := by.SetMember(ctx, peer.Placing{Space: team, Account: who.key.DID(), Role: role})
			return err
		}
		if err := invite(ann, store.Arbiter); err != nil {
			p.Fatal(err)
		}
		// no one else's word counts, and the hub takes none
		for _, who := range []*person{bob, kim} {
			acks, err := who.Push(ctx, peer.Push{Space: team, Lines: []peer.Line{
				line(p, who.handsOver(p, team, who, 5)[0]),
			}})
			if err != nil || len(acks.Refused) != 1 || !strings.Contains(acks.Refused[0].Why, "does not own the space") {
				p.Errorf("%s takes the space: %+v, %v", who.name, acks, err)
			}
		}
		owned := func(when string, want *person, roles map[string]store.Role) {
			p.Helper()
			all, err := want.Members(ctx, peer.MembersRequest{Space: team})
			if err != nil || all.Owner.DID != want.key.DID() {
				p.Errorf("%s: the owner is %s, %v, want %s", when, all.Owner.Name, err, want.name)
			}
			got := map[string]store.Role{}
			for _, m := range all.Members {
				got[m.Name] = m.Role
			}
			for name, role := range roles {
				if got[name] != role || len(got) != len(roles) {
					p.Errorf("%s: the members are %v, want %v", when, got, roles)
				}
			}
		}
		first := ann.handsOver(p, team, bob, 20)
		ann.add(p, first...)
		ann.mustSync(p)
		owned("handed over", bob, map[string]store.Role{"ann": store.Writer, "kim": store.Keeper})
		refused(p, "the old owner who invites", invite(ann, store.Reader), peer.ErrDenied, "in that space is writer")
		if open, err := p.store.Invitations(ctx, team, p.now); err != nil || len(open) > 0 {
			p.Errorf("invitations of the old owner are open: %v, %v", open, err)
		}
		refused(p, "a keeper who puts out the new owner", set(kim, bob, ""), peer.ErrDenied, "whose the space is keeps it")
		for _, err := range []error{invite(bob, store.Arbiter), set(bob, kim, store.Arbiter), set(bob, kim, store.Keeper)} {
			if err != nil {
				p.Errorf("the new owner manages the space: %v", err)
			}
		}
		late := ann.believes(p, team, "herons fish at dusk too")
		ann.mustSync(p)
		if !held(p, team, late.ID) {
			p.Error("the old owner cannot write")
		}

		// neither an operator nor an invitation takes it away
		if err := p.store.SetMember(ctx, store.Member{
			Space: team, Account: bob.key.DID(), Role: store.Reader, Made: p.now,
		}); err != nil {
			p.Fatal(err)
		}
		if err := p.store.RemoveMember(ctx, team, bob.key.DID()); !errors.Is(err, store.ErrAbsent) {
			p.Errorf("the owner is removed: %v", err)
		}
		p.letIn(bob, team, store.Reader)
		p.server.owners.again()
		owned("an operator sets a role", bob, nil)

		// an answer that was lost is asked for again; a second handover, dated before the first, is refused
		lines := func(rs []*memory.Record) (out []peer.Line) {
			for _, r := range rs {
				out = append(out, line(p, r))
			}
			return out
		}
		if acks, err := ann.Push(ctx, peer.Push{Space: team, Lines: lines(first)}); err != nil || len(acks.Refused) > 0 {
			p.Errorf("the handover again: %+v, %v", acks, err)
		}
		for _, made := range []int{10, 60} {
			acks, err := ann.Push(ctx, peer.Push{Space: team, Lines: lines(ann.handsOver(p, team, ann, made))})
			if err != nil || len(acks.Refused) != 2 {
				p.Errorf("a second handover, dated %d: %+v, %v", made, acks, err)
			}
			acks, err = ann.Push(ctx, peer.Push{Space: team, Lines: lines(ann.handsOver(p, team, kim, made+1))})
			if err != nil || len(acks.Refused) != 2 {
				p.Errorf("a second handover to a keeper, dated %d: %+v, %v", made, acks, err)
			}
		}
		owned("handed over once more by the old owner", bob, nil)

		// a hub of an earlier version held the records and knew nothing of them
		if err := p.store.SetOwner(ctx, store.Member{Space: team, Account: ann.key.DID(), Made: p.now}); err != nil {
			p.Fatal(err)
		}
		p.server.owners.again()
		refused(p, "the old owner after an upgrade", invite(ann, store.Reader), peer.ErrDenied, "in that space is writer")
		owned("after an upgrade", bob, nil)

		bob.add(p, bob.handsOver(p, team, kim, 40)...)
		bob.mustSync(p)
		owned("handed on", kim, map[string]store.Role{"ann": store.Writer, "bob": store.Writer})
		if err := set(kim, ann, ""); err != nil {
			p.Errorf("the third owner puts out the first: %v", err)
		}
		report := ann.mustSync(p)
		if slices.ContainsFunc(report.Spaces, func(s peer.SpaceReport) bool { return s.Space == team }) {
			p.Error("who was put out of the space that bears their key still exchanges it")
		}
		if err := p.store.EndAccount(ctx, kim.key.DID(), p.now); err != nil {
			p.Fatal(err)
		}
		p.server.owners.again()
		refused(p, "the first owner, when the account of the last one ended", invite(ann, store.Reader), peer.ErrDenied,
			"the space does not exist")
	})
}

// Who hands over the space that has their keys stays a writer in it: their keys' later records go there.
func TestWhoHandsTheirFirstSpaceOverStillWritesThere(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		bob := p.joins("bob", ann.home(), store.Writer)
		ann.add(p, ann.handsOver(p, ann.home(), bob, 20)...)
		ann.mustSync(p)
		for _, role := range []store.Role{"", store.Reader} {
			_, err := bob.SetMember(p.Context(), peer.Placing{Space: ann.home(), Account: ann.key.DID(), Role: role})
			refused(p, "putting out whose keys the space has", err, peer.ErrDenied, "holds the keys of who began it")
		}
		if err := p.store.RemoveMember(p.Context(), ann.home(), ann.key.DID()); err != nil {
			p.Fatal(err)
		}
		ends := ann.make(p, ann.home(), &memory.Key{Op: memory.OpRevoke, Key: ann.key.DID(), Reason: memory.Lost})
		ann.add(p, ends)
		ann.mustSync(p)
		if !held(p, ann.home(), ends.ID) {
			p.Error("the revocation of their key is not there")
		}
	})
}

// A name that an owner sent in time, and that they end after they handed the space over, takes it from no one.
func TestAHubTakesNoSecondHandoverWhoseNameCameInTime(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		team := ann.key.DID() + "/team"
		ann.believes(p, team, "herons fish at dawn")
		ann.mustSync(p)
		bob := p.joins("bob", team, store.Writer)
		bob.mustSync(p)
		back := ann.handsOver(p, team, ann, 10)
		early := ann.handsOver(p, team, p.joins("ann2", team, store.Writer), 10)
		ann.add(p, back[0], early[0])
		ann.mustSync(p)
		ready := ann.handsOver(p, team, p.joins("ann3", team, store.Writer), 8) // is sent by way of another space
		ann.add(p, ann.handsOver(p, team, bob, 20)...)
		ann.mustSync(p)
		for _, h := range []*memory.Record{back[1], early[1]} {
			acks, err := ann.Push(p.Context(), peer.Push{Space: team, Lines: []peer.Line{line(p, h)}})
			if err != nil || len(acks.Refused) != 1 || held(p, team, h.ID) {
				p.Errorf("the end of a name that came in time: %+v, %v", acks, err)
			}
		}
		acks, err := ann.Push(p.Context(), peer.Push{Space: ann.home(), Lines: []peer.Line{
			line(p, ready[1]), line(p, ready[0]), line(p, early[1]),
		}})
		if err != nil || len(acks.Refused) != 3 {
			p.Errorf("a second handover with the records of another space: %+v, %v", acks, err)
		}
		all, err := bob.Members(p.Context(), peer.MembersRequest{Space: team})
		if err != nil || all.Owner.DID != bob.key.DID() {
			p.Errorf("the owner is %s, %v", all.Owner.Name, err)
		}
	})
}
