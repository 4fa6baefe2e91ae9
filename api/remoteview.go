package api

// RemoteView is what a store holds of a remote's logs, each with the remote's own
// signature. There is nothing of what is remembered in it: another store compares it
// with what it holds itself.
type RemoteView struct {
	Remote string       `json:"remote"`
	Peers  []RemotePeer `json:"peers"`
}

// RemotePeer is one peer behind a remote.
type RemotePeer struct {
	Name string      `json:"name"` // of its store
	Key  string      `json:"key"`  // did:key that signs its logs
	Logs []RemoteLog `json:"logs"`
}

// RemoteLog is what a peer said of its log of a space.
type RemoteLog struct {
	Space string `json:"space"`
	Size  int64  `json:"size"`
	Root  string `json:"root,omitempty"`
	Note  string `json:"note,omitempty"` // the signed checkpoint
	// Withheld are refs of what the peer calls purged, while the store that asked knows of no
	// purge by an owner, nor has the record.
	Withheld []string `json:"withheld,omitempty"`
	// WithheldMore says that there may be more than could be remembered.
	WithheldMore bool `json:"withheld_more,omitempty"`
}

// RemoteCompareRequest asks whether a remote told two stores the same.
type RemoteCompareRequest struct {
	Remote string     `json:"remote,omitempty" jsonschema:"which; empty is the only one"`
	View   RemoteView `json:"view" jsonschema:"the reply of remote_view in another store"`
}

// RemoteCompareReply says of each log that both stores hold something of whether it is
// one.
type RemoteCompareReply struct {
	Remote string           `json:"remote"`
	Split  int              `json:"split"`  // logs of which the remote signed two
	Failed int              `json:"failed"` // logs that could not be compared
	Logs   []RemoteCompared `json:"logs"`
}

// RemoteCompared is one log. Where it was split, Here and There are the proof: two
// statements with the remote's signature that cannot both be true.
type RemoteCompared struct {
	Key     string    `json:"key"` // of the peer
	Here    RemoteLog `json:"here"`
	There   RemoteLog `json:"there"`
	Split   bool      `json:"split,omitempty"`
	Problem string    `json:"problem,omitempty"`
}
