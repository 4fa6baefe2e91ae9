package audit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// sealed is a statement as it came, of which nothing is believed.
type sealed struct {
	payloadType string
	payload     []byte
	sigs        []memory.Signature
	sent        int    // the number of its first signature, among those that are verified together
	kept        *place // where a store keeps it; nil for a line of a bundle
}

// place says where a store keeps a statement.
type place struct {
	ref     memory.Ref
	space   string
	seq     int64
	arrived time.Time
}

// checked is what a statement's own bytes show.
type checked struct {
	status report.Status // OK, as far as can be said before the others are known
	why    string
	ref    memory.Ref     // of its bytes; the kind may be missing
	author string         // the key that it claims
	record *memory.Record // where its bytes are a record's, even if it is not OK
}

// send has its signatures verified with others', if they can be of a record.
func (s *sealed) send(to *keys.Batch) {
	if _, _, known := splitType(s.payloadType); !known || len(s.sigs) > maxSigs {
		return
	}
	for i, sig := range s.sigs {
		if no := to.Add(sig.Key, s.payloadType, s.payload, sig.Sig); i == 0 {
			s.sent = no
		}
	}
}

// verify checks what can be checked without knowing anything else, after its signatures were
// verified.
func (s *sealed) verify(signatures *keys.Batch) checked {
	c := checked{status: report.OK}
	if len(s.sigs) > 0 {
		c.author = s.sigs[0].Key
	}
	kind, version, known := splitType(s.payloadType)
	c.ref.Kind = memory.Kind(kind)
	if !known {
		c.ref.ID = sha256.Sum256(s.payload)
		return c.is(report.Unsupported, "payload type %q is not of a memory", s.payloadType)
	}
	status, why := s.verifySigs(signatures)
	r, err := memory.Decode(s.payload)
	if err != nil {
		c.ref.ID = sha256.Sum256(s.payload)
	} else {
		r.Sigs, c.record, c.ref = s.sigs, r, r.Ref()
	}
	if status == report.OK {
		status, why = s.verifyKept(c.ref)
	}
	switch {
	case status != report.OK:
		return c.is(status, "%s", why)
	case err != nil:
		return c.is(report.NotCanonical, "%v", err)
	case r.Header.Kind != memory.Kind(kind) || r.Header.V != version:
		return c.is(
			report.NotCanonical, "its payload type says %s of version %d, and it is %s of version %d", kind, version,
			r.Header.Kind, r.Header.V,
		)
	case r.Header.Author != c.author:
		return c.is(report.AuthorMismatch, "signed by %s, not by its author %s", c.author, r.Header.Author)
	}
	if s.kept != nil && s.kept.space != r.Header.Space {
		return c.is(report.DigestMismatch, "kept in the log of %s, and it is of %s", s.kept.space, r.Header.Space)
	}
	if _, opaque := r.Body.(*memory.Opaque); opaque {
		return c.is(report.Unsupported, "%s of version %d is not known here; its signature holds", kind, version)
	}
	return c
}

func (c checked) is(s report.Status, format string, args ...any) checked {
	c.status, c.why = s, fmt.Sprintf(format, args...)
	return c
}

// verifySigs looks at what was verified of every signature, the author's first.
func (s *sealed) verifySigs(verified *keys.Batch) (report.Status, string) {
	if len(s.sigs) == 0 {
		return report.Unsigned, "it bears no signature"
	}
	if len(s.sigs) > maxSigs {
		return report.BadEnvelope, fmt.Sprintf("it has more than %d signatures", maxSigs)
	}
	for i, sig := range s.sigs {
		for _, other := range s.sigs[:i] {
			if other.Key == sig.Key {
				return report.BadEnvelope, "one key signed it twice"
			}
		}
		err := verified.Err(s.sent + i)
		switch {
		case errors.Is(err, keys.ErrBadKey) && i == 0:
			return report.UnknownKey, fmt.Sprintf("not a usable key: %v", err)
		case err != nil:
			return report.BadSignature, err.Error()
		}
	}
	return report.OK, ""
}

// verifyKept compares the bytes with the id under which a store keeps them.
func (s *sealed) verifyKept(ref memory.Ref) (report.Status, string) {
	if s.kept != nil && s.kept.ref.ID != ref.ID {
		return report.DigestMismatch, fmt.Sprintf("stored as %s, but its bytes are %s", s.kept.ref.Short(), ref.Short())
	}
	return report.OK, ""
}

const (
	typePrefix = "application/vnd.stemma."
	typeSuffix = "+json"
)

// splitType takes a payload type apart, if it is of a record.
func splitType(t string) (kind string, version int, ok bool) {
	rest, ours := strings.CutPrefix(t, typePrefix)
	rest, json := strings.CutSuffix(rest, typeSuffix)
	dot := strings.LastIndex(rest, ".v")
	if !ours || !json || dot < 1 {
		return "", 0, false
	}
	version, err := strconv.Atoi(rest[dot+2:])
	kind = rest[:dot]
	return kind, version, err == nil && keys.PayloadType(kind, version) == t
}
