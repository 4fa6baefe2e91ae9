package api

import "encoding/json"

// RemoteServiceRequest names the account of a machine at a hub. With what it may do it is made, without it is revoked.
type RemoteServiceRequest struct {
	Remote  string   `json:"remote,omitempty" jsonschema:"which, a hub; empty is the only one"`
	Service string   `json:"service" jsonschema:"its name; with count, -001 and so on follow it; to revoke also its did:key"`
	Spaces  []string `json:"spaces,omitempty" jsonschema:"to add: spaces that you keep there; none is the current one"`
	Role    string   `json:"role,omitempty" jsonschema:"to add: reader, writer, keeper or arbiter; empty is writer"`
	Hours   int      `json:"hours,omitempty" jsonschema:"to add: until the account ends; 0 is without end"`
	Count   int      `json:"count,omitempty" jsonschema:"to add: how many; 0 is one"`
}

// RemoteServicesReply is accounts of machines: those that were made or revoked, or those that you made and those in the
// current space if you keep it.
type RemoteServicesReply struct {
	Remote   string `json:"remote"`
	Services []struct {
		Name    string `json:"name"`
		Account string `json:"account"`
		By      string `json:"by"` // the account that made it
		Places  []struct {
			Space string `json:"space"`
			Role  string `json:"role"`
		} `json:"places"`
		Made    string `json:"made"`
		Expires string `json:"expires,omitempty"`
		Revoked string `json:"revoked,omitempty"`
		// Tokens are the machines that joined with its file.
		Tokens []struct {
			ID      string `json:"id"`
			Label   string `json:"label,omitempty"`
			Used    string `json:"used,omitempty"` // last, to the minute
			Address string `json:"address,omitempty"`
			Revoked bool   `json:"revoked,omitempty"`
		} `json:"tokens"`
		// Stored is how many records it stored, its key records among them.
		Stored []struct {
			Space   string `json:"space"`
			Records int64  `json:"records"`
		} `json:"stored"`
	} `json:"services"`
	// Files are what machines join with, of accounts that were made now. They are shown once, and kept nowhere: whoever
	// reads one can act as the service.
	Files []json.RawMessage `json:"files,omitempty"`
}
