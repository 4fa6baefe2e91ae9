package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// invitationLasts is how long an invitation is valid by default, in hours; mostHours is the
// maximum.
const (
	invitationLasts = 7 * 24
	mostHours       = 90 * 24
)

// mostOpen is how many invitations of keepers to a space may wait at once.
const mostOpen = 100

func (t *refusal) Error() string { return t.text }

func refuseDenied(format string, args ...any) error {
	return &refusal{http.StatusForbidden, "denied", fmt.Sprintf(format, args...)}
}

func refuseAbsent(format string, args ...any) error {
	return &refusal{http.StatusNotFound, "not_found", fmt.Sprintf(format, args...)}
}

func refuseWrong(format string, args ...any) error {
	return &refusal{http.StatusUnprocessableEntity, "request", fmt.Sprintf(format, args...)}
}

// keeps returns the highest role that an account may give others in a space. A member with a
// lower role is told so; for everybody else the space does not exist.
func (s *Server) keeps(ctx context.Context, who *account, space string) (peer.Role, error) {
	if who.role(space) != "" && fullName(space) {
		if err := s.learnFor(ctx, who, space); err != nil {
			return "", err
		}
	}
	role := who.role(space)
	switch {
	case !fullName(space) || role == "":
		return "", errDenied
	case !role.May(peer.Keeper):
		return "", refuseDenied("your role in that space is %s; only its keepers can invite and change roles", role)
	case who.owner(space) != who.DID:
		return role, nil
	case who.owners[space] != "": // it was handed over, so it has begun
		return peer.Arbiter, nil
	}
	begun, err := s.o.Store.SpacesOf(ctx, who.DID)
	if err == nil && !slices.Contains(begun, space) {
		err = refuseAbsent("you have no space of that name here yet: a sync brings it")
	}
	return peer.Arbiter, err // whose the space is names who decides in it
}

// gives checks a role to be given by a keeper whose own role is may.
func gives(may peer.Role, role store.Role) error {
	if !role.AtLeast(store.Reader) {
		return refuseWrong("a role is reader, writer, keeper or arbiter")
	}
	if !may.May(peer.Role(role)) {
		return refuseDenied("your role in that space is %s, so you cannot make anybody %s there", may, role)
	}
	return nil
}

// invite lets a keeper of a space invite others, with at most the keeper's own role.
func (s *Server) invite(ctx context.Context, who *account, in peer.Invite) (peer.Invited, error) {
	may, err := s.keeps(ctx, who, in.Space)
	if err == nil {
		err = gives(may, in.Role)
	}
	if err != nil {
		return peer.Invited{}, err
	}
	if in.Hours < 0 || in.Hours > mostHours {
		return peer.Invited{}, refuseWrong("an invitation is good for up to %d days", mostHours/24)
	}
	if in.Hours == 0 {
		in.Hours = invitationLasts
	}
	open, err := s.o.Store.Invitations(ctx, in.Space, s.o.Now())
	if err != nil {
		return peer.Invited{}, err
	}
	if len(open) >= mostOpen {
		return peer.Invited{}, fmt.Errorf(
			"%w: %d invitations to that space are open, the most is %d", peer.ErrQuota, len(open), mostOpen,
		)
	}
	code, kept := NewCode()
	i := store.Invitation{
		ID: NewID(), Secret: kept, Space: in.Space, Role: in.Role, By: who.DID, Made: s.o.Now(),
		Expires: s.o.Now().Add(time.Duration(in.Hours) * time.Hour),
	}
	if err := s.o.Store.Invite(ctx, i); err != nil {
		return peer.Invited{}, err
	}
	s.o.Log.Info("invited", "by", who.DID, "invitation", i.ID, "space", i.Space, "role", i.Role)
	return peer.Invited{ID: i.ID, Code: code, Space: i.Space, Role: i.Role, Expires: i.Expires}, nil
}

// uninvite lets a keeper withdraw an unused invitation with at most the keeper's own role.
func (s *Server) uninvite(ctx context.Context, who *account, in peer.Uninvite) (peer.Members, error) {
	may, err := s.keeps(ctx, who, in.Space)
	if err != nil {
		return peer.Members{}, err
	}
	none := refuseAbsent("no invitation of that id to that space is open; who has used one is a member")
	open, err := s.o.Store.Invitations(ctx, in.Space, s.o.Now())
	if err != nil {
		return peer.Members{}, err
	}
	at := slices.IndexFunc(open, func(i store.Invitation) bool { return i.ID == in.ID })
	if at < 0 {
		return peer.Members{}, none
	}
	if role := open[at].Role; !may.May(peer.Role(role)) {
		return peer.Members{}, refuseDenied("you are %s of that space, and that invitation is for its %s", may, role)
	}
	if err := s.o.Store.Uninvite(ctx, in.ID, in.Space, s.o.Now()); errors.Is(err, store.ErrAbsent) {
		return peer.Members{}, none // used in this moment
	} else if err != nil {
		return peer.Members{}, err
	}
	s.o.Log.Info("uninvited", "by", who.DID, "invitation", in.ID, "space", in.Space)
	return s.members(ctx, who, peer.MembersRequest{Space: in.Space})
}

// members returns the members of a space to its keepers.
func (s *Server) members(ctx context.Context, who *account, in peer.MembersRequest) (peer.Members, error) {
	if _, err := s.keeps(ctx, who, in.Space); err != nil {
		return peer.Members{}, err
	}
	out := peer.Members{Space: in.Space, Members: []peer.Placed{}, Invitations: []store.Invitation{}}
	var err error
	if out.Owner, err = s.accountOf(ctx, who.owner(in.Space)); err != nil {
		return out, err
	}
	all, err := s.o.Store.Members(ctx, in.Space, "")
	if err != nil {
		return out, err
	}
	for _, m := range all {
		if m.Account == out.Owner.DID {
			continue
		}
		a, err := s.accountOf(ctx, m.Account)
		if err != nil {
			return out, err
		}
		out.Members = append(out.Members, peer.Placed{Member: m, Name: a.Name})
	}
	open, err := s.o.Store.Invitations(ctx, in.Space, s.o.Now())
	out.Invitations = append(out.Invitations, open...)
	return out, err
}

// accountOf returns the account of a key. Only its key is set if it never joined.
func (s *Server) accountOf(ctx context.Context, did string) (store.Account, error) {
	a, err := s.o.Store.Account(ctx, did)
	if errors.Is(err, store.ErrAbsent) {
		return store.Account{DID: did}, nil
	}
	return a, err
}

// setMember lets a keeper set the role of a member whose role is not above the keeper's. A
// non-member must be invited, so that nobody finds out which accounts exist.
func (s *Server) setMember(ctx context.Context, who *account, in peer.Placing) (peer.Members, error) {
	may, err := s.keeps(ctx, who, in.Space)
	if err == nil && in.Role != "" {
		err = gives(may, in.Role)
	}
	if err != nil {
		return peer.Members{}, err
	}
	switch {
	case in.Account == who.owner(in.Space):
		return peer.Members{}, refuseDenied("whose the space is keeps it")
	case in.Space == in.Account+"/"+engine.DefaultSpace && !in.Role.AtLeast(store.Writer):
		return peer.Members{}, refuseDenied("the space holds the keys of who began it, so they stay a writer there")
	}
	is, err := s.o.Store.Members(ctx, in.Space, in.Account)
	switch {
	case err != nil:
		return peer.Members{}, err
	case in.Account == "" || len(is) == 0:
		return peer.Members{}, refuseAbsent("that key is not a member of that space: invite its owner first")
	case !may.May(peer.Role(is[0].Role)):
		return peer.Members{}, refuseDenied("your role in that space is %s, and theirs is %s", may, is[0].Role)
	}
	if err := s.o.Store.MoveMember(ctx, is[0], in.Role); errors.Is(err, store.ErrAbsent) {
		return peer.Members{}, refuseDenied("that member was changed at the same moment: list the members and try again")
	} else if err != nil {
		return peer.Members{}, err
	}
	s.o.Log.Info("member", "by", who.DID, "account", in.Account, "space", in.Space, "was", is[0].Role, "is", in.Role)
	return s.members(ctx, who, peer.MembersRequest{Space: in.Space})
}
