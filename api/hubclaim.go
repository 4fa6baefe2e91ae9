package api

// Joining is what a hub is shown by somebody who wants to be let in.
type Joining struct {
	Account string `json:"account"` // did:key that began the owner's history
	Key     string `json:"key"`     // the owner's now
	Name    string `json:"name"`
	Sig     []byte `json:"sig"`

	Keys [][]byte `json:"keys,omitempty"` // records that show how one follows the other
}
