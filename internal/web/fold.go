package web

import (
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine"
)

// A folding draws several records as one node, so that a large tree can be read.
type folding struct {
	in     engine.PictureReply
	open   map[string]int // how often each folded node was opened
	older  [][]int
	newer  [][]int
	reply  engine.PictureReply
	folded map[int]folded // by place in reply
}

// folded is what one node stands for.
type folded struct{ members, behind int }

// What the ref of a folded node begins with; the ref of the node beside it follows.
const (
	foldedOlder     = "folded-older:"
	foldedNewer     = "folded-newer:"
	foldedRevisions = "folded-revisions:"
	foldedKind      = "folded"
)

// opens is how many more nodes are drawn each time a folded node is opened.
const opens = 12

// widths are how many neighbours each node is drawn with, the first that gives few enough nodes.
var widths = []int{8, 6, 4, 3, 2, 1}

// fold returns a picture of about so many nodes, and of more where folded nodes were opened. How
// many neighbours a node has in it does not depend on what was opened: to open one folds no other.
func fold(p engine.PictureReply, most int, open []string) *folding {
	f := &folding{open: make(map[string]int), folded: make(map[int]folded)}
	chains := f.read(p)
	wide := widths[len(widths)-1]
	for _, w := range widths {
		if f.choose(w, chains); len(f.reply.Nodes) <= most {
			wide = w
			break
		}
	}
	if len(open) > 0 {
		for _, ref := range open {
			f.open[ref]++
		}
		f.choose(wide, f.read(p))
	}
	return f
}

// read takes a picture in: its chains of revisions are folded, and neighbours that count come first.
func (f *folding) read(p engine.PictureReply) (chains map[int]folded) {
	f.in, chains = f.revisions(p)
	f.older, f.newer = make([][]int, len(f.in.Nodes)), make([][]int, len(f.in.Nodes))
	for _, a := range f.in.Arrows {
		if descends(a) {
			f.older[a.Newer] = append(f.older[a.Newer], a.Older)
			f.newer[a.Older] = append(f.newer[a.Older], a.Newer)
		}
	}
	for _, list := range [][][]int{f.older, f.newer} {
		for _, l := range list { // what counts comes first
			slices.SortStableFunc(l, func(a, b int) int { return gone(f.in.Nodes[a]) - gone(f.in.Nodes[b]) })
		}
	}
	return chains
}

func descends(a engine.PictureArrow) bool {
	return a.How == "" || a.How == "inferred" || a.How == "revises"
}

func gone(n engine.PictureNode) int {
	if n.Hidden != "" || n.Missing {
		return 1
	}
	return 0
}

// revisions draws two or more earlier revisions of a memory, one after another, as one node. A root
// is drawn by itself, and so is a revision that something else was made of.
func (f *folding) revisions(p engine.PictureReply) (engine.PictureReply, map[int]folded) {
	p.Nodes = slices.Clone(p.Nodes)
	before, after := make(map[int]int), make(map[int]int)
	forks, alone := make(map[int]bool), make(map[int]bool)
	for _, r := range p.Roots {
		alone[r] = true
	}
	revises := make(map[[2]int]bool) // a revision is derived from what it revises, too
	for _, a := range p.Arrows {
		revises[[2]int{a.Newer, a.Older}] = revises[[2]int{a.Newer, a.Older}] || a.How == "revises"
	}
	for _, a := range p.Arrows {
		if a.How != "revises" {
			alone[a.Older] = alone[a.Older] || descends(a) && !revises[[2]int{a.Newer, a.Older}]
			continue
		}
		if _, has := after[a.Older]; has {
			forks[a.Older] = true
		}
		if _, has := before[a.Newer]; has {
			forks[a.Newer] = true
		}
		before[a.Newer], after[a.Older] = a.Older, a.Newer
	}
	into := make(map[int]int) // the node that stands for one
	chains := make(map[int]folded)
	for head := range p.Nodes {
		if _, revised := after[head]; revised || forks[head] {
			continue
		}
		var run []int
		end := func(beside int) {
			if len(run) > 1 && f.open[foldedRevisions+p.Nodes[beside].Ref] == 0 {
				for _, i := range run {
					into[i] = run[0]
				}
				chains[run[0]] = folded{members: len(run)}
				n := &p.Nodes[run[0]]
				n.Words = fmt.Sprintf("%d earlier revisions%s; the last: %s", len(run), doubts(p.Nodes, run), n.Words)
				n.Ref = foldedRevisions + p.Nodes[beside].Ref
			}
			run = nil
		}
		beside := head
		for at, ok := before[head]; ok && !forks[at]; at, ok = before[at] {
			if alone[at] {
				end(beside)
				beside = at
				continue
			}
			run = append(run, at)
		}
		end(beside)
	}
	if len(into) == 0 {
		return p, nil
	}
	kept := make([]int, len(p.Nodes)) // where each stands now
	out := engine.PictureReply{Full: p.Full, Roots: []int{}, Arrows: []engine.PictureArrow{}}
	moved := make(map[int]folded)
	for i, n := range p.Nodes {
		if to, is := into[i]; is && to != i {
			continue
		}
		kept[i] = len(out.Nodes)
		if c, is := chains[i]; is {
			moved[kept[i]], n.Disputed, n.Tainted = c, false, false // its words say how many are
		}
		out.Nodes = append(out.Nodes, n)
	}
	for i, to := range into {
		kept[i] = kept[to]
	}
	for _, r := range p.Roots {
		out.Roots = append(out.Roots, kept[r])
	}
	seen := make(map[engine.PictureArrow]bool)
	for _, a := range p.Arrows {
		a.Newer, a.Older = kept[a.Newer], kept[a.Older]
		if a.Newer != a.Older && !seen[a] {
			seen[a] = true
			out.Arrows = append(out.Arrows, a)
		}
	}
	return out, moved
}

// choose draws the roots, and of each node so many neighbours that are further away.
func (f *folding) choose(wide int, chains map[int]folded) {
	f.reply = engine.PictureReply{Full: f.in.Full, Roots: []int{}, Arrows: []engine.PictureArrow{}}
	clear(f.folded)
	place := make(map[int]int)
	show := func(i int) {
		if _, has := place[i]; has {
			return
		}
		place[i] = len(f.reply.Nodes)
		if c, is := chains[i]; is {
			f.folded[place[i]] = c
		}
		f.reply.Nodes = append(f.reply.Nodes, f.in.Nodes[i])
	}
	for _, r := range f.in.Roots {
		show(r)
		f.reply.Roots = append(f.reply.Roots, place[r])
	}
	type rest struct {
		of    int
		older bool
		list  []int
	}
	var rests []rest
	for _, back := range []bool{true, false} {
		next := f.older
		prefix := foldedOlder
		if !back {
			next, prefix = f.newer, foldedNewer
		}
		walked := make(map[int]bool)
		for queue := slices.Clone(f.in.Roots); len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			if walked[at] {
				continue
			}
			walked[at] = true
			most := wide + opens*f.open[prefix+f.in.Nodes[at].Ref]
			var left []int
			for _, n := range next[at] {
				if _, has := place[n]; !has && most <= 0 {
					left = append(left, n)
					continue
				} else if !has {
					most--
					show(n)
				}
				queue = append(queue, n)
			}
			if len(left) == 1 { // one more takes no more room than what stands for it
				show(left[0])
				queue = append(queue, left[0])
			} else if len(left) > 1 {
				rests = append(rests, rest{at, back, left})
			}
		}
	}
	for _, a := range f.in.Arrows {
		newer, has := place[a.Newer]
		older, too := place[a.Older]
		if has && too {
			a.Newer, a.Older = newer, older
			f.reply.Arrows = append(f.reply.Arrows, a)
		}
	}
	for _, r := range rests {
		r.list = slices.DeleteFunc(r.list, func(i int) bool { _, has := place[i]; return has })
		if len(r.list) == 0 {
			continue
		}
		at, beside := len(f.reply.Nodes), place[r.of]
		n := engine.PictureNode{Kind: foldedKind, Ref: foldedNewer + f.in.Nodes[r.of].Ref}
		a := engine.PictureArrow{Newer: at, Older: beside}
		next := f.newer
		if r.older {
			n.Ref, a, next = foldedOlder+f.in.Nodes[r.of].Ref, engine.PictureArrow{Newer: beside, Older: at}, f.older
		}
		n.Words = f.kindsOf(r.list)
		f.folded[at] = folded{len(r.list), f.behind(r.list, next, place)}
		f.reply.Nodes, f.reply.Arrows = append(f.reply.Nodes, n), append(f.reply.Arrows, a)
	}
}

// kindsOf counts records by kind: "12 more: 9 episode, 3 raw".
func (f *folding) kindsOf(list []int) string {
	counts := make(map[string]int)
	var kinds []string
	for _, i := range list {
		k := f.in.Nodes[i].Kind
		if counts[k]++; counts[k] == 1 {
			kinds = append(kinds, k)
		}
	}
	words := fmt.Sprintf("%d more: ", len(list))
	for i, k := range kinds {
		if i > 0 {
			words += ", "
		}
		words += fmt.Sprintf("%d %s", counts[k], k)
	}
	hidden := 0
	for _, i := range list {
		if f.in.Nodes[i].Hidden != "" {
			hidden++
		}
	}
	if hidden > 0 {
		words += fmt.Sprintf(", %d no longer count", hidden)
	}
	return words + doubts(f.in.Nodes, list)
}

// doubts counts what a person should know of before they unfold: ", 1 disputed, 2 tainted".
func doubts(nodes []engine.PictureNode, list []int) (words string) {
	disputed, tainted := 0, 0
	for _, i := range list {
		if nodes[i].Disputed {
			disputed++
		}
		if nodes[i].Tainted {
			tainted++
		}
	}
	if disputed > 0 {
		words += fmt.Sprintf(", %d disputed", disputed)
	}
	if tainted > 0 {
		words += fmt.Sprintf(", %d tainted", tainted)
	}
	return words
}

// behind counts the records that are not drawn and lie beyond a list.
func (f *folding) behind(list []int, next [][]int, place map[int]int) int {
	seen := make(map[int]bool)
	for _, i := range list {
		seen[i] = true
	}
	for queue := slices.Clone(list); len(queue) > 0; queue = queue[1:] {
		for _, n := range next[queue[0]] {
			if _, has := place[n]; !has && !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return len(seen) - len(list)
}
