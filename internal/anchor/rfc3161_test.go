package anchor

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

func testToken(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "rfc3161", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// later is after every token of testdata was made.
func later() time.Time { return noon.AddDate(20, 0, 0) }

func TestRFC3161(t *testing.T) {
	of := refOf("a memory")
	ca := newAuthority(t)
	o := Options{Now: atNoon, Roots: ca.pool}
	der := ca.token(stamping{id: of.ID})
	for name, answer := range map[string][]byte{
		"bare": der, "response": response(t, 0, der), "granted with changes": response(t, 1, der),
		"pem": pem.EncodeToMemory(&pem.Block{Type: "TIMESTAMP RESPONSE", Bytes: response(t, 0, der)}),
		"base64": []byte(
			base64.StdEncoding.EncodeToString(der[:30]) + "\n" + base64.StdEncoding.EncodeToString(der[30:]) + "\n",
		),
	} {
		a, err := RFC3161(answer, of, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := "Clock 1, serial 9, 2026-03-01T12:00:00Z"; a.Reference != want {
			t.Errorf("%s: reference is %q, want %q", name, a.Reference, want)
		}
		f := Check(t.Context(), a, o)
		if f.Status != Verified || !f.Bound || !f.Offline || !f.Stamped.Equal(noon) || f.Class != "tsa:example time" {
			t.Errorf("%s: %+v, want it verified and bound", name, f)
		}
		if got, want := Class(a), "tsa:example time"; got != want {
			t.Errorf("%s: class is %q, want %q", name, got, want)
		}
		if got, want := CanonicalReference(a), digest(der); got != want {
			t.Errorf("%s: canonical reference is %q, want %q", name, got, want)
		}
	}
}

// A token is refused for each reason there is, and the check says which.
func TestRFC3161Refuses(t *testing.T) {
	of := refOf("a memory")
	ca := newAuthority(t)
	o := Options{Now: atNoon, Roots: ca.pool}
	oid := func(oids ...asn1.ObjectIdentifier) []byte { return must(t, oids, "") }
	stampingOID := asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}
	webOID := asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 1}
	tests := []struct {
		name string
		with stamping
		want Status
		why  string
	}{
		{"good", stamping{}, Verified, "stamped by Clock 1"},
		{"expired", stamping{until: noon.AddDate(0, 0, -1)}, Unverifiable, "not valid at the time"},
		{"not yet valid", stamping{at: noon.AddDate(-2, 0, 0)}, Unverifiable, "not valid at the time"},
		{"for servers", stamping{usage: oid(webOID)}, Unverifiable, "not for timestamps alone"},
		{"for both", stamping{usage: oid(stampingOID, webOID)}, Unverifiable, "not for timestamps alone"},
		{
			"for something unknown too", stamping{usage: oid(stampingOID, asn1.ObjectIdentifier{1, 2, 3})},
			Unverifiable, "not for timestamps alone",
		},
		{"usage not critical", stamping{lax: true}, Unverifiable, "not for timestamps alone"},
		{"from the future", stamping{at: noon.Add(6 * time.Minute)}, Unverifiable, "the timestamp says"},
		{"before there were any", stamping{at: time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)}, Unverifiable, "the timestamp says"},
		{"SHA-1 signature", stamping{digest: oidSHA1}, Unverifiable, "not accepted"},
		{"MD5 signature", stamping{digest: oidMD5}, Unverifiable, "not accepted"},
		{"SHA-1 imprint", stamping{imprint: oidSHA1}, Changed, "another digest"},
		{"other imprint", stamping{id: refOf("other").ID}, Changed, "something else"},
		{"other signer", stamping{stranger: true}, Changed, "damaged"},
		{"another's certificate named", stamping{names: ca.root}, Changed, "another certificate"},
		{"no certificate named", stamping{withoutEss: true}, Changed, "another certificate"},
		{"named as of old", stamping{old: true}, Verified, "stamped by Clock 1"},
		{"another named as of old", stamping{old: true, names: ca.root}, Changed, "another certificate"},
		{"other content signed", stamping{other: []byte("x")}, Changed, "another timestamp"},
		{"other kind signed", stamping{kind: oidSignedData}, Changed, "not a timestamp"},
		{"attribute twice", stamping{twice: true}, Changed, "not there once"},
		{"no certificate", stamping{noCert: true}, Unverifiable, "does not hold"},
		{"critical extension", stamping{extension: true}, Changed, "extension"},
		{"two signers", stamping{signers: 1}, Changed, "one signer"},
		{"version of the wrapping", stamping{versions: [3]int{1, 1, 1}}, Changed, "one signer"},
		{"version of the signer", stamping{versions: [3]int{3, 2, 1}}, Unverifiable, "does not hold"},
		{"version of the timestamp", stamping{versions: [3]int{3, 1, 2}}, Changed, "version"},
	}
	for _, tt := range tests {
		if tt.with.id.IsZero() {
			tt.with.id = of.ID
		}
		der := ca.token(tt.with)
		f := Check(t.Context(), kept(of, der), o)
		if f.Status != tt.want || !strings.Contains(f.Why, tt.why) {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, f.Status, f.Why, tt.want, tt.why)
		}
		if f.Status != Verified && !f.Stamped.IsZero() {
			t.Errorf("%s: stamped at %s though not verified", tt.name, f.Stamped)
		}
		if f.Status == Changed && f.Bound {
			t.Errorf("%s: bound though changed", tt.name)
		}
		if _, err := RFC3161(der, of, o); (err == nil) != (tt.want == Verified) {
			t.Errorf("%s: making gives %v", tt.name, err)
		}
	}
}

// Who is not trusted here may be elsewhere: such a token is taken and not counted.
func TestRFC3161OfAStranger(t *testing.T) {
	of := refOf("a memory")
	ca := newAuthority(t)
	trusting := Options{Now: atNoon, Roots: ca.pool}
	doubting := Options{Now: atNoon, Roots: newAuthority(t).pool}
	a, err := RFC3161(ca.token(stamping{id: of.ID}), of, doubting)
	if err != nil {
		t.Fatal(err)
	}
	if f := Check(t.Context(), a, doubting); f.Status != Unverifiable || !strings.Contains(f.Why, "not trusted here") {
		t.Errorf("with other roots: %s (%s), want unverifiable", f.Status, f.Why)
	}
	if f := Check(t.Context(), a, Options{Now: atNoon}); f.Status != Unverifiable {
		t.Errorf("with the system's roots: %s (%s), want unverifiable", f.Status, f.Why)
	}
	if f := Check(t.Context(), a, trusting); f.Status != Verified {
		t.Errorf("with its root: %s (%s), want verified", f.Status, f.Why)
	}
}

// A token outlives its certificate: what counts is the time it was made.
func TestRFC3161OutlivesItsCertificate(t *testing.T) {
	of := refOf("a memory")
	ca := newAuthority(t)
	der := ca.token(stamping{id: of.ID, until: noon.Add(time.Hour)})
	if f := Check(t.Context(), kept(of, der), Options{Now: later, Roots: ca.pool}); f.Status != Verified ||
		!f.Stamped.Equal(noon) {
		t.Errorf("20 years on: %+v, want verified and stamped at %s", f, noon)
	}
}

// Not one bit of a token can be changed, and no part of it is a token. What the
// anchor says of the bytes is made to fit, so that the token alone is judged.
func TestRFC3161Damaged(t *testing.T) {
	of := refOf("a memory")
	ca := newAuthority(t)
	o := Options{Now: atNoon, Roots: ca.pool}
	der := ca.token(stamping{id: of.ID})
	accepted := 0
	for i := range 8 * len(der) {
		bad := bytes.Clone(der)
		bad[i/8] ^= 1 << (i % 8)
		if f := Check(t.Context(), kept(of, bad), o); f.Status == Verified {
			t.Errorf("bit %d of byte %d: verified", i%8, i/8)
			accepted++
		}
	}
	for n := range der {
		if f := Check(t.Context(), kept(of, der[:n]), o); f.Status == Verified {
			t.Errorf("cut to %d bytes: verified", n)
			accepted++
		}
	}
	t.Logf("%d changes of %d bytes, %d accepted", 9*len(der), len(der), accepted)
	if f := Check(t.Context(), kept(of, append(bytes.Clone(der), 0)), o); f.Status == Verified {
		t.Error("with a byte behind it: verified")
	}
	a := kept(of, der)
	a.SHA256 = digest([]byte("other"))
	if f := Check(t.Context(), a, o); f.Status != Changed {
		t.Errorf("another digest: %s (%s), want changed", f.Status, f.Why)
	}
	if f := Check(t.Context(), &memory.Anchor{Of: of, Type: typeTime, Reference: "x"}, o); f.Status != Unverifiable {
		t.Errorf("no token: %s (%s), want unverifiable", f.Status, f.Why)
	}
}

// kept is an anchor that says of its token what the token's bytes say.
func kept(of memory.Ref, der []byte) *memory.Anchor {
	return &memory.Anchor{Of: of, Type: typeTime, Reference: "x", SHA256: digest(der), Size: int64(len(der)),
		Proof: base64.StdEncoding.EncodeToString(der)}
}

// Tokens that others made are read as they are.
func TestRFC3161OfOthers(t *testing.T) {
	mine := refOf("a memory")
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(testToken(t, "root.pem")) {
		t.Fatal("no root")
	}
	public, err := memory.ParseID("f487d88164bde223b7fd3c71b3e9c624c8a0cb559c853b49558e7e5ef4ce55f0")
	if err != nil {
		t.Fatal(err)
	}
	other, err := memory.ParseID("2da82c1572ff020524e05069219975c9ba90723f1a4dd5b9722aee8ec547a2ff")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file string
		of   memory.Ref
		want Status
		why  string
	}{
		{"ecdsa.tsr", mine, Verified, "Example Timestamps 1"},
		{"rsa.tsr", mine, Verified, "Example Timestamps 2"},
		{"ecdsa.tsr", refOf("other"), Changed, "something else"},
		{"nocert.tsr", mine, Unverifiable, "does not hold"},
		{"globalsign-cds.tsr", memory.Ref{Kind: memory.KindBelief, ID: public}, Unverifiable, "not trusted here"},
		{"globalsign-aatl.der", memory.Ref{Kind: memory.KindBelief, ID: other}, Unverifiable, "not trusted here"},
		{"globalsign-nocert.tsr", memory.Ref{Kind: memory.KindBelief, ID: public}, Unverifiable, "does not hold"},
	}
	for _, tt := range tests {
		der, err := tokenIn(testToken(t, tt.file))
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		f := Check(t.Context(), kept(tt.of, der), Options{Now: later, Roots: roots})
		if f.Status != tt.want || !strings.Contains(f.Why, tt.why) {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.file, f.Status, f.Why, tt.want, tt.why)
		}
	}
	if _, err := RFC3161(testToken(t, "refused.tsr"), mine, Options{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a refusal: %v, want %v", err, ErrInvalid)
	}
	der, err := tokenIn(testToken(t, "ecdsa.tsr"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := RFC3161(response(t, 2, der), mine, Options{Now: later, Roots: roots}); err == nil {
		t.Error("a token in a refusal is taken")
	}
	if got, want := Request(mine.ID), testToken(t, "request.tsq"); !bytes.Equal(got, want) {
		t.Errorf("the request is\n%x, want\n%x", got, want)
	}
}

func TestMakeReadsTheTokensFile(t *testing.T) {
	ca := newAuthority(t)
	of := refOf("a memory")
	o := Options{Now: atNoon, Roots: ca.pool}
	name := filepath.Join(t.TempDir(), "answer.tsr")
	if err := os.WriteFile(name, response(t, 0, ca.token(stamping{id: of.ID})), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Make(t.Context(), typeTime, name, of, o)
	if err != nil || a.Type != typeTime {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, bad := range []string{filepath.Dir(name), "/dev/zero", name + "x"} {
		if _, err := Make(t.Context(), typeTime, bad, of, o); err == nil {
			t.Errorf("%s is taken for a token", bad)
		}
	}
	if err := os.WriteFile(name, make([]byte, maxTokenFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), typeTime, name, of, o); !errors.Is(err, ErrInvalid) {
		t.Errorf("a big file: %v, want %v", err, ErrInvalid)
	}
}

func TestStrong(t *testing.T) {
	for bits, want := range map[uint]error{
		1024: errAlgorithm, 2047: errAlgorithm, 2048: nil, 8192: nil, 8193: errAlgorithm,
	} {
		key := &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), bits-1), E: 65537}
		if got := strong(&x509.Certificate{PublicKey: key}); !errors.Is(got, want) {
			t.Errorf("RSA of %d bits: %v, want %v", bits, got, want)
		}
	}
	if got := strong(&x509.Certificate{PublicKey: "?"}); !errors.Is(got, errAlgorithm) {
		t.Errorf("an unknown key: %v, want %v", got, errAlgorithm)
	}
}

func FuzzToken(f *testing.F) {
	of := refOf("a memory")
	ca := newAuthority(f)
	good := ca.token(stamping{id: of.ID})
	f.Add(good)
	for _, name := range []string{"ecdsa.tsr", "rsa.tsr", "globalsign-cds.tsr", "globalsign-aatl.der", "refused.tsr"} {
		f.Add(testToken(f, name))
	}
	o := Options{Now: atNoon, Roots: ca.pool}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := RFC3161(b, of, o)
		if err != nil {
			return
		}
		fresh := Check(t.Context(), a, o)
		if der, _ := proof(a); fresh.Status == Verified && !bytes.Equal(der, good) {
			t.Errorf("a token that was never given is verified")
		}
		_, _ = Class(a), CanonicalReference(a)
	})
}
