package cli

import (
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A tree draws what hangs on a memory. A record that hangs on several stands once in
// full; where else it hangs the tree says whether that is above or below.
type tree struct {
	*app
	how   look
	above map[string]bool // drawn in full
	below map[string]bool // to be drawn in full
}

func (a *app) tree(how look) *tree {
	return &tree{app: a, how: how, above: make(map[string]bool), below: make(map[string]bool)}
}

// branches draws nodes and what hangs under them.
func (a *app) branches(nodes []*api.Node, margin string, how look) {
	t := a.tree(how)
	t.expect(nodes)
	t.draw(nodes, margin)
}

// expect notes what is going to be drawn.
func (t *tree) expect(nodes []*api.Node) {
	for _, n := range nodes {
		if !n.Seen {
			t.below[n.ID] = true
		}
		t.expect(n.Sources)
		t.expect(n.Derived)
	}
}

func (t *tree) draw(nodes []*api.Node, margin string) {
	for i, n := range nodes {
		elbow, under := "├─ ", "│   "
		if i == len(nodes)-1 {
			elbow, under = "└─ ", "    "
		}
		said := ""
		if n.Seen {
			said = t.paint(dim, inferredWord(n)+" "+t.elsewhere(n))
		} else {
			t.above[n.ID] = true
			said = t.leaf(n, t.how, len(margin))
		}
		fmt.Fprintf(t.env.Stdout, "%s%s%s\n", t.paint(dim, margin+elbow), t.ref(n.Type, n.ID), said)
		more := append(n.Sources[:len(n.Sources):len(n.Sources)], n.Derived...)
		if len(nodes) == 1 && revised(n, more) {
			under = "" // a chain of revisions is a list: it would leave the screen
		}
		t.draw(more, margin+under)
	}
}

// elsewhere says where a record stands in full.
func (t *tree) elsewhere(n *api.Node) string {
	switch {
	case t.above[n.ID]:
		return "(shown above)"
	case t.below[n.ID]:
		return "(shown below)"
	}
	return "(shown on another page)"
}

// revised reports whether all that hangs under a node is one revision: that which it
// revises, or that by which it was.
func revised(n *api.Node, under []*api.Node) bool {
	if len(under) != 1 || under[0].Type != n.Type {
		return false
	}
	newer := n
	if len(n.Derived) == 1 {
		newer = under[0]
	}
	return newer.SourceType == memory.ViaRevision.SourceType()
}
