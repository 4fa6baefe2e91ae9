package api

// InitReply says whose store it is.
type InitReply struct {
	Owner       string `json:"owner"` // did:key
	Fingerprint string `json:"fingerprint"`
	Agent       string `json:"agent"`
	Space       string `json:"space"`
}
