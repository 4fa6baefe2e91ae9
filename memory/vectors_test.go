package memory

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the vectors in testdata")

// A vector is one record as every implementation must write it.
type vector struct {
	Kind        Kind   `json:"kind"`
	Payload     string `json:"payload"`      // the canonical bytes
	ID          string `json:"id"`           // hex of their SHA-256
	Leaf        string `json:"leaf"`         // hex of SHA-256(0x00 ‖ id), the record's leaf in a log
	PayloadType string `json:"payload_type"` // of the DSSE envelope
	KeyID       string `json:"keyid"`        // the did:key that signed
	Signature   string `json:"signature"`    // base64 of Ed25519 over the DSSE PAE
}

// A mustFail is a payload that every implementation must refuse.
type mustFail struct {
	Name    string `json:"name"`
	Reason  string `json:"reason"`
	Payload string `json:"payload,omitempty"`
	Base64  string `json:"payload_base64,omitempty"` // for bytes that are not text
}

// pae is what DSSE signs of a payload.
func pae(payloadType string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
}

func payloadType(kind Kind, v int) string {
	return fmt.Sprintf("application/vnd.stemma.%s.v%d+json", kind, v)
}

func makeVectors(t *testing.T) (good []vector, bad []mustFail) {
	key := rfc8032Key()
	did := didOf(key.Public().(ed25519.PublicKey))
	add := func(h Header, b Body) {
		h.Author, h.Space = did, did+"/main"
		r := must(New(h, b))
		leaf, typ := sha256.Sum256(append([]byte{0}, r.ID[:]...)), payloadType(r.Header.Kind, Version)
		good = append(good, vector{
			r.Header.Kind, string(r.Bytes), r.ID.String(), hex.EncodeToString(leaf[:]), typ, did,
			base64.StdEncoding.EncodeToString(must(key.Sign(nil, pae(typ, r.Bytes), crypto.Hash(0)))),
		})
	}
	for i, b := range builtIn() {
		full, least := fullHeader(b), newScene(t, someone(1)).header(someone(1), noon)
		full.Nonce, least.Nonce = nonceOf(uint64(2*i)), nonceOf(uint64(2*i+1))
		add(full, b)
		add(least, b)
	}
	for i := range refusals {
		r := &refusals[i]
		raw := r.spoil(t)
		f := mustFail{Name: r.Name, Reason: r.Reason}
		if utf8.Valid(raw) {
			f.Payload = string(raw)
		} else {
			f.Base64 = base64.StdEncoding.EncodeToString(raw)
		}
		bad = append(bad, f)
	}
	return good, bad
}

// TestVectors holds the format to the files that other implementations are
// tested with: they may grow, what stands there never changes.
func TestVectors(t *testing.T) {
	good, bad := makeVectors(t)
	sameFile(t, "records.json", good)
	sameFile(t, "must-fail.json", bad)
}

func sameFile(t *testing.T, name string, v any) {
	t.Helper()
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "vectors", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the format gives now (error %v); what is signed must not change", path, err)
	}
}

func readVectors[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "vectors", name))
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %d vectors, %v", name, len(out), err)
	}
	return out
}

// TestReadVectors reads the files as another implementation would.
func TestReadVectors(t *testing.T) {
	var seen []Kind
	for _, v := range readVectors[vector](t, "records.json") {
		r, err := Decode([]byte(v.Payload))
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		seen = append(seen, v.Kind)
		key := rfc8032Key().Public().(ed25519.PublicKey)
		sig := must(base64.StdEncoding.DecodeString(v.Signature))
		if r.ID.String() != v.ID || r.Header.Kind != v.Kind || r.Header.Author != v.KeyID || didOf(key) != v.KeyID {
			t.Errorf("%s: read as %s by %s", v.ID, r.Ref(), r.Header.Author)
		}
		if v.PayloadType != payloadType(v.Kind, Version) || !ed25519.Verify(key, pae(v.PayloadType, []byte(v.Payload)), sig) {
			t.Errorf("%s: the signature over %s does not verify", v.ID, v.PayloadType)
		}
	}
	for k := range kinds {
		if _, is := added[k]; !is && !slices.Contains(seen, k) {
			t.Errorf("no vector of a %s", k)
		}
	}
	for _, f := range readVectors[mustFail](t, "must-fail.json") {
		raw := append([]byte(f.Payload), must(base64.StdEncoding.DecodeString(f.Base64))...)
		if _, err := Decode(raw); err == nil || f.Reason == "" {
			t.Errorf("%s was taken", f.Name)
		}
	}
}

// TestDecodeErrors: callers tell bytes in another form from what may not be
// said.
func TestDecodeErrors(t *testing.T) {
	for name, want := range map[string]error{
		"duplicate member": ErrNotCanonical, "trailing newline": ErrNotCanonical,
		"unknown member of the body": ErrNotCanonical,
		"confidence above one":       ErrInvalid, "blank statement": ErrInvalid,
	} {
		for i := range refusals {
			if refusals[i].Name != name {
				continue
			}
			if _, err := Decode(refusals[i].spoil(t)); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
	}
}
