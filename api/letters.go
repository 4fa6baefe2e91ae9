package api

// Requests and answers may travel through a hub as letters. A letter holds what the
// file would hold, and is verified as the file is: the hub is a messenger.

// LettersRequest asks what waits at a remote.
type LettersRequest struct {
	Via string `json:"via,omitempty" jsonschema:"the remote, a hub; empty is the only one"`
}

// LettersReply is the requests that wait there.
type LettersReply struct {
	Remote   string         `json:"remote"`
	Requests []WaitingAsked `json:"requests"`
	Answers  int            `json:"answers,omitempty"` // that the next sync takes in
}

// WaitingAsked is one request that waits.
type WaitingAsked struct {
	ID      string  `json:"id"`
	From    string  `json:"from"`
	Name    string  `json:"name,omitempty"`
	Expires string  `json:"expires,omitempty"`
	Memory  *Memory `json:"memory,omitempty"`
	Problem string  `json:"problem,omitempty"` // why it cannot be answered
}
