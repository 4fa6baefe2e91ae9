package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func TestPayloadType(t *testing.T) {
	if got, want := PayloadType("witness", 12), "application/vnd.stemma.witness.v12+json"; got != want {
		t.Errorf("PayloadType = %s, want %s", got, want)
	}
}

func TestPAE(t *testing.T) {
	var file struct {
		Payload string `json:"payload_utf8"`
		Type    string `json:"payloadType"`
		PAE     string `json:"pae_utf8"`
	}
	readJSON(t, "dsse_protocol.json", &file)
	for _, tt := range []struct{ payloadType, payload, want string }{
		{file.Type, file.Payload, file.PAE},
		{"", "", "DSSEv1 0  0 "},
		{"é", "\x00\xff\n", "DSSEv1 2 é 3 \x00\xff\n"}, // lengths are in bytes
	} {
		if got := string(PAE(tt.payloadType, []byte(tt.payload))); got != tt.want {
			t.Errorf("PAE(%q, %q) = %q, want %q", tt.payloadType, tt.payload, got, tt.want)
		}
	}
	if a, b := PAE("a 1 b", nil), PAE("a", []byte("b 0 ")); bytes.Equal(a, b) {
		t.Errorf("two pairs encode to %q", a)
	}
}

type signedStatement struct {
	Name, PayloadType string
	Payload           string `json:"payload_utf8"`
	PAE               string `json:"pae_sha256"`
	KeyID             string
	Sig               []byte `json:"sig_base64"`
	SecondKeyID       string `json:"second_keyid"`
	SecondSig         []byte `json:"second_sig_base64"`
}

func readStatements(t testing.TB) []signedStatement {
	t.Helper()
	var file struct{ Vectors []signedStatement }
	readJSON(t, "dsse_ed25519.json", &file)
	if got, want := len(file.Vectors), 5; got != want {
		t.Fatalf("%d vectors, want %d", got, want)
	}
	return file.Vectors
}

func TestSignedStatements(t *testing.T) {
	var signers []*Key
	var seeds struct{ Vectors []struct{ Seed hexBytes } }
	readJSON(t, "rfc8032.json", &seeds)
	for _, v := range seeds.Vectors {
		key, err := FromSeed(v.Seed)
		if err != nil {
			t.Fatal(err)
		}
		signers = append(signers, key)
	}
	check := func(v signedStatement, did string, sig []byte) {
		t.Helper()
		i := slices.IndexFunc(signers, func(k *Key) bool { return k.DID() == did })
		if i < 0 {
			t.Fatalf("%s: %s is none of the keys of RFC 8032", v.Name, did)
		}
		if got := signature(t, signers[i], v.PayloadType, []byte(v.Payload)); !bytes.Equal(got, sig) {
			t.Errorf("%s: signature %x, want %x", v.Name, got, sig)
		}
		if err := Verify(did, v.PayloadType, []byte(v.Payload), sig); err != nil {
			t.Errorf("%s: %v, want it verified", v.Name, err)
		}
	}
	for _, v := range readStatements(t) {
		sum := sha256.Sum256(PAE(v.PayloadType, []byte(v.Payload)))
		if got, want := hex.EncodeToString(sum[:]), v.PAE; got != want {
			t.Errorf("%s: sha-256 of the PAE is %s, want %s", v.Name, got, want)
		}
		check(v, v.KeyID, v.Sig)
		if v.SecondKeyID != "" {
			check(v, v.SecondKeyID, v.SecondSig)
		}
	}
}

// What the list in the file says must fail, as far as bytes and keys go: whether a
// payload is well formed is for who decodes it, and here each is only other bytes
// than were signed.
func TestChangedStatementsAreRefused(t *testing.T) {
	vectors := readStatements(t)
	memory, witness, dispute := vectors[0], vectors[1], vectors[2]
	order1 := encodeDID(publicKey{1})
	replaced := func(v signedStatement, old, new string) signedStatement {
		t.Helper()
		if !strings.Contains(v.Payload, old) {
			t.Fatalf("%s: no %s to replace", v.Name, old)
		}
		v.Payload = strings.Replace(v.Payload, old, new, 1)
		return v
	}
	retyped, moved, malleated, borrowed := memory, memory, memory, memory
	retyped.PayloadType = witness.PayloadType
	moved.KeyID = witness.KeyID
	malleated.Sig = addOrder(memory.Sig)
	borrowed.Sig = witness.Sig
	small := memory
	small.KeyID, small.Sig = order1, append([]byte{1}, make([]byte, 63)...)
	short, long, none, swapped := memory, memory, memory, memory
	short.Sig, long.Sig, none.Sig = memory.Sig[:63], append(slices.Clone(memory.Sig), 0), nil
	swapped.Sig = append(slices.Clone(memory.Sig[32:]), memory.Sig[:32]...)
	for _, tt := range []struct {
		name string
		v    signedStatement
		want error
	}{
		{"type of the witness", retyped, ErrBadSignature},
		{"a space added", replaced(memory, `":`, `": `), ErrBadSignature},
		{
			"other order",
			replaced(replaced(memory, `"anchors":[],`, ``), `"insight"}`, `"insight","anchors":[]}`),
			ErrBadSignature,
		},
		{"verdict flipped", replaced(dispute, `"dispute"`, `"confirm"`), ErrBadSignature},
		{"witness of another memory", replaced(witness, "9d30580c", "9d30580d"), ErrBadSignature},
		{"another key's name", moved, ErrBadSignature},
		{"signature of another statement", borrowed, ErrBadSignature},
		{"S + L", malleated, ErrBadSignature},
		{"key of order 1", small, ErrBadKey},
		{"duplicate member", replaced(memory, `"body"`, `"body":"","body"`), ErrBadSignature},
		{"member in capitals beside", replaced(memory, `"body"`, `"Body":"","body"`), ErrBadSignature},
		{"0.90 for 0.9", replaced(memory, `0.9`, `0.90`), ErrBadSignature},
		{"2^53+1", replaced(memory, `0.9`, `9007199254740993`), ErrBadSignature},
		{"another spelling of the time", replaced(memory, `.000Z`, `.000+00:00`), ErrBadSignature},
		{"a newline after it", replaced(memory, `"insight"}`, "\"insight\"}\n"), ErrBadSignature},
		{"signature cut", short, ErrBadSignature},
		{"signature and a byte", long, ErrBadSignature},
		{"no signature", none, ErrBadSignature},
		{"halves swapped", swapped, ErrBadSignature},
	} {
		got := Verify(tt.v.KeyID, tt.v.PayloadType, []byte(tt.v.Payload), tt.v.Sig)
		if !errors.Is(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	// The danger is real: without the rule about keys that signature is good.
	if !ed25519.Verify(append([]byte{1}, make([]byte, 31)...), []byte("anything"), small.Sig) {
		t.Error("the key of order 1 no longer verifies everything: is the case above still the worst?")
	}
}

// addOrder adds the order of the group to S: the same equation, other bytes.
func addOrder(sig []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	s := slices.Clone(sig[32:])
	slices.Reverse(s)
	s = new(big.Int).Add(new(big.Int).SetBytes(s), order).FillBytes(make([]byte, 32))
	slices.Reverse(s)
	return append(slices.Clone(sig[:32]), s...)
}

func TestEveryFlippedBitOfASignatureIsRefused(t *testing.T) {
	v := readStatements(t)[0]
	for bit := range len(v.Sig) * 8 {
		sig := slices.Clone(v.Sig)
		sig[bit/8] ^= 1 << (bit % 8)
		if err := Verify(v.KeyID, v.PayloadType, []byte(v.Payload), sig); !errors.Is(err, ErrBadSignature) {
			t.Errorf("bit %d: %v, want %v", bit, err, ErrBadSignature)
		}
	}
}
