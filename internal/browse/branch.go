package browse

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// traced is how many levels are read at once, unfolded how many of them are open at first.
const (
	traced   = 3
	unfolded = 2
)

// A branch is a record in a tree, with what hangs under it.
type branch struct {
	node   *api.Node
	dir    graph.Direction
	parent *branch
	kids   []*branch
	asked  bool // what hangs under it is known
	open   bool
}

// branches hangs nodes under a parent. Of those on the last level that was asked
// for it is known what hangs under them only if nothing goes deeper.
func branches(nodes []*api.Node, parent *branch, dir graph.Direction, deeper bool) []*branch {
	out := make([]*branch, len(nodes))
	for i, n := range nodes {
		b := &branch{node: n, dir: dir, parent: parent}
		kids := n.Sources
		if dir == graph.Forward {
			kids = n.Derived
		}
		b.kids = branches(kids, b, dir, deeper)
		words := n.Type == string(memory.KindRaw) && dir == graph.Back
		b.asked = len(kids) > 0 || !deeper || words || n.Missing || n.Seen || b.level() < traced
		b.open = len(kids) > 0 && b.level() <= unfolded
		out[i] = b
	}
	return out
}

// fresh are branches of which nothing is known yet.
func fresh(nodes []*api.Node, parent *branch) []*branch {
	out := branches(nodes, parent, parent.dir, true)
	for _, b := range out {
		words := b.node.Type == string(memory.KindRaw) && b.dir == graph.Back
		b.asked = words || b.node.Missing || b.node.Seen
	}
	return out
}

// level counts the steps from the record whose tree it is.
func (b *branch) level() int {
	n := 1
	for p := b.parent; p != nil; p = p.parent {
		n++
	}
	return n
}
