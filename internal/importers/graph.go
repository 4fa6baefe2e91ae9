package importers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// Graph reads the file of the MCP reference memory server: one entity with what was
// observed of it, or one relation of two, a line. Each observation and each relation
// becomes a note about those whom it names; the source tells the names of one graph
// from those of others.
func Graph(ctx context.Context, r io.Reader, source string, held held) (*Found, error) {
	h := newHeap()
	err := eachLine(ctx, r, func(n int, raw []byte) error {
		if len(bytes.TrimSpace(raw)) == 0 {
			return nil
		}
		return graphLine(h, fmt.Sprintf("line %d", n), "mcp-memory:"+source+":", raw)
	})
	if err != nil {
		return nil, err
	}
	return h.found(ctx, held)
}

// graphLine puts what one line says on the heap.
func graphLine(h *heap, row, prefix string, raw []byte) error {
	m, err := parseObject(raw)
	if err != nil {
		return fmt.Errorf("is no JSON object: %w", err)
	}
	what, err := m.text("type")
	if err != nil {
		return err
	}
	switch what {
	case "entity":
		return entity(h, row, prefix, m)
	case "relation":
		return relation(h, row, prefix, m)
	}
	return fmt.Errorf("type: must be entity or relation, got %q", what)
}

func entity(h *heap, row, prefix string, m members) error {
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
		err = h.add(&item{
			row: row, alias: prefix + name + ":" + digestOf(text), body: body, ext: ext,
			meta: api.Meta{About: about(name), Tags: tags(kind)},
		})
		if err != nil {
			return unrowed(row, err)
		}
	}
	return nil
}

func relation(h *heap, row, prefix string, m members) error {
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
	return unrowed(row, h.add(&item{
		row: row, alias: prefix + "relation:" + digestOf(from, how, to), body: body, ext: ext,
		meta: api.Meta{About: about(from, to), Tags: tags("relation", how)},
	}))
}

// unrowed removes the row that an error already names, since the reader of lines adds it.
func unrowed(row string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), row+": "))
}

// need takes a text that must be there.
func (m members) need(names ...string) (string, error) {
	s, err := m.text(names...)
	if err == nil && strings.TrimSpace(s) == "" {
		err = fmt.Errorf("%s: is missing", names[0])
	}
	return strings.TrimSpace(s), err
}

// digestOf returns sixteen digits that distinguish texts.
func digestOf(texts ...string) string {
	raw, _ := json.Marshal(texts) // texts are always encoded
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
