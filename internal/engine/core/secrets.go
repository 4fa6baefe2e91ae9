package core

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// What is done with a text that is about to be signed and holds what looks like a
// password, a key or a token. What was signed can no longer be changed.
const (
	SecretsRedact = "redact" // "[REDACTED:rule]" stands in its place
	SecretsBlock  = "block"  // the write is refused
	SecretsAllow  = "allow"  // it is kept as it is
)

func CheckSecrets(policy string) error {
	switch policy {
	case SecretsRedact, SecretsBlock, SecretsAllow:
		return nil
	}
	return Invalid("secrets: must be redact, block or allow, got %q", shorten.To(policy, 40))
}

// SecretsOf returns the policy for secrets in the input of a channel. Nobody can be asked or
// warned at a hook, so its input is always redacted.
func (e *Core) SecretsOf(origin memory.Origin, body memory.Body) string {
	raw, ok := body.(*memory.Raw)
	if origin == memory.OriginTool || ok && raw.Source == "hook" {
		return SecretsRedact
	}
	return e.C.Secrets
}

// Sign makes a record in the engine's own voice, without the secrets in it.
func (e *Core) Sign(h memory.Header, body memory.Body) (*memory.Record, error) {
	r, _, err := e.SignClean(h, body)
	return r, err
}

// SignClean is sign, and also returns which secrets were removed. Every text that is signed
// here passes through it. Spans marked as private are removed whatever the policy is, and only
// the placeholder shows it.
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

// Redacted returns a name as an error may repeat it.
func Redacted(name string) string {
	clean, _ := secrets.Redact(name)
	return clean
}

// SecretsIn returns the rules that find secrets in a record, each with its field, whoever
// signed it.
func SecretsIn(r *memory.Record) []api.Redaction {
	c := Cleaning{Policy: SecretsRedact, reading: true}
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
