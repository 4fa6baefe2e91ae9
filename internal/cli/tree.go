package cli

import (
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

const (
	bracketed  look = true  // kind:id [how, when] "words"
	plainWords look = false // kind:id "words"
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
			said = t.paint(dim, inferredWord(n)+" "+t.fullAt(n))
		} else {
			t.above[n.ID] = true
			said = t.leaf(n, t.how)
		}
		fmt.Fprintf(t.env.Stdout, "%s%s%s\n", t.paint(dim, margin+elbow), t.ref(n.Type, n.ID), said)
		more := append(n.Sources[:len(n.Sources):len(n.Sources)], n.Derived...)
		if len(nodes) == 1 && revised(n, more) {
			under = "" // a chain of revisions is a list: it would leave the screen
		}
		t.draw(more, margin+under)
	}
}

// fullAt says where the tree shows a record in full.
func (t *tree) fullAt(n *api.Node) string {
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

// A look is how much a tree shows of each record.
type look bool

// leaf is what stands behind a ref in a tree.
func (a *app) leaf(n *api.Node, how look) string {
	s := ""
	if how == bracketed {
		s = a.bracket(n)
	}
	said := a.speaker(n.Speaker)
	if n.Hidden != "" && n.Hidden != "purged" {
		said = "(" + n.Hidden + ") " + said
	}
	s += a.paint(dim, inferredWord(n))
	aside := nodeAside(n)
	words := cited(engine.NodeWords(n))
	if n.Missing || n.Hidden == "purged" {
		words = engine.NodeWords(n)
	}
	if how == plainWords && n.SourceType == memory.ViaConsolidate.SourceType() {
		words += " (via consolidation)"
	}
	return s + " " + said + words + a.paint(yellow, aside)
}

// inferredWord marks a branch that is no lineage.
func inferredWord(n *api.Node) string {
	if n.Inferred {
		return " (inferred)"
	}
	return ""
}

// An arrow points from the newer record to what it came from.
type arrow struct {
	from, to string
	inferred bool // a person said so later
}

// bracket says how and when a record came about.
func (a *app) bracket(n *api.Node) string {
	switch {
	case n.Missing:
		return ""
	case n.Type != string(memory.KindRaw):
		return a.paint(dim, fmt.Sprintf(" [%s, %s%s%s]", n.SourceType, a.on(or(n.At, n.CreatedAt)), writtenBy(n.By),
			comma(now(n.Course))))
	case n.Source == "":
		return a.paint(dim, fmt.Sprintf(" [%s%s]", a.on(saidAt(n)), writtenBy(n.By)))
	}
	return a.paint(dim, fmt.Sprintf(" [%s, %s%s]", n.Source, a.at(saidAt(n)), writtenBy(n.By)))
}

// saidAt is when the words of a capture were said.
func saidAt(n *api.Node) string { return or(n.At, or(n.OccurredAt, n.CapturedAt)) }
