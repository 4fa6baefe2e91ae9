package cli

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// spaceNames returns a function that calls spaces by the name that their owners gave them.
// Where owners gave the same name, whose it is is said too.
func spaceNames(spaces []string) func(string) string {
	owners := make(map[string]string, len(spaces))
	alike := make(map[string]bool)
	for _, s := range spaces {
		owner, name, _ := strings.Cut(s, "/")
		if other, ok := owners[name]; ok && other != owner {
			alike[name] = true
		}
		owners[name] = owner
	}
	return func(space string) string {
		owner, name, ok := strings.Cut(space, "/")
		if !ok {
			return clean(space)
		}
		if alike[name] {
			const enough = 12 // all keys of a kind begin alike
			name += " of " + shorten.To(strings.TrimPrefix(owner, "did:key:"), enough)
		}
		return clean(name)
	}
}
