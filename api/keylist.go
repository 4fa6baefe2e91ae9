package api

// KeysReply is the keys that are known here.
type KeysReply struct {
	Keys []KeyInfo `json:"keys"`
}

// KeyInfo is one key.
type KeyInfo struct {
	Key         string   `json:"key"`
	Fingerprint string   `json:"fingerprint"`
	Name        string   `json:"name,omitempty"`         // that it was given here
	CallsItself string   `json:"calls_itself,omitempty"` // another's own word, which binds nothing
	Role        string   `json:"role"`                   // owner, agent, session, introduced, known, or former
	Principal   string   `json:"principal"`              // the key that began its owner's history
	Place       string   `json:"place,omitempty"`        // of a key of one's own: at hand, locked or ssh-agent
	Origins     []string `json:"origins,omitempty"`      // the channels it may speak for
	Expires     string   `json:"expires,omitempty"`      // after which it may not
	Scope       string   `json:"scope,omitempty"`        //
	Recovery    bool     `json:"recovery,omitempty"`     // a recovery key is committed to
	Ended       string   `json:"ended,omitempty"`        // revoked or replaced, and why
	By          string   `json:"by,omitempty"`           // who introduced it, or let it act
	Delegation  string   `json:"delegation,omitempty"`
}
