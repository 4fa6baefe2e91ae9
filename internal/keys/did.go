package keys

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"sync"

	"filippo.io/edwards25519"
	"golang.org/x/crypto/ssh"
)

const (
	didPrefix = "did:key:z" // z: multibase for base58btc
	base58    = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

	// The multicodec of an Ed25519 public key, as a varint.
	codec0, codec1 = 0xed, 0x01

	didBytes  = 2 + ed25519.PublicKeySize
	didDigits = 47 // of every number of 34 bytes that starts with 0xed01
)

// publicKey is an array, not an ed25519.PublicKey, so that no one holds a slice of
// what the cache holds.
type publicKey = [ed25519.PublicKeySize]byte

// ParseDID returns the Ed25519 public key that a did:key names. One key has one
// name: anything but the canonical spelling is refused, and so is any key under
// which a signature would not bind one signer to one message: a point encoded in
// another way than RFC 8032's, of small order, or with a part of small order. The
// error is ErrBadKey.
func ParseDID(did string) (ed25519.PublicKey, error) {
	public, err := parseDID(did)
	if err != nil {
		return nil, err
	}
	return public[:], nil
}

// Fingerprint returns the key's fingerprint as OpenSSH shows it, SHA256: and 43
// characters of base64, for people to compare.
func Fingerprint(did string) (string, error) {
	public, err := ParseDID(did)
	if err != nil {
		return "", err
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		return "", fmt.Errorf("fingerprint %s: %w", did, err)
	}
	return ssh.FingerprintSHA256(key), nil
}

func parseDID(did string) (publicKey, error) {
	if public, ok := parsed.get(did); ok {
		return public, nil
	}
	public, err := decodeDID(did)
	if err == nil {
		err = checkPoint(public)
	}
	if err != nil {
		return publicKey{}, fmt.Errorf("%w %s: %w", ErrBadKey, shorten(did), err)
	}
	parsed.put(did, public)
	return public, nil
}

// shorten keeps a stranger's megabyte, and its control characters, out of an error.
func shorten(did string) string {
	const most = 80
	if len(did) > most {
		return fmt.Sprintf("%.*q…", most, did)
	}
	return fmt.Sprintf("%q", did)
}

// encodeDID writes the number in base 58, last digit first. The width is fixed, as
// the two leading bytes are.
func encodeDID(public publicKey) string {
	number := [didBytes]byte{codec0, codec1}
	copy(number[2:], public[:])
	var digits [didDigits]byte
	for i := len(digits) - 1; i >= 0; i-- {
		rest := 0
		for j := range number {
			rest = rest<<8 | int(number[j])
			number[j] = byte(rest / len(base58))
			rest %= len(base58)
		}
		digits[i] = base58[rest]
	}
	return didPrefix + string(digits[:])
}

// decodeDID reads what encodeDID writes. With the number of digits fixed and no
// overflow, two spellings cannot give the same bytes.
func decodeDID(did string) (public publicKey, err error) {
	digits, ok := strings.CutPrefix(did, didPrefix)
	if !ok {
		return public, fmt.Errorf("does not start with %s", didPrefix)
	}
	if len(digits) != didDigits {
		return public, fmt.Errorf("%d base58 digits, an Ed25519 key has %d", len(digits), didDigits)
	}
	var number [didBytes]byte
	for i := range len(digits) {
		carry := strings.IndexByte(base58, digits[i])
		if carry < 0 {
			return public, fmt.Errorf("%q is no base58 digit", digits[i])
		}
		for j := len(number) - 1; j >= 0; j-- {
			carry += int(number[j]) * len(base58)
			number[j] = byte(carry)
			carry >>= 8
		}
		if carry != 0 {
			return public, fmt.Errorf("base58 number exceeds %d bytes", didBytes)
		}
	}
	if number[0] != codec0 || number[1] != codec1 {
		return public, fmt.Errorf("multicodec %x is not Ed25519's", number[:2])
	}
	return publicKey(number[2:]), nil
}

// minusOne is the order of the group less one: the one scalar that tells, in one
// multiplication, whether a point is of that order.
var minusOne = func() *edwards25519.Scalar {
	one, err := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	if err != nil {
		panic(err) // 1 is canonical
	}
	return one.Negate(one)
}()

func checkPoint(public publicKey) error {
	point, err := new(edwards25519.Point).SetBytes(public[:])
	if err != nil {
		return errors.New("not a point of the curve")
	}
	if publicKey(point.Bytes()) != public {
		return errors.New("point not in its canonical encoding")
	}
	identity := edwards25519.NewIdentityPoint()
	if new(edwards25519.Point).MultByCofactor(point).Equal(identity) == 1 {
		return errors.New("point of small order")
	}
	// A point with a part of small order passes the test above, but verifiers
	// differ about its signatures: those that multiply by the cofactor, as all
	// that check in batches do, accept some that ours refuses.
	if order := new(edwards25519.Point).ScalarMult(minusOne, point); order.Add(order, point).Equal(identity) != 1 {
		return errors.New("point of mixed order")
	}
	return nil
}

// cacheSize is far above the number of keys one store meets often, and at about
// 150 bytes each is no burden.
const cacheSize = 1024

// parsed remembers the good keys: a store has few and checks them 100,000 times,
// and the arithmetic of checkPoint costs as much as a signature. Bad ones are not
// kept, or a stranger's list of them would push the good ones out.
var parsed = cache{keys: make(map[string]publicKey)}

type cache struct {
	mu   sync.RWMutex
	keys map[string]publicKey
}

func (c *cache) get(did string) (publicKey, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	public, ok := c.keys[did]
	return public, ok
}

func (c *cache) put(did string, public publicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.keys[did]; !ok && len(c.keys) >= cacheSize {
		for old := range c.keys { // any one will do
			delete(c.keys, old)
			break
		}
	}
	c.keys[strings.Clone(did)] = public // did may be a piece of a large payload
}
