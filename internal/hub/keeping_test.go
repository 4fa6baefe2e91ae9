package hub

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// refused checks that an error is of a kind and says some words.
func refused(t testing.TB, what string, err, kind error, words string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s gives %v, want %v that says %q", what, err, kind, words)
	}
}

// Whoever keeps a space invites to it and says who may do what, to no more than he may
// himself; who is in it with less is told so, and everybody else that there is none.
func TestKeepersSayWhoMayDoWhat(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		space := ann.home()
		_, err := ann.Invite(ctx, peer.Invite{Space: space, Role: store.Reader})
		refused(p, "inviting to what was never pushed", err, peer.ErrAbsent, "a sync brings it")
		ann.mustSync(p)
		rita, kim, art, eve := p.joins(
			"rita", space, store.Reader,
		), p.joins("kim", space, store.Keeper), p.joins("art", space, store.Arbiter), p.joins("eve", "", "")

		invite := func(who *person, role store.Role, hours int) error {
			_, err := who.Invite(ctx, peer.Invite{Space: space, Role: role, Hours: hours})
			return err
		}
		refused(
			p, "a reader who invites", invite(rita, store.Reader, 0), peer.ErrDenied,
			"your role in that space is reader; only its keepers can invite",
		)
		refused(
			p, "a keeper who makes an arbiter", invite(kim, store.Arbiter, 0), peer.ErrDenied,
			"your role in that space is keeper, so you cannot make anybody arbiter there",
		)
		refused(
			p, "a role that is none", invite(kim, "king", 0), peer.ErrRequest,
			"a role is reader, writer, keeper or arbiter",
		)
		refused(p, "an invitation for ever", invite(kim, store.Reader, mostHours+1), peer.ErrRequest, "up to 90 days")
		stranger := invite(eve, store.Reader, 0)
		_, none := eve.Invite(ctx, peer.Invite{Space: newKey(p, "nobody").DID() + "/main", Role: store.Reader})
		if stranger == nil || none == nil || stranger.Error() != none.Error() {
			p.Errorf("a stranger is told %v, and of what is not there %v: want the same words", stranger, none)
		}
		for _, who := range []*person{ann, kim} {
			if err := invite(who, store.Keeper, 1); err != nil {
				p.Errorf("%s invites a keeper: %v", who.name, err)
			}
		}

		all, err := kim.Members(ctx, peer.MembersRequest{Space: space})
		if err != nil || all.Owner.DID != ann.key.DID() || len(all.Members) != 3 || len(all.Invitations) != 2 {
			p.Fatalf("Members gives %+v, %v, want three beside ann, and two invitations", all, err)
		}
		names := map[string]store.Role{}
		for _, m := range all.Members {
			names[m.Name] = m.Role
		}
		if names["rita"] != store.Reader || names["kim"] != store.Keeper || names["art"] != store.Arbiter {
			p.Errorf("the members are %v", names)
		}
		_, err = rita.Members(ctx, peer.MembersRequest{Space: space})
		refused(p, "a reader who lists", err, peer.ErrDenied, "your role in that space is reader")

		set := func(by, who *person, role store.Role) error {
			_, err := by.SetMember(ctx, peer.Placing{Space: space, Account: who.key.DID(), Role: role})
			return err
		}
		refused(p, "a reader who makes himself a writer", set(rita, rita, store.Writer), peer.ErrDenied,
			"your role in that space is reader")
		refused(
			p, "a keeper who makes himself an arbiter", set(kim, kim, store.Arbiter), peer.ErrDenied,
			"so you cannot make anybody arbiter",
		)
		refused(p, "a keeper who puts out an arbiter", set(kim, art, ""), peer.ErrDenied, "and theirs is arbiter")
		refused(p, "a keeper who puts out the owner", set(kim, ann, ""), peer.ErrDenied, "whose the space is keeps it")
		refused(
			p, "a keeper who places who was not invited", set(kim, eve, store.Reader), peer.ErrAbsent,
			"invite its owner first",
		)
		refused(
			p, "the same of nobody", set(kim, newPerson(p, "nobody"), store.Reader), peer.ErrAbsent,
			"invite its owner first",
		)
		if err := set(kim, rita, store.Writer); err != nil {
			p.Fatal(err)
		}
		rita.believes(p, space, "rita may write now")
		rita.mustSync(p)
		if err := set(ann, art, store.Reader); err != nil {
			p.Errorf("the owner lets an arbiter do less: %v", err)
		}
		if err := set(kim, rita, ""); err != nil {
			p.Fatal(err)
		}
		_, err = rita.Log(ctx, peer.LogRequest{Space: space, Limit: 1})
		refused(p, "who was put out and pulls", err, peer.ErrDenied, "the space does not exist")
	})
}

// Whoever may no longer invite leaves no invitation behind by which he, or somebody he
// chose, gets in; what he may still give stays.
func TestInvitationsEndWithTheRightToGiveThem(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		space := ann.home()
		for what, tt := range map[string]struct {
			out  func(did string) error
			left int // of two invitations, of a writer and of an arbiter
		}{
			"put out by a keeper": {func(did string) error {
				_, err := ann.SetMember(ctx, peer.Placing{Space: space, Account: did})
				return err
			}, 0},
			"let less by a keeper": {func(did string) error {
				_, err := ann.SetMember(ctx, peer.Placing{Space: space, Account: did, Role: store.Keeper})
				return err
			}, 1},
			"put out by the hub": {func(did string) error { return p.store.RemoveMember(ctx, space, did) }, 0},
			"let less by the hub": {func(did string) error {
				return p.store.SetMember(ctx, store.Member{Space: space, Account: did, Role: store.Writer, Made: p.now})
			}, 0},
			"ended": {func(did string) error { return p.store.EndAccount(ctx, did, p.now) }, 0},
		} {
			bob := p.joins("bob "+what, space, store.Arbiter)
			for _, role := range []store.Role{store.Writer, store.Arbiter} {
				if _, err := bob.Invite(ctx, peer.Invite{Space: space, Role: role}); err != nil {
					p.Fatal(err)
				}
			}
			if err := tt.out(bob.key.DID()); err != nil {
				p.Fatal(err)
			}
			open, err := p.store.Invitations(ctx, space, p.now.Add(time.Minute))
			left := 0
			for _, i := range open {
				if i.By == bob.key.DID() {
					left++
				}
			}
			if err != nil || left != tt.left {
				p.Errorf("of who was %s there are %d invitations, %v, want %d", what, left, err, tt.left)
			}
		}
	})
}

// Who keeps a space takes back an invitation to it that no one has used, and to no more
// than he could give himself.
func TestUninvite(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		space := ann.home()
		rita, kim := p.joins("rita", space, store.Reader), p.joins("kim", space, store.Keeper)
		given := func(role store.Role) peer.Invited {
			i, err := ann.Invite(ctx, peer.Invite{Space: space, Role: role})
			if err != nil {
				p.Fatal(err)
			}
			return i
		}
		writer, arbiter := given(store.Writer), given(store.Arbiter)
		take := func(who *person, space, id string) (peer.Members, error) {
			return who.Uninvite(ctx, peer.Uninvite{Space: space, ID: id})
		}
		_, err := take(rita, space, writer.ID)
		refused(p, "a reader who takes one back", err, peer.ErrDenied, "your role in that space is reader")
		_, err = take(kim, space, arbiter.ID)
		refused(
			p, "a keeper who takes an arbiter's back", err, peer.ErrDenied,
			"you are keeper of that space, and that invitation is for its arbiter",
		)
		kim.mustSync(p) // she has a space of her own by now
		_, err = take(kim, kim.home(), writer.ID)
		refused(p, "one to another space", err, peer.ErrAbsent, "no invitation of that id to that space is open")
		all, err := take(kim, space, writer.ID)
		if err != nil || len(all.Invitations) != 1 || all.Invitations[0].ID != arbiter.ID || len(all.Members) != 2 {
			p.Errorf("Uninvite gives %+v, %v, want the arbiter's left", all, err)
		}
		_, err = take(kim, space, writer.ID)
		refused(p, "the same again", err, peer.ErrAbsent, "who has used one is a member")
		now := p.now
		for code, want := range map[string]error{writer.Code: store.ErrSpent, arbiter.Code: nil} {
			late := newPerson(p, "late")
			t := store.Token{
				ID: code[len(code)-8:], Secret: store.Secret([]byte(code[len(code)-32:])),
				Account: late.key.DID(), Audience: "hub", Made: now, Expires: now.Add(time.Hour),
			}
			if _, err := p.store.Join(
				ctx, sha256.Sum256([]byte(code)), store.Account{DID: late.key.DID(), Made: now}, t,
			); !errors.Is(err, want) {
				p.Errorf("Join gives %v, want %v", err, want)
			}
		}
		_, err = take(ann, space, arbiter.ID)
		refused(p, "one that was used", err, peer.ErrAbsent, "who has used one is a member")
	})
}

func TestOpenInvitationsAreBounded(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	ann := p.joins("ann", "", "")
	ann.mustSync(p)
	var err error
	for n := 0; n <= mostOpen && err == nil; n++ {
		_, err = ann.Invite(t.Context(), peer.Invite{Space: ann.home(), Role: store.Reader, Hours: 1})
	}
	refused(t, "one invitation too many", err, peer.ErrQuota, "100 invitations to that space are open")
	p.now = p.now.Add(2 * time.Hour)
	if _, err := ann.Invite(t.Context(), peer.Invite{Space: ann.home(), Role: store.Reader}); err != nil {
		t.Errorf("once they have expired, inviting gives %v", err)
	}
}
