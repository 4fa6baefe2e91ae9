package peer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
)

// A Claim is what a person signs to join a hub: the account, the hub, the invitation and the key
// of the machine to which the token is bound, with the hub's challenge. Who relays it can bind no
// token to another key. It has a type of its own, so that the signature fits nothing else and no
// other signature fits it.
type Claim struct {
	V          int    `json:"v"`
	Kind       string `json:"kind"` // hub-join
	Account    string `json:"account"`
	Key        string `json:"key,omitempty"` // that speaks for the account now, if it is another
	Hub        string `json:"hub"`
	Challenge  string `json:"challenge"`
	Invitation string `json:"invitation"` // the SHA-256 of its code, in hex
	Machine    string `json:"machine"`    // did:key of the machine, which proves each request
}

// claimKind makes the payload type of a claim.
const claimKind = "hub-join"

// NewClaim makes the claim of an account, by the key that speaks for it, on an
// invitation to a hub, for a token that is bound to the key of a machine.
func NewClaim(account, key, hub, challenge, code, machine string) Claim {
	sum := sha256.Sum256([]byte(code))
	if key == account {
		key = ""
	}
	return Claim{
		V: 1, Kind: claimKind, Account: account, Key: key, Hub: hub, Challenge: challenge,
		Invitation: hex.EncodeToString(sum[:]), Machine: machine,
	}
}

// by is the key that signs a claim.
func (c Claim) by() string { return cmp.Or(c.Key, c.Account) }

// Sign signs a claim with the key that speaks for its account.
func (c Claim) Sign(key *keys.Key) ([]byte, error) {
	if key.DID() != c.by() {
		return nil, fmt.Errorf("the claim of %s is not signed by %s", c.by(), key.DID())
	}
	payload, err := canon.Marshal(c)
	if err != nil {
		return nil, err
	}
	return key.Sign(keys.PayloadType(claimKind, c.V), payload)
}

// Verify returns an error unless its key signed the claim; whether that speaks for the
// account is not its affair. The claim is what the
// hub made of what it knows, never what it was sent.
func (c Claim) Verify(sig []byte) error {
	payload, err := canon.Marshal(c)
	if err != nil {
		return err
	}
	return keys.Verify(c.by(), keys.PayloadType(claimKind, c.V), payload, sig)
}

// SignInNonce returns the nonce of an OpenID sign-in. It fits one challenge of one hub, one account, and one machine by
// the key that proves its requests: an ID token that somebody else saw is of no use to them.
func SignInNonce(hub, challenge, account, device string) string {
	sum := sha256.New()
	for _, part := range []string{"stemma sign-in 1", hub, challenge, account, device} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
