package cli

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/plain"
)

// graph returns the nodes and arrows of a trace for drawing.
func graph(t api.TraceReply) (nodes []*api.Node, arrows []arrow) {
	seen := make(map[string]bool)
	var walk func(n *api.Node)
	add := func(n *api.Node) {
		if !seen[n.ID] && !n.Seen {
			seen[n.ID] = true
			nodes = append(nodes, n)
		}
	}
	walk = func(n *api.Node) {
		add(n)
		for _, s := range n.Sources {
			arrows = append(arrows, arrow{n.ID, s.ID, s.Inferred})
			walk(s)
		}
		for _, d := range n.Derived {
			arrows = append(arrows, arrow{d.ID, n.ID, d.Inferred})
			walk(d)
		}
	}
	top := *t.Memory
	if t.Backward != nil {
		top.Sources = t.Backward.Sources
	}
	if t.Forward != nil {
		top.Derived = t.Forward.Derived
	}
	walk(&top)
	return nodes, arrows
}

// labelLines are the words of a memory as lines of a label in a picture.
func labelLines(words string) []string {
	const columns = 60
	return plain.Wrap(whole(words), columns)
}

// brokenLabel is labelLines for Mermaid.
func brokenLabel(words string) string {
	lines := labelLines(words)
	for i, l := range lines {
		lines[i] = entities.Replace(l)
	}
	return strings.Join(lines, "<br/>")
}

func (a *app) dot(t api.TraceReply) error {
	nodes, arrows := graph(t)
	w := a.bare()
	fmt.Fprint(w, "digraph stemma {\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n")
	for _, n := range nodes {
		label := n.Type + ":" + short(n.ID) + "\n" + strings.Join(labelLines(engine.NodeWords(n)), "\n")
		fmt.Fprintf(w, "  %q [label=%s];\n", short(n.ID), dotString(label))
	}
	for _, e := range arrows {
		look := ""
		if e.inferred {
			look = " [style=dashed]"
		}
		fmt.Fprintf(w, "  %q -> %q%s;\n", short(e.from), short(e.to), look)
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}

// dotString quotes text for Graphviz: only quotes and backslashes are special.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// entities writes what means something to Mermaid.
var entities = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "#", "&num;")

func (a *app) mermaid(t api.TraceReply) error {
	nodes, arrows := graph(t)
	w := a.bare()
	fmt.Fprintln(w, "graph BT")
	for _, n := range nodes {
		fmt.Fprintf(w, "  n%s[\"%s:%s<br/>%s\"]\n", short(n.ID), n.Type, short(n.ID),
			brokenLabel(engine.NodeWords(n)))
	}
	for _, e := range arrows {
		line := "-->"
		if e.inferred {
			line = "-.->"
		}
		fmt.Fprintf(w, "  n%s %s n%s\n", short(e.from), line, short(e.to))
	}
	return nil
}
