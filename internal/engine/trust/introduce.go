package trust

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// keyNamed reads a key, or the name it was introduced by.
func (e *Scores) KeyNamed(v *Vouching, s string) (string, error) {
	if did, _, err := keys.PublicOf([]byte(s)); err == nil {
		return did, nil
	} else if strings.HasPrefix(s, "did:") || strings.HasPrefix(s, "ssh-") {
		return "", core.Invalid("key: %s", core.OneLine(err))
	}
	var found []string
	for _, i := range v.Ring.Introductions() {
		if did := v.Ring.Current(i.Whom); i.By == v.Root && i.Name == s && !slices.Contains(found, did) {
			found = append(found, did)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", core.NotFound("no key is introduced as %q: 'stemma key list' shows those that are", memory.Cut(s, 80))
	}
	return "", &core.Failure{Kind: api.ErrAmbiguous, Text: "several keys are introduced as " + s + ": " + strings.Join(found, ", ")}
}
