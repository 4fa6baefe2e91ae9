package lifecycle

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// namedIn returns the names that memories are about, each once, with what bears it as far as their words tell.
func namedIn(items []*store.Item) []api.Entity {
	var out []api.Entity
	var texts []string
	for _, it := range items {
		texts = append(texts, it.Record.Words())
		at, names, typ := standing.At(it.Record), it.Record.Header.About, ""
		if b, ok := it.Record.Body.(*memory.Relationship); ok {
			names, typ = append(slices.Clone(names), b.Name), b.Type
		}
		for _, name := range names {
			if extract.Nameless(strings.ToLower(name)) {
				continue
			}
			i := slices.IndexFunc(out, func(e api.Entity) bool { return strings.EqualFold(e.Name, name) })
			if i < 0 {
				i = len(out)
				out = append(out, api.Entity{Name: name, Type: typ, Kinds: make(map[string]int), FirstSeen: at})
			}
			out[i].Count, out[i].LastSeen = out[i].Count+1, at
			out[i].Kinds[string(it.Ref.Kind)]++
		}
	}
	for i := range out {
		e := &out[i]
		if e.Kind = e.Type; e.Kind != "person" && e.Kind != "organisation" {
			e.Kind = extract.KindOf(e.Name, texts)
		}
	}
	return out
}
