package stemma

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Whoever keeps a space at a hub says who else may do what in it. The hub decides
// whether that is so; the space is the one that Config.Space names.

// RemoteInviteRequest asks a hub for an invitation.
type RemoteInviteRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Role   string `json:"role,omitempty" jsonschema:"reader, writer, keeper or arbiter; empty is writer"`
	Hours  int    `json:"hours,omitempty" jsonschema:"until it expires; 0 is a week"`
}

// RemoteInvitation is what somebody needs who is invited. The code is told once, and is
// kept nowhere.
type RemoteInvitation struct {
	Remote  string `json:"remote"`
	Address string `json:"address"`
	ID      string `json:"id"`
	Code    string `json:"code"`
	Space   string `json:"space"`
	Role    string `json:"role"`
	Expires string `json:"expires"`
}

// RemoteUninviteRequest names an invitation that nobody has used yet.
type RemoteUninviteRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	ID     string `json:"id" jsonschema:"of the invitation, as remote_members lists it"`
}

// RemoteMembersRequest asks a hub who is in a space.
type RemoteMembersRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
}

// RemoteMemberRequest names a member of a space at a hub, and his role.
type RemoteMemberRequest struct {
	Remote  string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Account string `json:"account" jsonschema:"did:key of the member"`
	Role    string `json:"role,omitempty" jsonschema:"reader, writer, keeper or arbiter"`
}

// RemoteMembersReply is who may do what in a space, its owner first.
type RemoteMembersReply struct {
	Remote  string         `json:"remote"`
	Space   string         `json:"space"`
	Members []RemoteMember `json:"members"`
	Invited []RemoteOpen   `json:"invited"`
}

// RemoteMember is one of them. Anybody may call himself anything.
type RemoteMember struct {
	Account string `json:"account"`
	Name    string `json:"name,omitempty"`  // by which he was introduced here, or you
	Calls   string `json:"calls,omitempty"` // himself, at the hub
	Role    string `json:"role"`            // or owner
	Since   string `json:"since,omitempty"`
}

// RemoteOpen is an invitation that nobody has used yet.
type RemoteOpen struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	By      string `json:"by,omitempty"` // the account that made it; none is whoever runs the hub
	Expires string `json:"expires"`
}

// RemoteInvite asks a hub for an invitation to a space that its person keeps there.
func (e *Engine) RemoteInvite(ctx context.Context, in RemoteInviteRequest) (RemoteInvitation, error) {
	if err := e.ownerOnly("invite somebody to a space"); err != nil {
		return RemoteInvitation{}, err
	}
	if in.Role == "" {
		in.Role = string(store.Writer)
	}
	role, err := hubRole(in.Role)
	if err != nil {
		return RemoteInvitation{}, err
	}
	r, got, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Invited, error) {
		return hub.Invite(ctx, peer.Invite{Space: space, Role: role, Hours: in.Hours})
	})
	if err != nil {
		return RemoteInvitation{}, err
	}
	return RemoteInvitation{
		Remote: r.Name, Address: r.Address, ID: got.ID, Code: got.Code, Space: got.Space, Role: string(got.Role), Expires: memory.At(got.Expires).String(),
	}, nil
}

// RemoteUninvite ends an invitation to a space that its person keeps at a hub. Who has
// used one stays a member.
func (e *Engine) RemoteUninvite(ctx context.Context, in RemoteUninviteRequest) (RemoteMembersReply, error) {
	if err := e.ownerOnly("take an invitation back"); err != nil {
		return noMembers(err)
	}
	if in.ID == "" {
		return noMembers(invalid("id: name the invitation as 'remote member' lists it"))
	}
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.Uninvite(ctx, peer.Uninvite{Space: space, ID: in.ID})
	})
	return e.remoteMembers(ctx, r, all, err)
}

// RemoteMembers asks a hub who may do what in a space that its person keeps there.
func (e *Engine) RemoteMembers(ctx context.Context, in RemoteMembersRequest) (RemoteMembersReply, error) {
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.Members(ctx, peer.MembersRequest{Space: space})
	})
	return e.remoteMembers(ctx, r, all, err)
}

// RemoteMemberSet gives a member another role.
func (e *Engine) RemoteMemberSet(ctx context.Context, in RemoteMemberRequest) (RemoteMembersReply, error) {
	role, err := hubRole(in.Role)
	if err != nil {
		return noMembers(err)
	}
	return e.remotePlace(ctx, in, role)
}

// RemoteMemberRemove puts a member out. What he brought stays, and what he pulled is his.
func (e *Engine) RemoteMemberRemove(ctx context.Context, in RemoteMemberRequest) (RemoteMembersReply, error) {
	if in.Role != "" {
		return noMembers(invalid("role: who is put out has none"))
	}
	return e.remotePlace(ctx, in, "")
}

func (e *Engine) remotePlace(ctx context.Context, in RemoteMemberRequest, role store.Role) (RemoteMembersReply, error) {
	if err := e.ownerOnly("say who may do what in a space"); err != nil {
		return noMembers(err)
	}
	if !strings.HasPrefix(in.Account, "did:key:") {
		return noMembers(invalid("account: a member is named by his key, did:key:…, got %q", memory.Cut(in.Account, 80)))
	}
	r, all, err := keeping(ctx, e, in.Remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.SetMember(ctx, peer.Placing{Space: space, Account: in.Account, Role: role})
	})
	return e.remoteMembers(ctx, r, all, err)
}

func noMembers(err error) (RemoteMembersReply, error) {
	return RemoteMembersReply{Members: []RemoteMember{}, Invited: []RemoteOpen{}}, err
}

// remoteMembers tells what a hub said of members, with the names by which they were
// introduced here.
func (e *Engine) remoteMembers(ctx context.Context, r Remote, all peer.Members, err error) (RemoteMembersReply, error) {
	out, _ := noMembers(nil)
	if err != nil {
		return out, err
	}
	v, err := e.vouching(ctx)
	if err != nil {
		return out, err
	}
	out.Remote, out.Space = r.Name, all.Space
	add := func(account, calls, role string, since time.Time) {
		m := RemoteMember{Account: account, Name: v.called(v.ring.Principal(account)), Calls: calls, Role: role}
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
		out.Invited = append(out.Invited, RemoteOpen{i.ID, string(i.Role), i.By, memory.At(i.Expires).String()})
	}
	return out, nil
}

func hubRole(text string) (store.Role, error) {
	if r := store.Role(text); r.AtLeast(store.Reader) {
		return r, nil
	}
	return "", invalid("role: reader, writer, keeper or arbiter, got %q", memory.Cut(text, 40))
}

// keeping asks the hub behind a remote something about the space that is kept there.
func keeping[Out any](ctx context.Context, e *Engine, remote string, ask func(hub peer.Keeping, space string) (Out, error)) (Remote, Out, error) {
	var none Out
	if r, err := e.remote(ctx, remote); err != nil { // before there are keys
		return r, none, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return Remote{}, none, err
	}
	space, err := e.shelf(me.principal)
	if err != nil {
		return Remote{}, none, err
	}
	r, hub, done, err := hubOf[peer.Keeping](ctx, e, remote, "has no members: who may read what lies there is decided where it lies")
	if err != nil {
		return r, none, err
	}
	defer done()
	out, err := ask(hub, space)
	if err == nil || errors.Is(err, context.Canceled) {
		return r, out, err
	}
	kind, begins := ErrUnavailable, ""
	switch code := peer.Code(err); {
	case errors.Is(err, peer.ErrAbsent):
		kind, begins = ErrNotFound, peer.ErrAbsent.Error()+": "
	case code == "request":
		kind, begins = ErrInvalid, peer.ErrRequest.Error()+": "
	case code != "": // the hub's own words say what for
		kind, begins = ErrForbidden, peer.Coded(code, "").Error()
	}
	return r, none, &failure{kind: kind, text: fmt.Sprintf("remote %s: %s", r.Name, strings.TrimPrefix(oneLine(err), begins))}
}
