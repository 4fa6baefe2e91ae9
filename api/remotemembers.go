package api

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

// RemoteUninviteRequest names an invitation that no one has used yet.
type RemoteUninviteRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	ID     string `json:"id" jsonschema:"the invitation's ID, as remote_members lists it"`
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
	// Invited are invitations that no one has used yet.
	Invited []struct {
		ID      string `json:"id"`
		Role    string `json:"role"`
		By      string `json:"by,omitempty"` // the account that made it; none is whoever runs the hub
		Expires string `json:"expires"`
	} `json:"invited"`
}

// RemoteMember is one of them. Anybody may call himself anything.
type RemoteMember struct {
	Account string `json:"account"`
	Name    string `json:"name,omitempty"`  // by which he was introduced here, or you
	Calls   string `json:"calls,omitempty"` // himself, at the hub
	Role    string `json:"role"`            // or owner
	Since   string `json:"since,omitempty"`
}
