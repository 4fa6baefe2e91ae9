package core

import (
	"encoding/base64"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/memory"
)

func CheckSecrets(policy string) error {
	switch policy {
	case api.SecretsRedact, api.SecretsBlock, api.SecretsAllow:
		return nil
	}
	return Invalid("secrets: must be redact, block or allow, got %q", memory.Cut(policy, 40))
}

// SecretsOf is what is done with secrets in what comes through a channel. No one
// sits at a hook who could be asked, or told: what it hands over is redacted,
// whatever is set.
func (e *Core) SecretsOf(origin memory.Origin, body memory.Body) string {
	raw, ok := body.(*memory.Raw)
	if origin == memory.OriginTool || ok && raw.Source == "hook" {
		return api.SecretsRedact
	}
	return e.C.Secrets
}

// Sign makes a record in the engine's own voice, without the secrets in it.
func (e *Core) Sign(h memory.Header, body memory.Body) (*memory.Record, error) {
	r, _, err := e.SignClean(h, body)
	return r, err
}

// SignClean is sign, and says which secrets were taken out. Every text signed here
// goes through it. What somebody marked as private goes whatever the policy is, and
// nothing tells of it but the mark in its place.
func (e *Core) SignClean(h memory.Header, body memory.Body) (*memory.Record, []api.Redaction, error) {
	origin := h.Origin
	if origin == "" {
		origin = e.C.Origin
	}
	c := Cleaning{Policy: e.SecretsOf(origin, body)}
	h, body = Cleaned(&c, "", h), Cleaned(&c, memory.KindOf(body), body)
	if c.Err != nil {
		return nil, nil, c.Err
	}
	r, err := e.SignAsIs(h, body)
	return r, c.Found, err
}

// CleanDraft takes the secrets out of what an author wrote before it is cut to the
// shape of a record: half a secret would not be known any more.
func (e *Core) CleanDraft(d api.Draft) (api.Draft, []api.Redaction, error) {
	c := Cleaning{Policy: e.C.Secrets}
	d = Cleaned(&c, "", d)
	return d, c.Found, c.Err
}

// Cleaning takes secrets out of texts as a policy says, and keeps the first error.
type Cleaning struct {
	Policy  string
	reading bool            // only look: nothing is to be signed
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
	if c.Policy == api.SecretsAllow {
		return s
	}
	clean, found := secrets.Redact(s)
	for _, f := range found {
		c.add(f.Rule, field)
	}
	return clean
}

// bytes returns what is not UTF-8, in base64, without its private spans, and where it can
// be read as words without the secrets in them.
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
	if c.Policy == api.SecretsBlock && c.Err == nil {
		c.Err = Invalid("%s: holds what looks like a secret (%s); nothing was stored", field, rule)
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
		c.Err = Invalid("%s: something in it is marked as private, and it cannot do without it; nothing was stored", field)
	}
	if c.Policy == api.SecretsAllow || c.Err != nil {
		return
	}
	if found := secrets.Find(s); len(found) > 0 {
		c.Err = Invalid(
			"%s: holds what looks like a secret (%s), and cannot do without it; nothing was stored", field,
			found[0].Rule,
		)
	}
}

// Told returns a name as an error may repeat it.
func Told(name string) string {
	clean, _ := secrets.Redact(name)
	return clean
}

// SecretsIn returns the rules by which secrets stand in a record, each with its
// field, whoever signed it.
func SecretsIn(r *memory.Record) []api.Redaction {
	c := Cleaning{Policy: api.SecretsRedact, reading: true}
	if _, opaque := r.Body.(*memory.Opaque); opaque {
		c.text("record", string(r.Bytes))
		return c.Found
	}
	Cleaned(&c, "", r.Header)
	Cleaned(&c, r.Header.Kind, r.Body)
	return c.Found
}

// CountSecrets adds a record to the counts by rule.
func CountSecrets(by map[string]int, found []api.Redaction) map[string]int {
	for _, rule := range rulesOf(found) {
		if by == nil {
			by = make(map[string]int)
		}
		by[rule]++
	}
	return by
}

// rulesOf returns the rules of some findings, each once.
func rulesOf(found []api.Redaction) []string {
	var rules []string
	for _, f := range found {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}
