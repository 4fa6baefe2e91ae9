package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"filippo.io/edwards25519"
)

type didFile struct {
	Vectors []struct {
		Public  string `json:"publicKeyMultibase"`
		Private string `json:"privateKeyMultibase"`
		Seed    hexBytes
		DID     string
	}
	MustReject []string `json:"must_reject"`
}

// slowBase58 reads base58 by another way than the code: one big number.
func slowBase58(t testing.TB, text string) []byte {
	t.Helper()
	n := new(big.Int)
	for _, digit := range text {
		i := strings.IndexRune(base58, digit)
		if i < 0 {
			t.Fatalf("%q is no base58 digit", digit)
		}
		n.Add(n.Mul(n, big.NewInt(58)), big.NewInt(int64(i)))
	}
	return n.Bytes()
}

func TestDIDVectors(t *testing.T) {
	var file didFile
	readJSON(t, "did_key.json", &file)
	if got, want := [2]int{len(file.Vectors), len(file.MustReject)}, [2]int{3, 4}; got != want {
		t.Fatalf("%d vectors, want %d", got, want)
	}
	for _, v := range file.Vectors {
		if v.Private != "" {
			v.DID = "did:key:" + v.Public
			v.Seed = bytes.TrimPrefix(slowBase58(t, v.Private[1:]), []byte{0x80, 0x26})
		}
		public, err := ParseDID(v.DID)
		if err != nil {
			t.Fatalf("ParseDID(%s): %v", v.DID, err)
		}
		if got, want := append(
			[]byte{0xed, 0x01}, public...,
		), slowBase58(t, v.DID[len(didPrefix):]); !bytes.Equal(got, want) {
			t.Errorf("ParseDID(%s) = %x, want %x", v.DID, got, want)
		}
		if got := encodeDID(publicKey(public)); got != v.DID {
			t.Errorf("encodes again to %s, want %s", got, v.DID)
		}
		if v.Seed == nil {
			continue // only the public half was published
		}
		key, err := FromSeed(v.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := key.DID(), v.DID; got != want {
			t.Errorf("DID of seed %x = %s, want %s", []byte(v.Seed), got, want)
		}
	}
	for _, line := range file.MustReject {
		did, _, _ := strings.Cut(line, " (")
		if public, err := ParseDID(did); !errors.Is(err, ErrBadKey) {
			t.Errorf("ParseDID(%s) = %x, %v, want %v", did, public, err, ErrBadKey)
		}
	}
}

func TestOtherSpellingsOfADIDAreRefused(t *testing.T) {
	did := newKey(t, 1).DID()
	digits := did[len(didPrefix):]
	for _, other := range []string{
		"", "did", didPrefix, strings.TrimPrefix(did, "did:key:"), strings.ToUpper(did), strings.ToLower(did),
		"DID:key:z" + digits, "did:KEY:z" + digits,
		"did:key:Z" + digits, "did:key:m" + digits, "did:web:z" + digits, " " + did, did + " ", did + "\n", did + "\x00",
		did + "#z" + digits, did + "?", did + "/",
		didPrefix + "1" + digits, didPrefix + digits[1:], didPrefix + digits[:46], didPrefix + digits + "1",
		didPrefix + "0" + digits[1:],
		didPrefix + "l" + digits[1:], didPrefix + strings.Repeat("z", didDigits), didPrefix + strings.Repeat("1", didDigits),
		didPrefix + "\xff" + digits[1:], didPrefix + digits[:45] + "é", strings.Replace(did, ":", "%3A", 1), did + did,
		strings.Repeat(did, 20_000),
	} {
		if public, err := ParseDID(other); !errors.Is(err, ErrBadKey) {
			t.Errorf("ParseDID(%.80q) = %x, %v, want %v", other, public, err, ErrBadKey)
		} else if len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\x00") ||
			strings.Contains(err.Error(), "\xff") {
			t.Errorf("the error repeats what a stranger sent: %.400q", err)
		}
		if _, err := Fingerprint(other); !errors.Is(err, ErrBadKey) {
			t.Errorf("Fingerprint(%.80q): %v, want %v", other, err, ErrBadKey)
		}
		if err := Verify(other, "t", nil, make([]byte, 64)); !errors.Is(err, ErrBadKey) {
			t.Errorf("Verify by %.80q: %v, want %v", other, err, ErrBadKey)
		}
	}
	if _, err := ParseDID(did); err != nil {
		t.Errorf("ParseDID(%s): %v, want the one spelling parsed", did, err)
	}
}

// spell writes a multicodec and a key, plus more times 2^272, in base 58 at any width.
func spell(codec [2]byte, public []byte, more int64) string {
	n := new(big.Int).Lsh(big.NewInt(more), 8*didBytes)
	n.Add(n, new(big.Int).SetBytes(append(codec[:], public...)))
	var digits []byte
	for digit := new(big.Int); n.Sign() > 0; {
		n.DivMod(n, big.NewInt(int64(len(base58))), digit)
		digits = append(digits, base58[digit.Int64()])
	}
	slices.Reverse(digits)
	return didPrefix + string(digits)
}

// The hard cases: right in length and alphabet, or nearly, with a sound key inside.
func TestDIDsThatCarelessReadersTakeForAnotherAreRefused(t *testing.T) {
	did := newKey(t, 1).DID()
	public, err := ParseDID(did)
	if err != nil {
		t.Fatal(err)
	}
	if got := spell([2]byte{0xed, 0x01}, public, 0); got != did {
		t.Fatalf("spelled %s, want %s", got, did)
	}
	others := make(map[string]string)
	for _, codec := range [][2]byte{{0xec, 0x01}, {0xed, 0x00}, {0xed, 0x02}, {0xe7, 0x01}, {0xed, 0x81}} {
		others[fmt.Sprintf("multicodec %x", codec)] = spell(codec, public, 0)
	}
	for more := int64(1); more < 9; more++ { // all that 47 digits hold
		others[fmt.Sprint("overflow ", more)] = spell([2]byte{0xed, 0x01}, public, more)
	}
	// To who takes a digit that is none for -1, these end alike: …Xz, …Y0.
	borrowed := did
	for i := byte(0); !strings.HasSuffix(borrowed, "z") || strings.HasSuffix(borrowed, "zz"); i++ {
		borrowed = newKey(t, i).DID()
	}
	last := len(borrowed) - 2
	next := base58[strings.IndexByte(base58, borrowed[last])+1]
	others["digit below 1"] = borrowed[:last] + string(next) + "0"
	for what, other := range others {
		if len(other) != len(did) {
			t.Errorf("%s has %d characters, want %d", what, len(other), len(did))
		}
		if public, err := ParseDID(other); !errors.Is(err, ErrBadKey) {
			t.Errorf("%s: ParseDID(%s) = %x, %v, want %v", what, other, public, err, ErrBadKey)
		}
	}
}

// mixed is a key with a part of small order: the sum of a sound key and a small one.
func mixed(t testing.TB, small []byte) publicKey {
	t.Helper()
	sound, err := ParseDID(newKey(t, 1).DID())
	if err != nil {
		t.Fatal(err)
	}
	a, err := new(edwards25519.Point).SetBytes(sound)
	if err != nil {
		t.Fatal(err)
	}
	b, err := new(edwards25519.Point).SetBytes(small)
	if err != nil {
		t.Fatal(err)
	}
	return publicKey(a.Add(a, b).Bytes())
}

func TestKeysOfSmallOrMixedOrderAreRefused(t *testing.T) {
	var vectors []struct {
		Public hexBytes
		What   string
	}
	readJSON(t, "small_order.json", &vectors)
	seen := make(map[string]bool)
	for _, v := range vectors {
		seen[string(v.Public)] = true
		// The file says what it says: those who read leniently get small points.
		point, err := new(edwards25519.Point).SetBytes(v.Public)
		if err != nil || new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) != 1 {
			t.Errorf("%x (%s) is not of small order (%v)", []byte(v.Public), v.What, err)
		}
		if _, err := ParseDID(encodeDID(publicKey(v.Public))); !errors.Is(err, ErrBadKey) {
			t.Errorf("%x (%s): %v, want %v", []byte(v.Public), v.What, err, ErrBadKey)
		}
		sum := mixed(t, v.Public)
		_, err = ParseDID(encodeDID(sum))
		if strings.HasPrefix(v.What, "order 1") {
			if err != nil {
				t.Errorf("a sound key and nothing: %v", err)
			}
		} else if !errors.Is(err, ErrBadKey) {
			t.Errorf("a sound key and %x (%s): %v, want %v", []byte(v.Public), v.What, err, ErrBadKey)
		}
	}
	if got, want := len(seen), 14; got != want {
		t.Errorf("%d encodings, want %d", got, want)
	}
}

// All 19 values of y from p up can be written a second time in 255 bits.
func TestKeysInAnotherEncodingAreRefused(t *testing.T) {
	points := 0
	for low := 0xed; low <= 0xff; low++ {
		for _, high := range []byte{0x7f, 0xff} {
			public := publicKey(bytes.Repeat([]byte{0xff}, 32))
			public[0], public[31] = byte(low), high
			if _, err := new(edwards25519.Point).SetBytes(public[:]); err == nil {
				points++
				if err := checkPoint(public); err == nil || !strings.Contains(err.Error(), "canonical") {
					t.Errorf("%x: %v, want it refused for its encoding", public, err)
				}
			}
			if _, err := ParseDID(encodeDID(public)); !errors.Is(err, ErrBadKey) {
				t.Errorf("%x: %v, want %v", public, err, ErrBadKey)
			}
		}
	}
	if points == 0 {
		t.Error("none of them is a point, so nothing was tested")
	}
}

func TestFingerprintIsOpenSSHs(t *testing.T) {
	key := newKey(t, 1)
	public, err := ParseDID(key.DID())
	if err != nil {
		t.Fatal(err)
	}
	var blob []byte // what RFC 8709 says a public key is on the wire
	for _, part := range [][]byte{[]byte("ssh-ed25519"), public} {
		blob = append(binary.BigEndian.AppendUint32(blob, uint32(len(part))), part...)
	}
	sum := sha256.Sum256(blob)
	got, err := Fingerprint(key.DID())
	if want := "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:]); err != nil || got != want {
		t.Errorf("Fingerprint = %s (%v), want %s", got, err, want)
	}
	if shape := regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`); !shape.MatchString(got) {
		t.Errorf("Fingerprint = %s, want %s", got, shape)
	}
}

func TestParseDIDGivesAwayNothingOfTheCache(t *testing.T) {
	did := newKey(t, 1).DID()
	for range 2 {
		public, err := ParseDID(did)
		if err != nil {
			t.Fatal(err)
		}
		if got := encodeDID(publicKey(public)); got != did {
			t.Fatalf("ParseDID gave the key of %s, want %s", got, did)
		}
		clear(public)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := cache{keys: make(map[string]publicKey)}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range cacheSize {
				did := fmt.Sprint(worker, " ", i)
				c.put(did, publicKey{byte(i)})
				if public, ok := c.get(did); ok && public != (publicKey{byte(i)}) {
					t.Errorf("get(%s) = %x", did, public)
				}
			}
		})
	}
	all.Wait()
	if got, want := len(c.keys), cacheSize; got != want {
		t.Errorf("%d keys kept, want %d", got, want)
	}
	c.put("last", publicKey{1})
	if _, ok := c.get("last"); !ok {
		t.Error("the last one is not kept")
	}
}

func FuzzParseDID(f *testing.F) {
	var file didFile
	readJSON(f, "did_key.json", &file)
	for _, v := range file.Vectors {
		f.Add(v.DID)
	}
	for _, line := range file.MustReject {
		f.Add(line)
	}
	for i := range byte(4) {
		did := newKey(f, i).DID()
		f.Add(did)
		changed := []byte(did)
		changed[len(changed)-1]++
		f.Add(string(changed))
	}
	f.Add(encodeDID(publicKey{1}))
	f.Fuzz(func(t *testing.T, did string) {
		public, err := ParseDID(did)
		if err != nil {
			if !errors.Is(err, ErrBadKey) {
				t.Errorf("ParseDID(%q): %v, want %v", did, err, ErrBadKey)
			}
			return
		}
		if got := encodeDID(publicKey(public)); got != did {
			t.Errorf("%q parses, and encodes to %q", did, got)
		}
		if again, err := ParseDID(did); err != nil || !slices.Equal(again, public) {
			t.Errorf("ParseDID(%q) = %x, %v, then %x", did, public, err, again)
		}
	})
}

func BenchmarkParseDID(b *testing.B) {
	did := newKey(b, 1).DID()
	b.Run("known", func(b *testing.B) {
		for b.Loop() {
			ParseDID(did)
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			public, err := decodeDID(did)
			if err == nil {
				err = checkPoint(public)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
