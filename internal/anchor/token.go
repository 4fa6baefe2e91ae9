package anchor

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha1" // names a certificate in older tokens; nothing is proved by it
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"slices"
	"time"
)

// A timestamp token (RFC 3161) is a CMS SignedData (RFC 5652) around a TSTInfo.
// This reads the DER of exactly that: one signer, signed attributes, certificates
// inside. Everything else that CMS can be is refused.

// maxCertificates bounds those in a token. Real ones hold up to four.
const maxCertificates = 16

var (
	oidSignedData   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidDigest       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCert  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12}
	oidSigningCert2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidSHA256       = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidSHA384       = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}
	oidSHA512       = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}
	oidRSA          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
)

const (
	minRSA = 2048 // bits
	maxRSA = 8192 // more only costs time
)

// A suite is a digest and the signatures that may stand over it. What is not in
// the table, SHA-1 and MD5 among it, is refused.
type suite struct {
	digest asn1.ObjectIdentifier
	hash   func() hash.Hash
	rsa    asn1.ObjectIdentifier
	byRSA  x509.SignatureAlgorithm
	ecdsa  asn1.ObjectIdentifier
	byEC   x509.SignatureAlgorithm
}

var suites = []suite{
	{oidSHA256, sha256.New, asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 11}, x509.SHA256WithRSA,
		asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}, x509.ECDSAWithSHA256},
	{oidSHA384, sha512.New384, asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 12}, x509.SHA384WithRSA,
		asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 3}, x509.ECDSAWithSHA384},
	{oidSHA512, sha512.New, asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 13}, x509.SHA512WithRSA,
		asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 4}, x509.ECDSAWithSHA512},
}

func suiteOf(a pkix.AlgorithmIdentifier) (suite, error) {
	for _, s := range suites {
		if a.Algorithm.Equal(s.digest) && bare(a) {
			return s, nil
		}
	}
	return suite{}, fmt.Errorf("%w: the digest %v is not SHA-256, -384 or -512", errAlgorithm, a.Algorithm)
}

// signed returns the algorithm of a signature over this suite's digest.
func (s suite) signed(a pkix.AlgorithmIdentifier) (x509.SignatureAlgorithm, error) {
	switch {
	case bare(a) && (a.Algorithm.Equal(oidRSA) || a.Algorithm.Equal(s.rsa)):
		return s.byRSA, nil
	case bare(a) && a.Algorithm.Equal(s.ecdsa):
		return s.byEC, nil
	}
	return 0, fmt.Errorf("%w: the signature %v is not RSA or ECDSA over its digest", errAlgorithm, a.Algorithm)
}

// bare reports whether an algorithm has no parameters, in either spelling.
func bare(a pkix.AlgorithmIdentifier) bool {
	p := a.Parameters.FullBytes
	return len(p) == 0 || bytes.Equal(p, asn1.NullBytes)
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version int
	Digests []pkix.AlgorithmIdentifier `asn1:"set"`
	Inside  contentInfo
	Certs   asn1.RawValue `asn1:"optional,tag:0"`
	Revoked asn1.RawValue `asn1:"optional,tag:1"`
	Signers []signerInfo  `asn1:"set"`
}

type signerInfo struct {
	Version   int
	Who       asn1.RawValue
	Digest    pkix.AlgorithmIdentifier
	Signed    asn1.RawValue `asn1:"optional,tag:0"`
	Algorithm pkix.AlgorithmIdentifier
	Signature []byte
	Unsigned  asn1.RawValue `asn1:"optional,tag:1"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type imprint struct {
	Algorithm pkix.AlgorithmIdentifier
	Hash      []byte
}

type tstInfo struct {
	Version  int
	Policy   asn1.ObjectIdentifier
	Imprint  imprint
	Serial   *big.Int
	Time     time.Time `asn1:"generalized"`
	Accuracy struct {
		Seconds int `asn1:"optional"`
		Millis  int `asn1:"optional,tag:0"`
		Micros  int `asn1:"optional,tag:1"`
	} `asn1:"optional"`
	Ordering   bool             `asn1:"optional"`
	Nonce      *big.Int         `asn1:"optional"`
	TSA        asn1.RawValue    `asn1:"optional,tag:0"`
	Extensions []pkix.Extension `asn1:"optional,tag:1"`
}

// A token is one that was read. That its signature holds is another question.
type token struct {
	info   tstInfo
	signer signerInfo
	suite  suite
	inside []byte              // the DER of info
	certs  []*x509.Certificate // all of the token
	cert   *x509.Certificate   // the signer's
}

// What keeps a token that may be sound from being judged.
var (
	errNoCertificate = errors.New("the token does not hold its signer's certificate: ask for a token with certificates")
	errAlgorithm     = errors.New("the token uses an algorithm that is not accepted")
)

// parseToken reads the DER of a TimeStampToken.
func parseToken(der []byte) (*token, error) {
	var (
		outer contentInfo
		data  signedData
		t     token
	)
	if err := whole(der, &outer, ""); err != nil || !outer.Type.Equal(oidSignedData) {
		return nil, errors.New("this is no timestamp token")
	}
	if err := whole(outer.Content.Bytes, &data, ""); err != nil {
		return nil, fmt.Errorf("the token cannot be read: %w", err)
	}
	if data.Version != 3 || !data.Inside.Type.Equal(oidTSTInfo) || len(data.Signers) != 1 ||
		len(data.Digests) > maxCertificates {
		return nil, errors.New("the token is not of one signer over a timestamp")
	}
	if err := whole(data.Inside.Content.Bytes, &t.inside, ""); err != nil {
		return nil, fmt.Errorf("the token cannot be read: %w", err)
	}
	if err := whole(t.inside, &t.info, ""); err != nil {
		return nil, fmt.Errorf("the timestamp cannot be read: %w", err)
	}
	for _, e := range t.info.Extensions {
		if e.Critical {
			return nil, fmt.Errorf("the timestamp has an unknown critical extension: %v", e.Id)
		}
	}
	if t.info.Version != 1 {
		return nil, fmt.Errorf("the timestamp is of version %d", t.info.Version)
	}
	var err error
	t.signer = data.Signers[0]
	if !data.Certs.IsCompound && len(data.Certs.FullBytes) > 0 || !t.signer.Signed.IsCompound {
		return nil, errors.New("the token has no signed attributes, or not as a set")
	}
	if t.suite, err = suiteOf(t.signer.Digest); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(data.Digests, func(a pkix.AlgorithmIdentifier) bool {
		return bare(a) &&
			a.Algorithm.Equal(t.suite.digest)
	}) {
		return nil, errors.New("the token does not list its digest")
	}
	if t.certs, err = x509.ParseCertificates(data.Certs.Bytes); err != nil {
		return nil, fmt.Errorf("a certificate of the token cannot be read: %w", err)
	}
	if len(t.certs) > maxCertificates {
		return nil, fmt.Errorf("the token has more than %d certificates", maxCertificates)
	}
	for _, c := range t.certs {
		if t.signer.isOf(c) {
			t.cert = c
			return &t, nil
		}
	}
	return nil, errNoCertificate
}

// whole reads DER that ends where the value does.
func whole(der []byte, into any, params string) error {
	rest, err := asn1.UnmarshalWithParams(der, into, params)
	if err == nil && len(rest) > 0 {
		err = errors.New("bytes follow where none should")
	}
	return err
}

// isOf reports whether a signer says that this is its certificate.
func (s signerInfo) isOf(c *x509.Certificate) bool {
	if s.Version == 3 && s.Who.Class == asn1.ClassContextSpecific && s.Who.Tag == 0 {
		return len(c.SubjectKeyId) > 0 && bytes.Equal(s.Who.Bytes, c.SubjectKeyId)
	}
	var who issuerAndSerial
	return s.Version == 1 && whole(s.Who.FullBytes, &who, "") == nil &&
		bytes.Equal(who.Issuer.FullBytes, c.RawIssuer) && who.Serial.Cmp(c.SerialNumber) == 0
}

// holds checks the signature: that the signed attributes are over this timestamp
// and name this certificate, and that its key signed them.
func (t *token) holds() error {
	algorithm, err := t.suite.signed(t.signer.Algorithm)
	if err != nil {
		return err
	}
	// What is signed is the attributes as a SET, not under the tag they travel with.
	set := bytes.Clone(t.signer.Signed.FullBytes)
	set[0] = asn1.TagSet | 0x20
	var attributes []attribute
	if err := whole(set, &attributes, "set"); err != nil {
		return fmt.Errorf("the signed attributes cannot be read: %w", err)
	}
	values := map[string][]byte{}
	for _, a := range attributes {
		name := a.Type.String()
		if _, twice := values[name]; twice || len(a.Values) != 1 {
			return fmt.Errorf("the signed attribute %s is not there once", name)
		}
		values[name] = a.Values[0].FullBytes
	}
	var (
		kind asn1.ObjectIdentifier
		sum  []byte
		h    = t.suite.hash()
	)
	h.Write(t.inside)
	if err := whole(values[oidContentType.String()], &kind, ""); err != nil || !kind.Equal(oidTSTInfo) {
		return errors.New("the signed content is not a timestamp")
	}
	if err := whole(values[oidDigest.String()], &sum, ""); err != nil || !bytes.Equal(sum, h.Sum(nil)) {
		return errors.New("the signed attribute names another timestamp")
	}
	if !t.names(values[oidSigningCert2.String()], values[oidSigningCert.String()]) {
		return errors.New("the signed attributes name another certificate, or none")
	}
	if err := strong(t.cert); err != nil {
		return err
	}
	return t.cert.CheckSignature(algorithm, set, t.signer.Signature)
}

// names reports whether the signed attributes name the signer's certificate (RFC
// 5816, or as RFC 3161 has it, by SHA-1). Without that another certificate for
// the same key could be put in its place.
func (t *token) names(second, first []byte) bool {
	if second != nil {
		var v struct {
			Certs []struct {
				Hash pkix.AlgorithmIdentifier `asn1:"optional"`
				Sum  []byte
			}
		}
		if err := whole(second, &v, ""); err != nil || len(v.Certs) == 0 {
			return false
		}
		by := v.Certs[0].Hash
		if by.Algorithm == nil {
			by.Algorithm = oidSHA256
		}
		s, err := suiteOf(by)
		if err != nil {
			return false
		}
		h := s.hash()
		h.Write(t.cert.Raw)
		return bytes.Equal(v.Certs[0].Sum, h.Sum(nil))
	}
	var v struct {
		Certs []struct{ Sum []byte }
	}
	if err := whole(first, &v, ""); err != nil || len(v.Certs) == 0 {
		return false
	}
	sum := sha1.Sum(t.cert.Raw)
	return bytes.Equal(v.Certs[0].Sum, sum[:])
}

// strong refuses keys that prove nothing and keys that only cost time.
func strong(c *x509.Certificate) error {
	switch key := c.PublicKey.(type) {
	case *rsa.PublicKey:
		if bits := key.N.BitLen(); bits < minRSA || bits > maxRSA {
			return fmt.Errorf("%w: an RSA key of %d bits", errAlgorithm, bits)
		}
	case *ecdsa.PublicKey:
	default:
		return fmt.Errorf("%w: a key that is neither RSA nor ECDSA", errAlgorithm)
	}
	return nil
}
