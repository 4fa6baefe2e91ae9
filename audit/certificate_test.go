package audit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
)

// certified signs a certificate.
func certified(t *testing.T, by *keys.Key, c report.Certificate) []byte {
	t.Helper()
	payload, err := canon.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return sealedAs(t, by, keys.PayloadType(audit.CertificateKind, 1), payload)
}

func sealedAs(t *testing.T, by *keys.Key, kind string, payload []byte) []byte {
	t.Helper()
	sig, err := by.Sign(kind, payload)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(envelope.Envelope{
		Payload: payload, PayloadType: kind, Signatures: []envelope.Signature{{KeyID: by.DID(), Sig: sig}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A certificate checks as it was signed, and in no other form: each that does not says why in one line.
func TestACertificateChecksOnlyAsItWasSigned(t *testing.T) {
	t.Parallel()
	owner, err := keys.FromSeed(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	thief, err := keys.FromSeed(bytes.Repeat([]byte{2}, 32))
	if err != nil {
		t.Fatal(err)
	}
	made := func(change ...func(*report.Certificate)) report.Certificate {
		c := report.Certificate{
			V: 1, ID: "an id", At: "2026-01-02T03:04:05.000Z", By: owner.DID(), Store: "0123", List: "abcd",
			Logs: []report.CertificateLog{{Size: 4, Root: "root"}}, Act: []string{"mark:" + strings.Repeat("a", 64)},
			Erased: map[string]int{"raw": 2, "note": 1}, Probes: report.CertificateProbes{Spans: 10, Words: 2, Before: 12},
			Kept: map[string]int{}, Remotes: []report.CertificateRemote{}, Unreached: []report.CertificatePlace{},
		}
		for _, f := range change {
			f(&c)
		}
		return c
	}
	good := certified(t, owner, made())
	for what, o := range map[string]audit.CertificateOptions{
		"nothing": {}, "its key": {Trusted: []string{thief.DID(), owner.DID()}}, "its store": {Store: "0123"},
		"its list": {List: "abcd", ID: "an id"},
	} {
		if c, err := audit.Certificate(good, o); err != nil || c.Erased["raw"] != 2 {
			t.Errorf("asked for %s: %+v, %v", what, c, err)
		}
	}
	if !audit.IsCertificate(good) || audit.IsCertificate([]byte(`{"payloadType":"x"}`)) || audit.IsCertificate(nil) {
		t.Error("a certificate is not known as one")
	}
	changed := func(change func(*report.Certificate)) []byte { return certified(t, owner, made(change)) }
	thiefs := certified(t, thief, made(func(c *report.Certificate) { c.By = thief.DID() }))
	none := audit.CertificateOptions{}
	payload, err := canon.Marshal(made())
	if err != nil {
		t.Fatal(err)
	}
	kind, mark := keys.PayloadType(audit.CertificateKind, 1), keys.PayloadType("mark", 1)
	for what, bad := range map[string]struct {
		raw  []byte
		o    audit.CertificateOptions
		want string
	}{
		"another store":  {good, audit.CertificateOptions{Store: "4567"}, "of another store"},
		"another act":    {good, audit.CertificateOptions{List: "ffff"}, "of another act"},
		"an older one":   {good, audit.CertificateOptions{ID: "another"}, "another certificate of that list"},
		"a stranger":     {good, audit.CertificateOptions{Trusted: []string{thief.DID()}}, "not among those to trust"},
		"a thief's":      {certified(t, thief, made()), none, "not signed by the owner"},
		"a thief's own":  {thiefs, audit.CertificateOptions{Trusted: []string{owner.DID()}}, "not among those"},
		"another kind":   {sealedAs(t, owner, mark, payload), none, "no certificate of this version"},
		"loose JSON":     {sealedAs(t, owner, kind, append([]byte(" "), payload...)), none, "not written in the one way"},
		"more members":   {sealedAs(t, owner, kind, append([]byte(`{"a":1,`), payload[1:]...)), none, "does not know"},
		"nothing erased": {changed(func(c *report.Certificate) { c.Erased = map[string]int{} }), none, "names no act"},
		"negative":       {changed(func(c *report.Certificate) { c.Erased["raw"] = -2 }), none, "cannot be true"},
		"more found":     {changed(func(c *report.Certificate) { c.Probes.Before = 99 }), none, "cannot be true"},
		"still found":    {changed(func(c *report.Certificate) { c.Probes.Found = 1 }), none, "still found"},
		"nothing":        {nil, none, "no certificate"},
		"a bundle":       {[]byte(`{"purged":{"ref":"raw:aa"}}`), none, "no certificate"},
	} {
		_, err := audit.Certificate(bad.raw, bad.o)
		if !errors.Is(err, audit.ErrCertificate) || !strings.Contains(err.Error(), bad.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range good { // each byte of it
		for _, flip := range []byte{1, 0x20} {
			raw := bytes.Clone(good)
			raw[i] ^= flip
			if c, err := audit.Certificate(raw, audit.CertificateOptions{}); err == nil {
				again, _ := json.Marshal(c)
				was, _ := json.Marshal(made())
				if !bytes.Equal(again, was) {
					t.Fatalf("byte %d changed: %s", i, again)
				}
			}
		}
	}
}
