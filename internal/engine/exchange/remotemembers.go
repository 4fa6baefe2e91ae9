package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// RemoteInvite asks a hub for an invitation to a space that its person keeps there.
func (e *Exchange) RemoteInvite(ctx context.Context, in api.RemoteInviteRequest) (api.RemoteInvitation, error) {
	if err := e.OwnerOnly("invite somebody to a space"); err != nil {
		return api.RemoteInvitation{}, err
	}
	if in.Role == "" {
		in.Role = string(store.Writer)
	}
	role, err := hubRole(in.Role)
	if err != nil {
		return api.RemoteInvitation{}, err
	}
	const most = 100
	if in.Count < 0 || in.Count > most {
		return api.RemoteInvitation{}, core.Invalid("count: must be 1 to %d, got %d", most, in.Count)
	}
	if in.Service != "" || len(in.Spaces) > 0 {
		return api.RemoteInvitation{}, core.Invalid("service: `remote_service_add` makes one; an invitation is for a person")
	}
	r, got, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) ([]peer.Invited, error) {
		return inviteSeveral(ctx, hub, peer.Invite{Space: space, Role: role, Hours: in.Hours}, max(1, in.Count))
	})
	if err == nil && len(got) > 0 {
		err = e.NoteShared(ctx, got[0].Space)
	}
	if err != nil {
		return api.RemoteInvitation{}, err
	}
	out := api.RemoteInvitation{
		Remote: r.Name, Address: r.Address, ID: got[0].ID, Code: got[0].Code, Space: got[0].Space, Role: string(got[0].Role),
		Expires: memory.At(got[0].Expires).String(),
	}
	for _, i := range got[1:] {
		out.More = append(out.More, api.InvitationCode{ID: i.ID, Code: i.Code})
	}
	return out, nil
}

// inviteSeveral makes invitations, all or none.
func inviteSeveral(ctx context.Context, hub peer.Keeping, in peer.Invite, n int) ([]peer.Invited, error) {
	all := make([]peer.Invited, 0, n)
	for range n {
		one, err := hub.Invite(ctx, in)
		if err != nil {
			for _, made := range all {
				_, _ = hub.Uninvite(ctx, peer.Uninvite{Space: in.Space, ID: made.ID}) // it ends by itself otherwise
			}
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// RemoteUninvite ends an invitation to a space that its person keeps at a hub. Who has
// used one stays a member.
func (e *Exchange) RemoteUninvite(ctx context.Context, in api.RemoteUninviteRequest) (api.RemoteMembersReply, error) {
	if err := e.OwnerOnly("withdraw an invitation"); err != nil {
		return noMembers(err)
	}
	if in.ID == "" {
		return noMembers(core.Invalid("id: name the invitation as 'remote member' lists it"))
	}
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.Uninvite(ctx, peer.Uninvite{Space: space, ID: in.ID})
	})
	return e.remoteMembers(ctx, r, all, err)
}

// RemoteMembers asks a hub who may do what in a space that its person keeps there, or which machines have accounts.
func (e *Exchange) RemoteMembers(ctx context.Context, in api.RemoteMembersRequest) (api.RemoteMembersReply, error) {
	if in.Keepers {
		return e.keepers(ctx, in)
	}
	if in.Services {
		return e.services(ctx, in)
	}
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.Members(ctx, peer.MembersRequest{Space: space})
	})
	return e.remoteMembers(ctx, r, all, err)
}

// RemoteMemberSet sets the role of a member. Whom the owner of the space makes a keeper also
// decides there for all who read it: the owner signs that, and signs it back with another role.
func (e *Exchange) RemoteMemberSet(ctx context.Context, in api.RemoteMemberRequest) (api.RemoteMembersReply, error) {
	if reply, ok, err := e.signedRole(ctx, in); ok {
		return reply, err
	}
	role, err := hubRole(in.Role)
	if err != nil {
		return noMembers(err)
	}
	return e.remotePlace(ctx, in, role)
}

// RemoteMemberRemove removes a member. Their records stay in the space, and what they pulled
// stays with them.
func (e *Exchange) RemoteMemberRemove(ctx context.Context, in api.RemoteMemberRequest) (api.RemoteMembersReply, error) {
	if in.Role != "" {
		return noMembers(core.Invalid("role: who is put out has none"))
	}
	return e.remotePlace(ctx, in, "")
}

func (e *Exchange) remotePlace(
	ctx context.Context, in api.RemoteMemberRequest, role store.Role,
) (api.RemoteMembersReply, error) {
	if err := e.OwnerOnly("set a member's role in a space"); err != nil {
		return noMembers(err)
	}
	if !strings.HasPrefix(in.Account, "did:key:") {
		return noMembers(core.Invalid("account: want a member's key, did:key:…, got %q", shorten.To(in.Account, 80)))
	}
	if err := e.pullBeforeDismissal(ctx, in.Remote, role); err != nil {
		return noMembers(err)
	}
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.SetMember(ctx, peer.Placing{Space: space, Account: in.Account, Role: role})
	})
	if err == nil {
		_, err = e.appoint(ctx, all.Space, in.Account, role.AtLeast(store.Keeper))
	}
	return e.remoteMembers(ctx, r, all, err)
}

func noMembers(err error) (api.RemoteMembersReply, error) {
	return api.RemoteMembersReply{Members: []api.RemoteMember{}, Invited: []api.RemoteOpen{}}, err
}

// remoteMembers says what a hub said of members, with the names by which they were
// introduced here.
func (e *Exchange) remoteMembers(
	ctx context.Context, r api.Remote, all peer.Members, err error,
) (api.RemoteMembersReply, error) {
	out, _ := noMembers(nil)
	if err != nil {
		return out, err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return out, err
	}
	out.Remote, out.Space = r.Name, all.Space
	if len(all.Members) > 0 && !e.C.ReadOnly {
		if err := e.NoteShared(ctx, all.Space); err != nil {
			return out, err
		}
	}
	add := func(account, calls, role string, since time.Time) {
		m := api.RemoteMember{Account: account, Name: v.NameOf(v.Ring.Principal(account)), Calls: calls, Role: role}
		if !since.IsZero() {
			m.Since = memory.At(since).String()
		}
		out.Members = append(out.Members, m)
	}
	add(all.Owner.DID, all.Owner.Name, "owner", time.Time{})
	for _, m := range all.Members {
		add(m.Account, m.Name, string(m.Role), m.Made)
	}
	for _, i := range all.Invitations {
		out.Invited = append(out.Invited, api.RemoteOpen{
			ID: i.ID, Role: string(i.Role), By: i.By, Expires: memory.At(i.Expires).String(),
		})
	}
	return out, nil
}

func hubRole(text string) (store.Role, error) {
	if r := store.Role(text); r.AtLeast(store.Reader) {
		return r, nil
	}
	return "", core.Invalid("role: reader, writer, keeper or arbiter, got %q", shorten.To(text, 40))
}

// keeping asks the hub behind a remote something about the space that is kept there.
func keeping[Hub, Out any](
	ctx context.Context, e *Exchange, remote string, ask func(hub Hub, space string) (Out, error),
) (api.Remote, Out, error) {
	var none Out
	if r, err := e.remote(ctx, remote); err != nil { // before there are keys
		return r, none, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return api.Remote{}, none, err
	}
	space, err := e.sharedSpace(me.Principal)
	if err != nil {
		return api.Remote{}, none, err
	}
	r, hub, done, err := hubOf[Hub](
		ctx, e, remote, "has no members: who may read what lies there is decided where it lies",
	)
	if err != nil {
		return r, none, err
	}
	defer done()
	out, err := ask(hub, space)
	if err == nil || errors.Is(err, context.Canceled) {
		return r, out, err
	}
	kind, begins := api.ErrUnavailable, ""
	switch code := peer.Code(err); {
	case errors.Is(err, peer.ErrAbsent):
		kind, begins = api.ErrNotFound, peer.ErrAbsent.Error()+": "
	case code == "request":
		kind, begins = api.ErrInvalid, peer.ErrRequest.Error()+": "
	case code != "": // the hub's own words say what for
		kind, begins = api.ErrForbidden, peer.Coded(code, "").Error()
	}
	return r, none, &core.Failure{
		Kind: kind, Text: fmt.Sprintf("remote %s: %s", r.Name, strings.TrimPrefix(core.OneLine(err), begins)),
	}
}
