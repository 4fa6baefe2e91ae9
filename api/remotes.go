package api

// Remote is a place with which a store exchanges records. It is kept in a file of the
// person's own: no project says where memory goes.
type Remote struct {
	Name    string   `json:"name"`
	Address string   `json:"address"`
	Store   string   `json:"store"`            // the name of the store it belongs to
	Spaces  []string `json:"spaces,omitempty"` // local or full names; none is what Whose says
	// Whose is mine for a place that is only this person's, which takes all of their spaces, or shared. Without an answer,
	// it is as shared, and new spaces of one's own stay here.
	Whose  string   `json:"whose,omitempty"`
	Also   []string `json:"also,omitempty"`   // spaces of one's own that it exchanges besides
	Kinds  []string `json:"kinds,omitempty"`  // none is all
	Tags   []string `json:"tags,omitempty"`   // any of them; none is all
	Raw    bool     `json:"raw,omitempty"`    // raws travel too
	Search bool     `json:"search,omitempty"` // searches go there too

	Sync *SyncState `json:"sync,omitempty"` // how it went so far; the store remembers it, not the file
	Lag  *SyncLag   `json:"lag,omitempty"`  // how far both are behind, as of now
	// Keepers are the owner and the keepers of each space that was exchanged, by the owners' signed words.
	// Only remotes lists them, without the number of members for whom they vouch.
	Keepers []RemoteMember `json:"keepers,omitempty"`
}

// RemoteRequest names a remote, and says what to exchange with it.
type RemoteRequest struct {
	Name    string   `json:"name,omitempty"`
	Address string   `json:"address,omitempty" jsonschema:"a folder, ssh://host, or the address of a hub"`
	Spaces  []string `json:"spaces,omitempty" jsonschema:"local or full names; none follows from whose"`
	Whose   string   `json:"whose,omitempty" jsonschema:"mine, if only you use it: it gets all your spaces; or shared"`
	Also    []string `json:"also,omitempty" jsonschema:"more of your spaces to exchange"`
	Kinds   []string `json:"kinds,omitempty" jsonschema:"none is all"`
	Tags    []string `json:"tags,omitempty" jsonschema:"any of them; none is all"`
	Raw     *bool    `json:"raw,omitempty" jsonschema:"send raws too, not their ids alone; default: if whose is mine"`
	Search  bool     `json:"search,omitempty" jsonschema:"for a hub: also send searches to it"`
}

// RemoteReply is the remotes of a store.
type RemoteReply struct {
	Remotes []Remote `json:"remotes"`
}
