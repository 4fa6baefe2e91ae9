package core

import (
	"encoding/base64"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/memory"
)

// Cleaning takes secrets out of texts as a policy says, and keeps the first error.
type Cleaning struct {
	Policy  string
	reading bool            // only report: nothing will be signed
	Found   []api.Redaction // each once
	Err     error
}

// leastSecret is how long a text is that can hold a secret, in bytes.
const leastSecret = 8

// text returns s without its secrets.
func (c *Cleaning) text(field, s string) string {
	if len(s) < leastSecret || c.Err != nil {
		return s
	}
	if c.reading {
		for _, f := range secrets.Find(s) {
			c.add(f.Rule, field)
		}
		return s
	}
	s = secrets.Private(s)
	if c.Policy == SecretsAllow {
		return s
	}
	clean, found := secrets.Redact(s)
	for _, f := range found {
		c.add(f.Rule, field)
	}
	return clean
}

// bytes returns text that is not UTF-8 in base64, without its private spans and, where it can
// be read as words, without its secrets.
func (c *Cleaning) bytes(field, s string) string {
	blob, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return s // and refused by the record
	}
	if (&memory.Raw{Base64: s}).Said() != "" {
		blob = []byte(c.text(field, string(blob)))
	} else if !c.reading {
		blob = []byte(secrets.Private(string(blob)))
	}
	return base64.StdEncoding.EncodeToString(blob)
}

func (c *Cleaning) add(rule, field string) {
	if c.Policy == SecretsBlock && c.Err == nil {
		c.Err = Invalid("%s: contains what looks like a secret (%s); nothing was stored", field, rule)
	}
	if r := (api.Redaction{Rule: rule, Field: field}); !slices.Contains(c.Found, r) {
		c.Found = append(c.Found, r)
	}
}

// refuse is for what machines read: with a piece taken out it would say something
// else.
func (c *Cleaning) refuse(field, s string) {
	if c.reading {
		c.text(field, s)
		return
	}
	if len(s) < leastSecret || c.Err != nil {
		return
	}
	if secrets.Private(s) != s {
		c.Err = Invalid("%s: the part marked as private cannot be left out; nothing was stored", field)
	}
	if c.Policy == SecretsAllow || c.Err != nil {
		return
	}
	if found := secrets.Find(s); len(found) > 0 {
		c.Err = Invalid(
			"%s: holds what looks like a secret (%s), and cannot do without it; nothing was stored", field,
			found[0].Rule,
		)
	}
}
