package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// secretsKey is the setting that says what to do with secrets.
const secretsKey = "capture.secrets"

// secretsFlag adds the flag of verbs that write words down.
func (a *app) secretsFlag(f *pflag.FlagSet) {
	f.BoolVar(&a.keepSecrets, "allow-secrets", false,
		"keep text that looks like a password, key or token; only for a person at a terminal")
}

// secretsPolicy returns the policy for secrets in new records. Unreadable settings do not
// prevent writing, and allow no secrets.
func (a *app) secretsPolicy() (string, error) {
	if a.keepSecrets {
		if a.origin() != memory.OriginOwner {
			return "", onlyPerson{"--allow-secrets: permission denied; only a person can use it"}
		}
		return engine.SecretsAllow, nil
	}
	set, err := a.settings()
	if err != nil && a.alone {
		a.hint("warning: %v; secrets are redacted", err)
		return engine.SecretsRedact, nil
	}
	if err != nil {
		return "", err
	}
	return set.Get(secretsKey), nil
}

// redacted says in one line what was taken out of words, and how to keep it.
func (a *app) redacted(list []api.Redaction) {
	if len(list) == 0 {
		return
	}
	keep := ""
	if a.origin() == memory.OriginOwner {
		keep = "; to keep them: --allow-secrets"
	}
	a.hint("redacted: %s%s", foundWords(list), keep)
}

// foundWords is "github-pat in text, jwt in body".
func foundWords(list []api.Redaction) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = r.Rule + " in " + r.Field
	}
	return strings.Join(parts, ", ")
}

// countedSecrets is "2 of github-pat, 1 of jwt".
func countedSecrets(by map[string]int) string {
	parts := make([]string, 0, len(by))
	for _, rule := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, fmt.Sprintf("%d of %s", by[rule], rule))
	}
	return strings.Join(parts, ", ")
}

// secretsInside warns of secrets in records that are signed and stay as they are.
func (a *app) secretsInside(what string, by map[string]int) {
	if len(by) > 0 {
		a.hint("warning: %s possible secrets: %s; to list them: stemma doctor", what, countedSecrets(by))
	}
}
