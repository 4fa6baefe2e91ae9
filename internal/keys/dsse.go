package keys

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strconv"
)

var (
	// ErrBadKey says that a did:key names no key that may sign here.
	ErrBadKey = errors.New("bad key")
	// ErrBadSignature says that the signature is not that key's, of that type and payload.
	ErrBadSignature = errors.New("bad signature")
)

// PayloadType returns the DSSE payload type of a record's kind and version:
// application/vnd.stemma.raw.v1+json.
func PayloadType(kind string, version int) string {
	return "application/vnd.stemma." + kind + ".v" + strconv.Itoa(version) + "+json"
}

// PAE returns the bytes that DSSE v1 signs, its pre-authentication encoding. Both
// lengths are in the bytes, so no two pairs of type and payload share an encoding.
func PAE(payloadType string, payload []byte) []byte {
	const head, digits = "DSSEv1", 20 // of the greatest length
	return appendPAE(make([]byte, 0, len(head)+len(payloadType)+len(payload)+2*digits+4), payloadType, payload)
}

func appendPAE(b []byte, payloadType string, payload []byte) []byte {
	b = append(b, "DSSEv1"...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(payloadType)), 10)
	b = append(b, ' ')
	b = append(b, payloadType...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(payload)), 10)
	b = append(b, ' ')
	return append(b, payload...)
}

// Verify returns nil if sig is the signature of payload as payloadType by the key
// that did names. Otherwise the error is ErrBadKey, if ParseDID refuses did, or
// ErrBadSignature. It does not say whether that key may speak for anybody.
func Verify(did, payloadType string, payload, sig []byte) error {
	public, err := parseDID(did)
	if err != nil {
		return err
	}
	if !verify(public, PAE(payloadType, payload), sig) {
		return fmt.Errorf("%w by %s", ErrBadSignature, did)
	}
	return nil
}

// verify is pure Ed25519 over the message as it is. Like ed25519.Verify, it takes a
// signature of another length or with S not below the order of the group for
// false; what it leaves to its caller, the strictness about keys, is parseDID's.
func verify(public [ed25519.PublicKeySize]byte, message, sig []byte) bool {
	return met.verify(public, message, sig)
}
