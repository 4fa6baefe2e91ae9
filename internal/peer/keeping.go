package peer

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// ErrAbsent says that a peer has nothing of that name, or nothing that the caller may know of.
var ErrAbsent = errors.New("not there")

// A Keeping is what somebody may do at a hub about a space that he keeps: invite
// others to it, and say what they may do there. Of no other space does he hear anything.
type Keeping interface {
	Invite(ctx context.Context, in Invite) (Invited, error)
	// Uninvite ends an invitation that no one has used yet.
	Uninvite(ctx context.Context, in Uninvite) (Members, error)
	Members(ctx context.Context, in MembersRequest) (Members, error)
	// SetMember returns a member another role, or with none puts him out.
	SetMember(ctx context.Context, in Placing) (Members, error)
}

// Invite asks for an invitation to a space that the caller keeps.
type Invite struct {
	Space string     `json:"space"`
	Role  store.Role `json:"role"`
	Hours int        `json:"hours,omitempty"` // until it expires; 0 is a week
}

// Invited is an invitation. The code is told once.
type Invited struct {
	ID      string     `json:"id"`
	Code    string     `json:"code"`
	Space   string     `json:"space,omitempty"`
	Role    store.Role `json:"role,omitempty"`
	Expires time.Time  `json:"expires"`
}

// Uninvite names an open invitation to a space that the caller keeps.
type Uninvite struct {
	Space string `json:"space"`
	ID    string `json:"id"`
}

// MembersRequest asks who is in a space.
type MembersRequest struct {
	Space string `json:"space"`
}

// Members is who is in a space, beside its owner, and which invitations to it are open.
type Members struct {
	Space       string             `json:"space"`
	Owner       store.Account      `json:"owner"`
	Members     []Placed           `json:"members"`
	Invitations []store.Invitation `json:"invitations"`
}

// Placed is a member, and what he calls himself.
type Placed struct {
	store.Member
	Name string `json:"name"`
}

// Placing says what a member may do from now on; no role is nothing.
type Placing struct {
	Space   string     `json:"space"`
	Account string     `json:"account"`
	Role    store.Role `json:"role,omitempty"`
}
