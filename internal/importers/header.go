package importers

import (
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Who the records of a rehearsal are said to be by. The key is the example of
// the did:key specification.
const (
	placeholderDID   = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
	placeholderSpace = placeholderDID + "/main"
)

var (
	rehearsalTime  = memory.At(time.Unix(0, 0))
	rehearsalNonce = base64.RawURLEncoding.EncodeToString(make([]byte, 16))
)

// header returns the header that a record would have, but for whose it is.
func header(f api.Foreign) (memory.Header, error) {
	h := memory.Header{
		Space: placeholderSpace, Author: placeholderDID, Origin: memory.OriginImport,
		At: rehearsalTime, Nonce: rehearsalNonce,
		About: f.Meta.About, Tags: f.Meta.Tags, Alias: f.Alias, Session: f.Meta.Session, Trigger: f.Meta.Trigger,
		Ext: f.Ext, Provenance: memory.Provenance{Via: f.Via},
	}
	if f.Via == "" {
		h.Provenance.Via = memory.ViaImport
	}
	var err, fromErr, untilErr error
	if f.Meta.Confidence != nil {
		h.Confidence, err = memory.ParseConfidence(*f.Meta.Confidence)
	}
	h.ValidFrom, fromErr = parseTime("valid_from", f.Meta.ValidFrom)
	h.ValidUntil, untilErr = parseTime("valid_until", f.Meta.ValidUntil)
	return h, errors.Join(err, fromErr, untilErr)
}

// parseTime reads RFC 3339 or a date; "" is none. Other spellings, which a
// person may type, a program must not write: they name no zone.
func parseTime(field, s string) (memory.Time, error) {
	if s == "" {
		return memory.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return memory.At(t), nil
		}
	}
	return memory.Time{}, fmt.Errorf(
		"%s: a time is written 2006-01-02T15:04:05Z or 2006-01-02, got %q", field, shorten.To(s, 40),
	)
}
