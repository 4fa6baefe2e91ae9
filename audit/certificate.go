package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
)

// CertificateKind is the kind in the payload type of a certificate.
const CertificateKind = "purge-certificate"

const certificateVersion = 1

// maxCertificate bounds a certificate, in bytes.
const maxCertificate = 4 << 20

// CertificateOptions are what an auditor expects of a certificate. What is empty is not asked.
type CertificateOptions struct {
	Trusted []string // did:keys of owners that are known from elsewhere: one of them must have signed
	Store   string   // the name of the store
	List    string   // the digest of the list that was to be erased
	ID      string   // of the certificate, so that an older one of the same list does not do
}

// ErrCertificate says why a certificate does not check.
var ErrCertificate = errors.New("the certificate does not check")

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCertificate, fmt.Sprintf(format, args...))
}

// IsCertificate reports whether a file says that it is a certificate.
func IsCertificate(raw []byte) bool {
	var e struct {
		PayloadType string `json:"payloadType"`
	}
	return len(raw) <= maxCertificate && json.Unmarshal(raw, &e) == nil &&
		e.PayloadType == keys.PayloadType(CertificateKind, certificateVersion)
}

// Certificate checks a certificate by itself: no store is read and no network is used. It tells of whom it is only by
// their key, which a person compares with a key that they know; and it can tell an older certificate from the one that
// was asked for only where the options say which that was.
func Certificate(raw []byte, o CertificateOptions) (report.Certificate, error) {
	var c report.Certificate
	if len(raw) > maxCertificate {
		return c, refused("it is larger than %d bytes", maxCertificate)
	}
	text, err := canon.Transform(raw)
	if err != nil {
		return c, refused("it is no certificate: %v", err)
	}
	e, err := cutEnvelope(text)
	if err != nil || e.payloadType != keys.PayloadType(CertificateKind, certificateVersion) {
		return c, refused("it is no certificate of this version")
	}
	if canon.Check(e.payload) != nil || json.Unmarshal(e.payload, &c) != nil {
		return c, refused("what was signed is not written in the one way")
	}
	if again, err := canon.Marshal(c); err != nil || string(again) != string(e.payload) || c.V != certificateVersion {
		return c, refused("it has members that this version does not know")
	}
	if len(e.sigs) != 1 || e.sigs[0].Key != c.By {
		return c, refused("it is not signed by the owner whom it names")
	}
	if err := keys.Verify(c.By, e.payloadType, e.payload, e.sigs[0].Sig); err != nil {
		return c, refused("it was altered, or forged: the signature does not hold")
	}
	switch {
	case len(o.Trusted) > 0 && !slices.Contains(o.Trusted, c.By):
		return c, refused("it is signed by a key that is not among those to trust")
	case o.Store != "" && o.Store != c.Store:
		return c, refused("it is of another store")
	case o.List != "" && o.List != c.List:
		return c, refused("it is of another act: its list is %s", c.List)
	case o.ID != "" && o.ID != c.ID:
		return c, refused("it is another certificate of that list")
	}
	return c, sound(&c)
}

// sound asks whether a certificate can be true.
func sound(c *report.Certificate) error {
	total := 0
	for _, n := range c.Erased {
		if n < 1 {
			return refused("its counts cannot be true")
		}
		total += n
	}
	p := c.Probes
	switch {
	case total == 0 || len(c.Act) == 0 || len(c.Logs) == 0 || c.List == "" || c.Store == "" || c.ID == "":
		return refused("it names no act")
	case p.Spans < 0 || p.Words < 0 || p.Found < 0 || p.Before < 0 || p.Found > p.Spans+p.Words ||
		p.Before > p.Spans+p.Words:
		return refused("its counts cannot be true")
	case p.Found > 0:
		return refused("%d of %d probes were still found", p.Found, p.Spans+p.Words)
	}
	return nil
}
