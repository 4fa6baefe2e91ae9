package signin

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
)

// jwk is a public key of a provider.
type jwk struct {
	Type  string `json:"kty"`
	ID    string `json:"kid"`
	Use   string `json:"use"`
	Alg   string `json:"alg"`
	N     string `json:"n"`
	E     string `json:"e"`
	Curve string `json:"crv"`
	X     string `json:"x"`
	Y     string `json:"y"`
}

// fits reports whether a key may verify a token of this algorithm and key ID. The type of the key decides, never the
// token alone: a public key is no secret of HMAC.
func (k jwk) fits(alg, id string) bool {
	kind := map[string]string{"RS256": "RSA", "ES256": "EC"}[alg]
	return kind != "" && k.Type == kind && (k.Use == "" || k.Use == "sig") && (k.Alg == "" || k.Alg == alg) &&
		(id == "" || k.ID == id)
}

// verifies reports whether the key made a signature.
func (k jwk) verifies(signed, sig []byte) bool {
	sum := sha256.Sum256(signed)
	switch k.Type {
	case "RSA":
		const least, most = 2048, 8192
		n, e := number(k.N), number(k.E)
		if n == nil || e == nil || n.BitLen() < least || n.BitLen() > most || !e.IsInt64() || e.Int64() > 1<<31-1 ||
			e.Int64() < 3 {
			return false
		}
		return rsa.VerifyPKCS1v15(&rsa.PublicKey{N: n, E: int(e.Int64())}, crypto.SHA256, sum[:], sig) == nil
	case "EC":
		const size = 32
		x, errX := base64.RawURLEncoding.DecodeString(k.X)
		y, errY := base64.RawURLEncoding.DecodeString(k.Y)
		if k.Curve != "P-256" || errX != nil || errY != nil || len(x) != size || len(y) != size || len(sig) != 2*size {
			return false
		}
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
		return err == nil && ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(sig[:size]), new(big.Int).SetBytes(sig[size:]))
	}
	return false
}

func number(text string) *big.Int {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) == 0 || len(b) > mostDocument {
		return nil
	}
	return new(big.Int).SetBytes(b)
}
