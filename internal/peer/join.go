package peer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
)

// A Claim is what somebody signs to be let into a hub: who he is, which hub he means
// and which invitation he holds, with the hub's challenge. It is signed as a type of
// its own, so that it is good for nothing else and nothing else is good for it.
type Claim struct {
	V          int    `json:"v"`
	Kind       string `json:"kind"` // hub-join
	Account    string `json:"account"`
	Hub        string `json:"hub"`
	Challenge  string `json:"challenge"`
	Invitation string `json:"invitation"` // the SHA-256 of its code, in hex
}

// claimKind makes the payload type of a claim.
const claimKind = "hub-join"

// NewClaim makes the claim of an account on an invitation to a hub.
func NewClaim(account, hub, challenge, code string) Claim {
	sum := sha256.Sum256([]byte(code))
	return Claim{V: 1, Kind: claimKind, Account: account, Hub: hub, Challenge: challenge, Invitation: hex.EncodeToString(sum[:])}
}

// Sign signs a claim with the key of its account.
func (c Claim) Sign(key *keys.Key) ([]byte, error) {
	if key.DID() != c.Account {
		return nil, fmt.Errorf("the claim of %s is not signed by %s", c.Account, key.DID())
	}
	payload, err := canon.Marshal(c)
	if err != nil {
		return nil, err
	}
	return key.Sign(keys.PayloadType(claimKind, c.V), payload)
}

// Verify returns an error unless the account signed the claim. The claim is what the
// hub made of what it knows, never what it was sent.
func (c Claim) Verify(sig []byte) error {
	payload, err := canon.Marshal(c)
	if err != nil {
		return err
	}
	return keys.Verify(c.Account, keys.PayloadType(claimKind, c.V), payload, sig)
}
