package api

import "encoding/json"

// The keepers of a space at a hub decide what others may do in it. The hub decides
// whether that is so; the space is the one that Config.Space names.

// RemoteInviteRequest asks a hub for an invitation.
type RemoteInviteRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Role   string `json:"role,omitempty" jsonschema:"reader, writer, keeper or arbiter; empty is writer"`
	Hours  int    `json:"hours,omitempty" jsonschema:"until it expires; 0 is a week, and for a service without end"`
	Count  int    `json:"count,omitempty" jsonschema:"how many; 0 is one"`

	Service string   `json:"service,omitempty" jsonschema:"name of a machine; with count, -001 and so on follow it"`
	Spaces  []string `json:"spaces,omitempty" jsonschema:"for a service: spaces that you keep; none is the current one"`
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
	// More are the further ones, where several were asked for.
	More []InvitationCode `json:"more,omitempty"`
}

// InvitationCode is a further invitation of those that were made together.
type InvitationCode struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

// RemoteUninviteRequest names an invitation that no one has used yet.
type RemoteUninviteRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	ID     string `json:"id" jsonschema:"the invitation's ID, as remote_members lists it"`
}

// RemoteMembersRequest asks a hub who is in a space.
type RemoteMembersRequest struct {
	Remote   string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Services bool   `json:"services,omitempty" jsonschema:"list accounts of machines instead"`
	// Keepers lists who keeps the spaces of the remote instead, by the signed words of their owners.
	Keepers bool `json:"keepers,omitempty"`
}

// RemoteMemberRequest names a member of a space at a hub, and his role.
type RemoteMemberRequest struct {
	Remote  string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Account string `json:"account" jsonschema:"did:key of the member; of a service also its name"`
	Role    string `json:"role,omitempty" jsonschema:"reader to arbiter, owner, vouched, unvouched, accepted or dropped"`
}

// RemoteMembersReply is who may do what in a space, its owner first.
type RemoteMembersReply struct {
	Remote  string         `json:"remote"`
	Space   string         `json:"space"`
	Members []RemoteMember `json:"members"`
	// Invited are invitations that no one has used yet.
	Invited []RemoteOpen `json:"invited"`
	// Services are accounts of machines: those that were made or revoked, or those that you made and those in the
	// current space if you keep it.
	Services []RemoteService `json:"services,omitempty"`
	// Files are what machines join with, of accounts that were made now. They are shown once and stored
	// nowhere else. Anyone who has one can act as the service.
	Files []json.RawMessage `json:"files,omitempty"`
}

// RemoteOpen is an invitation that no one has used yet.
type RemoteOpen struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	By      string `json:"by,omitempty"` // the account that made it; empty: the operator of the hub
	Expires string `json:"expires"`
}

// RemoteService is the account of a machine at a hub.
type RemoteService struct {
	Name    string         `json:"name"`
	Account string         `json:"account"`
	By      string         `json:"by"` // the account that made it
	Places  []ServicePlace `json:"places"`
	Made    string         `json:"made"`
	Expires string         `json:"expires,omitempty"`
	Revoked string         `json:"revoked,omitempty"`
	// Tokens are the machines that joined with its file.
	Tokens []ServiceToken `json:"tokens"`
	// Stored is how many records it stored, its key records among them.
	Stored []SpaceCount `json:"stored"`
}

// ServicePlace is a space that a machine may use, and its role there.
type ServicePlace struct {
	Space string `json:"space"`
	Role  string `json:"role"`
}

// ServiceToken is a machine that joined with the file of a service.
type ServiceToken struct {
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Used    string `json:"used,omitempty"` // last, to the minute
	Address string `json:"address,omitempty"`
	Revoked bool   `json:"revoked,omitempty"`
}

// RemoteMember is one of them. Anybody may call himself anything.
type RemoteMember struct {
	Account string `json:"account"`
	Name    string `json:"name,omitempty"`  // by which he was introduced here, or you
	Calls   string `json:"calls,omitempty"` // himself, at the hub
	Role    string `json:"role"`            // or owner
	Since   string `json:"since,omitempty"`
	// of a keeper, as remote_keepers lists them: the space, whether the reader lets them vouch for
	// members, and for how many people they do
	Space    string `json:"space,omitempty"`
	Accepted bool   `json:"accepted,omitempty"`
	Vouches  int    `json:"vouches,omitempty"`
}
