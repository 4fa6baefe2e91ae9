package peer

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// ErrAbsent says that a peer has nothing of that name, or nothing that the caller may know of.
var ErrAbsent = errors.New("not there")

// A Keeping is the part of a hub with which a keeper manages a space: inviting others and
// setting roles. For any other space the hub answers as if it did not exist.
type Keeping interface {
	Invite(ctx context.Context, in Invite) (Invited, error)
	// Uninvite ends an invitation that no one has used yet.
	Uninvite(ctx context.Context, in Uninvite) (Members, error)
	Members(ctx context.Context, in MembersRequest) (Members, error)
	// SetMember changes a member's role, or removes the member if the role is empty.
	SetMember(ctx context.Context, in Placing) (Members, error)
}

// Invite asks for an invitation to a space that the caller keeps.
type Invite struct {
	Space string     `json:"space"`
	Role  store.Role `json:"role"`
	Hours int        `json:"hours,omitempty"` // until it expires; 0 is a week
}

// Invited is an invitation. The code is sent only once.
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

// Members is the members of a space besides its owner, and its open invitations.
type Members struct {
	Space       string             `json:"space"`
	Owner       store.Account      `json:"owner"`
	Members     []Placed           `json:"members"`
	Invitations []store.Invitation `json:"invitations"`
}

// Placed is a member, with the name that the member chose.
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
