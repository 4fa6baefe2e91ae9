package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stemma-memory/stemma/internal/canon"
)

// The cryptosuite eddsa-jcs-2022 of W3C goes all the way that our records go, from
// a text over RFC 8785 and SHA-256 to Ed25519, by other people's hands.
func TestDataIntegrity(t *testing.T) {
	var v struct {
		KeyPairs []struct {
			Public  string `json:"publicKeyMultibase"`
			Private string `json:"privateKeyMultibase"`
		} `json:"keyPairs"`
		Unsigned     string   `json:"unsigned"`
		Signed       string   `json:"signed"`
		ProofConfig  string   `json:"proofConfig"`
		CanonDoc     string   `json:"canonDoc"`
		DocHash      hexBytes `json:"docHash"`
		ProofCanon   string   `json:"proofCanon"`
		ProofHash    hexBytes `json:"proofHash"`
		CombinedHash hexBytes `json:"combinedHash"`
		SigHex       hexBytes `json:"sigHex"`
		SigBTC58     string   `json:"sigBTC58"`
	}
	readJSON(t, "eddsa_jcs_2022.json", &v)
	if got, want := len(v.KeyPairs), 5; got != want {
		t.Fatalf("%d pairs of keys, want %d", got, want)
	}
	for _, pair := range v.KeyPairs {
		key, err := FromSeed(bytes.TrimPrefix(slowBase58(t, pair.Private[1:]), []byte{0x80, 0x26}))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := key.DID(), "did:key:"+pair.Public; got != want {
			t.Errorf("key %s, want %s", got, want)
		}
	}
	hashes := [2][sha256.Size]byte{}
	for i, part := range []struct {
		text, canonical string
		hash            []byte
	}{{v.ProofConfig, v.ProofCanon, v.ProofHash}, {v.Unsigned, v.CanonDoc, v.DocHash}} {
		raw, err := canon.Transform([]byte(part.text))
		if err != nil {
			t.Fatal(err)
		}
		if string(raw) != part.canonical {
			t.Errorf("canonical form %s, want %s", raw, part.canonical)
		}
		if hashes[i] = sha256.Sum256(raw); !bytes.Equal(hashes[i][:], part.hash) {
			t.Errorf("hash %x, want %x", hashes[i], part.hash)
		}
	}
	message := append(hashes[0][:], hashes[1][:]...)
	if !bytes.Equal(message, v.CombinedHash) {
		t.Errorf("message %x, want %x", message, v.CombinedHash)
	}
	public, err := ParseDID("did:key:" + v.KeyPairs[0].Public)
	if err != nil {
		t.Fatal(err)
	}
	if got := slowBase58(t, v.SigBTC58[1:]); !bytes.Equal(got, v.SigHex) || len(got) != ed25519.SignatureSize {
		t.Errorf("signature %x in base58, want %s", got, hex.EncodeToString(v.SigHex))
	}
	if !verify(publicKey(public), message, v.SigHex) {
		t.Error("the published signature does not hold")
	}
	for bit := range len(message) * 8 {
		other := bytes.Clone(message)
		other[bit/8] ^= 1 << (bit % 8)
		if verify(publicKey(public), other, v.SigHex) {
			t.Errorf("bit %d of the message flipped: holds", bit)
		}
	}
}
