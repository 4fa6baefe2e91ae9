package importers

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// isGraph reports whether a file is of the MCP reference memory server: one entity with what was observed
// of it, or one relation of two, a line; or both lists, as read_graph returns them.
func isGraph(s *sight) bool {
	return s.is("type", "entity") && s.has("name") || s.is("type", "relation") && s.has("from") ||
		s.list("entities") && s.list("relations") && (s.has("entities[].observations") ||
			s.has("relations[].relationType"))
}

// readGraph makes a note of each observation and of each relation, about those whom it names.
func readGraph(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		s, err := f.look(r.ctx)
		if err != nil {
			return err
		}
		h := newHeap()
		g := graph{heap: h, prefix: "mcp-memory:" + r.name(f) + ":"}
		if was := r.was(); was != "" {
			g.was = "mcp-memory:" + was + ":"
		}
		var under []string
		if s.list("entities") || s.list("relations") {
			under = []string{"entities", "relations"}
		}
		if err := r.each(f, "line", under, func(e element) error {
			what := e.under
			if what == "" {
				if what, err = e.text("type"); err != nil {
					return err
				}
			}
			switch what {
			case "entity", "entities":
				return g.entity(e.row, e.members)
			case "relation", "relations":
				return g.relation(e.row, e.members)
			}
			return fmt.Errorf("type: must be entity or relation, got %q", what)
		}); err != nil {
			return err
		}
		return r.part(h)
	})
}

// A graph is a heap with the names of one graph.
type graph struct {
	*heap
	prefix, was string
}

// ids returns the ids of an observation or relation.
func (g graph) ids(rest string) (alias string, was []string) {
	if g.was != "" {
		was = []string{g.was + rest}
	}
	return g.prefix + rest, was
}

func (g graph) entity(row string, m members) error {
	name, err := m.need("name")
	if err != nil {
		return err
	}
	kind, err := m.text("entityType")
	if err != nil {
		return err
	}
	if _, ok := m["observations"].([]any); !ok {
		return fmt.Errorf("observations: must be a list")
	}
	seen, err := m.texts("observations")
	if err != nil {
		return err
	}
	if len(seen) == 0 { // all that is known is that there is such a one
		text := name
		if kind != "" {
			text += " (" + kind + ")"
		}
		seen = []string{text}
	}
	ext := m.rest()
	ext["entity"] = name
	if kind != "" {
		ext["entityType"] = kind
	}
	for _, text := range seen {
		body, err := noteOf("observation", text)
		if err != nil {
			return fmt.Errorf("observations: %s", flat(err))
		}
		it := &item{row: row, body: body, ext: ext, meta: api.Meta{About: about(name), Tags: tags(kind)}}
		it.alias, it.was = g.ids(name + ":" + digestOf(text))
		if err := g.add(it); err != nil {
			return unrowed(row, err)
		}
	}
	return nil
}

func (g graph) relation(row string, m members) error {
	from, err := m.need("from")
	if err != nil {
		return err
	}
	to, err := m.need("to", "target", "destination")
	if err != nil {
		return err
	}
	how, err := m.need("relationType", "relationship", "relation")
	if err != nil {
		return err
	}
	text := from + " " + strings.ReplaceAll(how, "_", " ") + " " + to
	body, err := noteOf("observation", text)
	if err != nil {
		return err
	}
	ext := m.rest()
	ext["from"], ext["to"], ext["relationType"] = from, to, how
	it := &item{row: row, body: body, ext: ext, meta: api.Meta{About: about(from, to), Tags: tags("relation", how)}}
	it.alias, it.was = g.ids("relation:" + digestOf(from, how, to))
	return unrowed(row, g.add(it))
}
