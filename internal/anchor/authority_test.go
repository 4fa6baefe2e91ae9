package anchor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

var (
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	oidSHA1 = asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}
	oidMD5  = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 5}
)

func atNoon() time.Time { return noon }

func refOf(text string) memory.Ref {
	return memory.Ref{Kind: memory.KindBelief, ID: sha256.Sum256([]byte(text))}
}

// An authority stamps what it is told to, well or badly.
type authority struct {
	t    testing.TB
	root *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t), pool: x509.NewCertPool()}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Root"},
		NotBefore: noon.AddDate(-10, 0, 0), NotAfter: noon.AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.root = a.certify(tmpl, tmpl, a.key)
	a.pool.AddCert(a.root)
	return a
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *authority) certify(tmpl, parent *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert
}

// A stamping says how a token is made. The zero value makes a good one, except
// that it is over nothing.
type stamping struct {
	id         memory.ID
	at         time.Time // noon
	usage      []byte    // DER of the extended key usage, timeStamping alone
	lax        bool      // the usage is not critical
	until      time.Time // a year after noon
	digest     asn1.ObjectIdentifier
	imprint    asn1.ObjectIdentifier
	names      *x509.Certificate // the certificate in the attributes
	other      []byte            // signed instead of the timestamp
	kind       asn1.ObjectIdentifier
	twice      bool // an attribute appears twice
	noCert     bool
	extension  bool // a critical one
	versions   [3]int
	signers    int
	stranger   bool // signed by another key
	withoutEss bool
	old        bool // the certificate is named by SHA-1
}

func must(t testing.TB, v any, params string) []byte {
	t.Helper()
	der, err := asn1.MarshalWithParams(v, params)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func tagged(tag int, inside []byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: true, Bytes: inside}
}

func algorithm(oid asn1.ObjectIdentifier) pkix.AlgorithmIdentifier {
	return pkix.AlgorithmIdentifier{Algorithm: oid, Parameters: asn1.NullRawValue}
}

// token returns the DER of a token.
func (a *authority) token(s stamping) []byte {
	a.t.Helper()
	if s.at.IsZero() {
		s.at = noon
	}
	if s.until.IsZero() {
		s.until = noon.AddDate(1, 0, 0)
	}
	if s.digest == nil {
		s.digest = oidSHA256
	}
	if s.imprint == nil {
		s.imprint = oidSHA256
	}
	if s.kind == nil {
		s.kind = oidTSTInfo
	}
	if s.usage == nil {
		s.usage = must(a.t, []asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}, "")
	}
	if s.versions == [3]int{} {
		s.versions = [3]int{3, 1, 1}
	}
	key := newKey(a.t)
	cert := a.certify(&x509.Certificate{SerialNumber: big.NewInt(77), NotBefore: noon.AddDate(-1, 0, 0), NotAfter: s.until,
		Subject:         pkix.Name{CommonName: "Clock 1", Organization: []string{"Example  Time"}},
		KeyUsage:        x509.KeyUsageDigitalSignature,
		ExtraExtensions: []pkix.Extension{{Id: oidExtKeyUsage, Critical: !s.lax, Value: s.usage}}}, a.root, key)
	info := tstInfo{Version: s.versions[2], Policy: asn1.ObjectIdentifier{1, 2, 3}, Serial: big.NewInt(9), Time: s.at,
		Imprint: imprint{algorithm(s.imprint), s.id[:]}}
	if s.extension {
		info.Extensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Critical: true, Value: []byte{5, 0}}}
	}
	inside := marshalInfo(a.t, info)
	over := inside
	if s.other != nil {
		over = s.other
	}
	sum := sha256.Sum256(over)
	named := cert
	if s.names != nil {
		named = s.names
	}
	ess := sha256.Sum256(named.Raw)
	attributes := []attribute{
		{oidContentType, []asn1.RawValue{{FullBytes: must(a.t, s.kind, "")}}},
		{oidDigest, []asn1.RawValue{{FullBytes: must(a.t, sum[:], "")}}},
	}
	if s.old {
		sum := sha1.Sum(named.Raw)
		attributes = append(attributes, attribute{oidSigningCert, []asn1.RawValue{{FullBytes: must(a.t,
			struct{ Certs []struct{ Sum []byte } }{[]struct{ Sum []byte }{{sum[:]}}}, "")}}})
	} else if !s.withoutEss {
		attributes = append(attributes, attribute{oidSigningCert2, []asn1.RawValue{{FullBytes: must(a.t,
			struct{ Certs []struct{ Sum []byte } }{[]struct{ Sum []byte }{{ess[:]}}}, "")}}})
	}
	if s.twice {
		attributes = append(attributes, attributes[1])
	}
	set := must(a.t, attributes, "set")
	by := key
	if s.stranger {
		by = newKey(a.t)
	}
	hash, signed := crypto.SHA256, sha256.Sum256(set)
	digest := signed[:]
	if s.digest.Equal(oidSHA1) {
		sum := sha1.Sum(set)
		hash, digest = crypto.SHA1, sum[:]
	}
	signature, err := by.Sign(rand.Reader, digest, hash)
	if err != nil {
		a.t.Fatal(err)
	}
	attrs := append([]byte{0xa0}, set[1:]...)
	signer := signerInfo{Version: s.versions[1], Digest: algorithm(s.digest), Signed: asn1.RawValue{FullBytes: attrs},
		Who: asn1.RawValue{
			FullBytes: must(a.t, issuerAndSerial{asn1.RawValue{FullBytes: cert.RawIssuer}, cert.SerialNumber}, ""),
		},
		Algorithm: pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}},
		Signature: signature}
	data := signedData{Version: s.versions[0], Digests: []pkix.AlgorithmIdentifier{algorithm(s.digest)},
		Inside:  contentInfo{oidTSTInfo, tagged(0, must(a.t, inside, ""))},
		Signers: []signerInfo{signer}}
	for range s.signers {
		data.Signers = append(data.Signers, signer)
	}
	if !s.noCert {
		data.Certs = tagged(0, cert.Raw)
	}
	return must(a.t, contentInfo{oidSignedData, tagged(0, must(a.t, data, ""))}, "")
}

// marshalInfo leaves out what is not there, which asn1 does not do of itself.
func marshalInfo(t testing.TB, info tstInfo) []byte {
	short := struct {
		Version    int
		Policy     asn1.ObjectIdentifier
		Imprint    imprint
		Serial     *big.Int
		Time       time.Time        `asn1:"generalized"`
		Extensions []pkix.Extension `asn1:"optional,tag:1"`
	}{info.Version, info.Policy, info.Imprint, info.Serial, info.Time, info.Extensions}
	return must(t, short, "")
}

// response wraps a token as an authority answers.
func response(t testing.TB, status int, token []byte) []byte {
	return must(t, struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}{struct{ Status int }{status}, asn1.RawValue{FullBytes: token}}, "")
}
