package lifecycle

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// namedIn returns the names that memories are about, each once, with what bears it as far as their words tell.
func namedIn(items []*store.Item) []api.Named {
	var out []api.Named
	var texts []string
	types := make(map[string]string)
	for _, it := range items {
		texts = append(texts, it.Record.Words())
		names := it.Record.Header.About
		if b, ok := it.Record.Body.(*memory.Relationship); ok {
			names, types[b.Name] = append(slices.Clone(names), b.Name), b.Type
		}
		for _, name := range names {
			if extract.Nameless(strings.ToLower(name)) || slices.ContainsFunc(out, func(n api.Named) bool {
				return strings.EqualFold(n.Name, name)
			}) {
				continue
			}
			out = append(out, api.Named{Name: name})
		}
	}
	for i := range out {
		n := &out[i]
		if n.Kind = types[n.Name]; n.Kind != "person" && n.Kind != "organisation" {
			n.Kind = extract.KindOf(n.Name, texts)
		}
	}
	return out
}
