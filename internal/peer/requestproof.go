package peer

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
)

// ProofHeader is the header with the proof of a request. TimeHeader is that in which a hub tells its clock to a client
// whose clock differs too much.
const (
	ProofHeader = "Stemma-Proof"
	TimeHeader  = "Stemma-Time"
)

// ProofSkew is by how much the clocks of a hub and of a client may differ.
const ProofSkew = 5 * time.Minute

// ErrProof says that a header is no proof of a request.
var ErrProof = errors.New("the request is not proven")

// A RequestProof is what a client signs for each request, with the key that its token is bound to: without that key, a
// token that somebody took from a log or a proxy opens nothing.
type RequestProof struct {
	V      int    `json:"v"`
	Kind   string `json:"kind"` // hub-proof
	Key    string `json:"key"`
	Hub    string `json:"hub"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Token  string `json:"token"` // the SHA-256 of it, in hex
	At     int64  `json:"at"`    // milliseconds since 1970
	Body   string `json:"body"`  // the SHA-256 of the body as it is sent, in hex
}

// proofKind makes the payload type of a proof.
const proofKind = "hub-proof"

// NewRequestProof makes the proof of a request to a hub.
func NewRequestProof(hub, method, path, token string, body []byte, at time.Time) RequestProof {
	of, sent := sha256.Sum256([]byte(token)), sha256.Sum256(body)
	return RequestProof{
		V: 1, Kind: proofKind, Hub: hub, Method: method, Path: path, Token: hex.EncodeToString(of[:]),
		At: at.UnixMilli(), Body: hex.EncodeToString(sent[:]),
	}
}

// Sign returns the header of a proof.
func (p RequestProof) Sign(key *keys.Key) (string, error) {
	p.Key = key.DID()
	payload, err := canon.Marshal(p)
	if err != nil {
		return "", err
	}
	sig, err := key.Sign(keys.PayloadType(proofKind, p.V), payload)
	if err != nil {
		return "", err
	}
	return strings.Join([]string{
		p.Key, strconv.FormatInt(p.At, 10), p.Body, base64.RawURLEncoding.EncodeToString(sig),
	}, " "), nil
}

// ReadRequestProof verifies the header of a request. What the header does not say, the hub knows itself: its name, the
// request and the token. Whether the time and the key are right, and whether the body is that of Body, the caller
// looks.
func ReadRequestProof(header, hub, method, path, token string) (RequestProof, error) {
	const most = 512
	parts := strings.Fields(header)
	if len(header) > most || len(parts) != 4 {
		return RequestProof{}, ErrProof
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return RequestProof{}, ErrProof
	}
	p := NewRequestProof(hub, method, path, token, nil, time.UnixMilli(at))
	p.Key, p.Body = parts[0], parts[2]
	sig, err := base64.RawURLEncoding.Strict().DecodeString(parts[3])
	if err != nil || len(p.Body) != hex.EncodedLen(sha256.Size) {
		return RequestProof{}, ErrProof
	}
	payload, err := canon.Marshal(p)
	if err != nil {
		return RequestProof{}, err
	}
	if keys.Verify(p.Key, keys.PayloadType(proofKind, p.V), payload, sig) != nil {
		return RequestProof{}, ErrProof
	}
	return p, nil
}
