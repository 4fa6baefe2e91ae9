package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
)

// picture makes nodes "b:0" to "b:n-1", the first of them the root.
func picture(n int, arrows ...engine.PictureArrow) engine.PictureReply {
	p := engine.PictureReply{Roots: []int{0}, Arrows: arrows}
	for i := range n {
		p.Nodes = append(p.Nodes, engine.PictureNode{
			Ref: fmt.Sprintf("b:%d", i), Kind: "belief", Words: fmt.Sprintf("words %d", i),
		})
	}
	return p
}

func chain(n int, how string) (out []engine.PictureArrow) {
	for i := range n - 1 {
		out = append(out, engine.PictureArrow{Newer: i, Older: i + 1, How: how})
	}
	return out
}

func fan(n int) (out []engine.PictureArrow) {
	for i := range n - 1 {
		out = append(out, engine.PictureArrow{Newer: 0, Older: i + 1})
	}
	return out
}

func refs(f *folding) (out []string) {
	for _, n := range f.reply.Nodes {
		out = append(out, n.Ref)
	}
	return out
}

// at finds a node by its ref.
func (f *folding) at(t *testing.T, ref string) (engine.PictureNode, folded) {
	t.Helper()
	i := slices.Index(refs(f), ref)
	if i < 0 {
		t.Fatalf("%s is not drawn: %q", ref, refs(f))
	}
	return f.reply.Nodes[i], f.folded[i]
}

func TestFoldRevisions(t *testing.T) {
	p := picture(9, append(chain(9, "revises"), chain(9, "")...)...) // a revision cites what it revises
	for i := 1; i < 9; i++ {
		p.Nodes[i].Hidden = "superseded"
	}
	p.Nodes[5].Disputed = true
	f := fold(p, 36, nil)
	n, what := f.at(t, "folded-revisions:b:0")
	if want := "8 earlier revisions, 1 disputed; the last: words 1"; len(f.reply.Nodes) != 2 || what.members != 8 ||
		n.Words != want || n.Hidden != "superseded" || n.Disputed {
		t.Errorf("%q: %+v %+v", refs(f), n, what)
	}
	if p.Nodes[1].Words != "words 1" {
		t.Error("the picture itself was changed")
	}
	if f = fold(p, 36, []string{"folded-revisions:b:0"}); len(f.reply.Nodes) != 9 || len(f.folded) != 0 {
		t.Errorf("unfolded: %q", refs(f))
	}
	// One earlier revision takes no more room than what would stand for it.
	if f = fold(picture(2, chain(2, "revises")...), 36, nil); len(f.folded) != 0 {
		t.Errorf("two revisions: %q", refs(f))
	}
}

// What is looked at, and a revision that something was made of, are drawn by themselves.
func TestFoldRevisionsApart(t *testing.T) {
	p := picture(9, chain(8, "revises")...)
	p.Roots = []int{0, 2}
	p.Arrows = append(p.Arrows, engine.PictureArrow{Newer: 8, Older: 5}, engine.PictureArrow{Newer: 0, Older: 8})
	f := fold(p, 36, nil)
	want := []string{"b:0", "b:1", "b:2", "b:5", "b:8", "folded-revisions:b:2", "folded-revisions:b:5"}
	if got := slices.Sorted(slices.Values(refs(f))); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	forked := picture(4, chain(3, "revises")...) // two revise the same
	forked.Arrows = append(forked.Arrows, engine.PictureArrow{Newer: 3, Older: 1, How: "revises"})
	if f := fold(forked, 36, nil); len(f.folded) != 0 {
		t.Errorf("a fork was folded: %q", refs(f))
	}
}

func TestFoldFan(t *testing.T) {
	p := picture(101, fan(101)...)
	for i := 1; i <= 100; i++ {
		p.Nodes[i].Kind = "raw"
	}
	p.Nodes[1].Hidden, p.Nodes[2].Missing, p.Nodes[2].Kind = "rejected", true, "note"
	p.Nodes[100].Tainted = true
	p.Nodes = append(p.Nodes, engine.PictureNode{Ref: "b:101", Kind: "raw"})
	p.Arrows = append(p.Arrows, engine.PictureArrow{Newer: 100, Older: 101})
	f := fold(p, 36, nil)
	n, what := f.at(t, "folded-older:b:0")
	if want := "92 more: 91 raw, 1 note, 1 no longer count, 1 tainted"; n.Words != want || n.Kind != foldedKind ||
		what != (folded{92, 1}) || len(f.reply.Nodes) != 10 {
		t.Errorf("%q: %+v %+v", refs(f), n, what)
	}
	for _, ref := range []string{"b:1", "b:2"} { // what counts is drawn first
		if slices.Contains(refs(f), ref) {
			t.Errorf("%s is drawn before others that count", ref)
		}
	}
	again := fold(p, 36, []string{"folded-older:b:0"})
	if _, what := again.at(t, "folded-older:b:0"); what.members != 80 {
		t.Errorf("once more: %+v", what)
	}
	for _, ref := range refs(f) {
		if !slices.Contains(refs(again), ref) {
			t.Errorf("%s was folded when another was opened", ref)
		}
	}
}

func TestFoldForward(t *testing.T) {
	p := picture(30, fan(30)...)
	for i := range p.Arrows {
		p.Arrows[i].Newer, p.Arrows[i].Older = p.Arrows[i].Older, p.Arrows[i].Newer
	}
	f := fold(p, 36, nil)
	if _, what := f.at(t, "folded-newer:b:0"); what.members != 21 {
		t.Errorf("%q %+v", refs(f), f.folded)
	}
	if a := f.reply.Arrows[len(f.reply.Arrows)-1]; f.reply.Nodes[a.Older].Ref != "b:0" {
		t.Errorf("the folded nodes stand on the wrong side: %+v", a)
	}
}

// Whatever the tree: arrows name nodes that are drawn, an older node is not drawn above a newer
// one, and by opening what is folded every record is reached, and none twice.
func TestFoldLosesNothing(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 20))
		p := picture(1 + r.IntN(120))
		for newer := range p.Nodes {
			p.Nodes[newer].Missing, p.Nodes[newer].Disputed = r.IntN(9) == 0, r.IntN(9) == 0
			if r.IntN(5) == 0 {
				p.Nodes[newer].Hidden = "superseded"
			}
			for older := newer + 1; older < len(p.Nodes); older++ {
				switch r.IntN(2 + (older-newer)*2) {
				case 0:
					p.Arrows = append(p.Arrows, engine.PictureArrow{Newer: newer, Older: older, How: "revises"})
				case 1:
					p.Arrows = append(p.Arrows, engine.PictureArrow{Newer: newer, Older: older})
				}
			}
		}
		want := reached(p)
		var open []string
		for round := 0; ; round++ {
			f := fold(p, 36, open)
			drawn := make(map[string]bool)
			for _, n := range f.reply.Nodes {
				if drawn[n.Ref] {
					t.Fatalf("seed %d: %s is drawn twice", seed, n.Ref)
				}
				drawn[n.Ref] = true
			}
			for _, a := range f.reply.Arrows {
				if max(a.Newer, a.Older) >= len(f.reply.Nodes) || a.Newer == a.Older {
					t.Fatalf("seed %d: arrow %+v of %d nodes", seed, a, len(f.reply.Nodes))
				}
			}
			d := draw(f.reply)
			for _, a := range d.Arrows {
				if descends(a.PictureArrow) && d.Nodes[a.Newer].Layer <= d.Nodes[a.Older].Layer {
					t.Fatalf("seed %d: %s is not newer than %s", seed, d.Nodes[a.Newer].Ref, d.Nodes[a.Older].Ref)
				}
			}
			if len(f.folded) == 0 {
				if got := slices.Sorted(slices.Values(refs(f))); !slices.Equal(got, want) {
					t.Fatalf("seed %d: unfolded %q, want %q", seed, got, want)
				}
				break
			}
			for i, what := range f.folded {
				if !strings.HasPrefix(f.reply.Nodes[i].Ref, "folded-") || what.members < 1 {
					t.Fatalf("seed %d: %+v stands for %+v", seed, f.reply.Nodes[i], what)
				}
				open = append(open, f.reply.Nodes[i].Ref)
			}
			if round > 100 {
				t.Fatalf("seed %d: it does not unfold", seed)
			}
		}
	}
}

// reached lists what the root comes from.
func reached(p engine.PictureReply) []string {
	seen := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, a := range p.Arrows {
			if a.Newer == queue[0] && !seen[a.Older] {
				seen[a.Older] = true
				queue = append(queue, a.Older)
			}
		}
	}
	var out []string
	for i := range seen {
		out = append(out, p.Nodes[i].Ref)
	}
	slices.Sort(out)
	return out
}

// Records of elsewhere can close a cycle; it ends all the same.
func TestFoldCycle(t *testing.T) {
	for _, how := range []string{"", "revises"} {
		p := picture(5, append(chain(5, how), engine.PictureArrow{Newer: 4, Older: 0, How: how})...)
		if f := fold(p, 2, []string{"folded-revisions:b:0", "nothing"}); !slices.Contains(refs(f), "b:0") {
			t.Errorf("%q: %q", how, refs(f))
		}
	}
}
