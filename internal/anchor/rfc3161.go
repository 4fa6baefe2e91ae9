package anchor

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

const (
	maxTokenFile = 128 << 10
	skew         = 5 * time.Minute
)

var (
	oidExtKeyUsage = asn1.ObjectIdentifier{2, 5, 29, 37}
	// firstTSA is before any authority: RFC 3161 is of 2001.
	firstTSA = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Request returns the request (a DER TimeStampReq) that a person sends to an
// authority to have a record stamped: over the record's id, asking for the
// certificates that a later check needs.
func Request(id memory.ID) []byte {
	der, err := asn1.Marshal(struct {
		Version int
		Imprint imprint
		Certs   bool
	}{1, imprint{pkix.AlgorithmIdentifier{Algorithm: oidSHA256, Parameters: asn1.NullRawValue}, id[:]}, true})
	if err != nil { // nothing in it varies but the bytes of the id
		return nil
	}
	return der
}

// RFC3161 anchors by an authority's answer to Request: a TimeStampResp or the token
// in it, in DER, PEM or base64. A token that is damaged, over something else or of
// a certificate not fit for it is refused; one of an authority that is not trusted
// here is taken, for it may be where it is read.
func RFC3161(answer []byte, of memory.Ref, o Options) (*memory.Anchor, error) {
	der, err := tokenIn(answer)
	if err != nil {
		return nil, err
	}
	s := judge(der, of.ID, o)
	if s.status != Verified && !s.untrusted {
		return nil, invalid("%s", s.why)
	}
	return sound(&memory.Anchor{Of: of, Type: typeTime,
		Reference: fmt.Sprintf(
			"%s, serial %x, %s", s.token.name(), s.token.info.Serial,
			s.token.info.Time.UTC().Format(time.RFC3339),
		),
		SHA256: digest(der), Size: int64(len(der)), Proof: base64.StdEncoding.EncodeToString(der)})
}

func checkToken(a *memory.Anchor, o Options, f *Finding) {
	der, ok := proof(a)
	switch {
	case !ok:
		f.say(Changed, "the token is damaged: it is not the one the anchor was made of")
		return
	case len(der) == 0:
		f.say(Unverifiable, "the anchor holds no token")
		return
	}
	s := judge(der, a.Of.ID, o)
	f.say(s.status, "%s", s.why)
	f.Bound = s.bound
	if s.status == Verified {
		f.Stamped, f.Class = s.token.info.Time.UTC(), s.token.class()
	}
}

// A stamp is what was made of a token.
type stamp struct {
	status    Status
	why       string
	bound     bool // signed, and over this record
	untrusted bool // all that is missing is trust in the authority
	token     *token
}

// judge looks at everything about a token, the worst first.
func judge(der []byte, id memory.ID, o Options) stamp {
	t, err := parseToken(der)
	if err == nil {
		err = t.holds()
	}
	if errors.Is(err, errNoCertificate) || errors.Is(err, errAlgorithm) {
		return stamp{status: Unverifiable, why: err.Error()}
	}
	if err != nil {
		return stamp{status: Changed, why: "the token is damaged: " + err.Error()}
	}
	if by := t.info.Imprint.Algorithm; !by.Algorithm.Equal(oidSHA256) || !bare(by) {
		return stamp{status: Changed, why: "the token is over another digest than SHA-256"}
	}
	if !bytes.Equal(t.info.Imprint.Hash, id[:]) {
		return stamp{status: Changed, why: "the token is over something else"}
	}
	s := stamp{status: Unverifiable, bound: true, token: t}
	if err := t.fit(o.now()); err != nil {
		s.why = err.Error()
		return s
	}
	if err := t.trusted(o.Roots); err != nil {
		s.untrusted, s.why = true, fmt.Sprintf("stamped by %s, which is not trusted here: %v", t.name(), err)
		return s
	}
	s.status, s.why = Verified, fmt.Sprintf("stamped by %s at %s", t.name(), t.info.Time.UTC().Format(time.RFC3339))
	return s
}

// fit says what keeps the signer's certificate from stamping, at the time it did.
func (t *token) fit(now time.Time) error {
	c, at := t.cert, t.info.Time
	critical := false
	for _, e := range c.Extensions {
		critical = critical || e.Id.Equal(oidExtKeyUsage) && e.Critical
	}
	switch {
	case !critical || len(c.ExtKeyUsage) != 1 || c.ExtKeyUsage[0] != x509.ExtKeyUsageTimeStamping ||
		len(c.UnknownExtKeyUsage) > 0:
		return errors.New("the certificate is not for timestamps alone")
	case c.KeyUsage != 0 && c.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0:
		return errors.New("the certificate is not for signatures")
	case at.Before(firstTSA) || at.After(now.Add(skew)):
		return fmt.Errorf("the timestamp says %s", at.UTC().Format(time.RFC3339))
	case at.Before(c.NotBefore) || at.After(c.NotAfter):
		return errors.New("the certificate was not valid at the time of the timestamp")
	}
	return nil
}

// trusted finds a chain to a root, as of the time of the timestamp. Whether a
// certificate was revoked is not asked: that needs the network.
func (t *token) trusted(roots *x509.CertPool) error {
	between := x509.NewCertPool()
	for _, c := range t.certs {
		if strong(c) == nil {
			between.AddCert(c)
		}
	}
	_, err := t.cert.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between,
		CurrentTime: t.info.Time, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	return err
}

// name is what the authority is called.
func (t *token) name() string {
	n := t.cert.Subject
	return plain(cmp.Or(strings.TrimSpace(n.CommonName), t.organisation(), "an authority without a name"))
}

func (t *token) organisation() string {
	for _, o := range t.cert.Subject.Organization {
		if o = strings.Join(strings.Fields(o), " "); o != "" {
			return o
		}
	}
	return ""
}

// class is the organisation, since one changes its certificates and keys often;
// without it the name, and without that the key.
func (t *token) class() string {
	who := cmp.Or(
		t.organisation(), strings.Join(strings.Fields(t.cert.Subject.CommonName), " "),
		digest(t.cert.RawSubjectPublicKeyInfo),
	)
	return "tsa:" + strings.ToLower(plain(who))
}

// readToken reads the file that an authority's answer was put in.
func readToken(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("anchor: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, invalid("%q is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("anchor: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return nil, fmt.Errorf("anchor: %w", err)
	}
	return b, nil
}

// tokenIn finds the DER of the token in an answer.
func tokenIn(answer []byte) ([]byte, error) {
	if len(answer) > maxTokenFile {
		return nil, invalid("an answer over %d KiB is refused", maxTokenFile>>10)
	}
	der := answer
	if block, _ := pem.Decode(answer); block != nil {
		der = block.Bytes
	} else if b, err := base64.StdEncoding.DecodeString(string(bytes.Join(bytes.Fields(answer), nil))); err == nil {
		der = b
	}
	var response struct {
		Status struct{ Status int }
		Token  asn1.RawValue `asn1:"optional"`
	}
	if err := whole(der, &response, ""); err == nil {
		// 0 is granted, 1 granted with modifications.
		if response.Status.Status != 0 && response.Status.Status != 1 {
			return nil, invalid("the authority refused: status %d", response.Status.Status)
		}
		der = response.Token.FullBytes
	}
	if len(der) == 0 || len(der) > maxProof {
		return nil, invalid("a token has 1 to %d bytes", maxProof)
	}
	return der, nil
}
