package lineage_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/memory"
)

// A family is arrows from what was made to what it was made of: "bc" is that b was made of
// c. Other arrows stand behind a minus.
type family string

func id(c byte) memory.ID { return memory.ID{c} }

func ids(s string) (list []memory.ID) {
	for i := range len(s) {
		list = append(list, id(s[i]))
	}
	return list
}

func letters(list []memory.ID) string {
	var b strings.Builder
	for _, id := range list {
		b.WriteByte(id[0])
	}
	return b.String()
}

func (f family) Edges(_ context.Context, dir graph.Direction, of ...memory.ID) (found []graph.Edge, err error) {
	for _, arrow := range strings.Fields(string(f)) {
		e := graph.Edge{Rel: graph.DerivedFrom, From: id(arrow[0]), To: id(arrow[1])}
		if arrow[0] == '-' {
			e = graph.Edge{Rel: graph.Supersedes, From: id(arrow[1]), To: id(arrow[2])}
		}
		if end := map[graph.Direction]memory.ID{graph.Back: e.From, graph.Forward: e.To}[dir]; slices.Contains(of, end) {
			found = append(found, e)
		}
	}
	return found, nil
}

func TestAWalkGoesAsFarAsItIsAsked(t *testing.T) {
	// a was made of b and c, both of d, and d of e; f was made of a; g replaced a
	const f family = "ab ac bd cd de fa -ga -ag"
	for _, tt := range []struct {
		from        byte
		dir         graph.Direction
		depth, most int
		want        string // what is seen, in order, with its depth
		deeper      bool
	}{
		{'a', graph.Back, 0, 0, "a0 b1 c1 d2 e3", false},
		{'a', graph.Back, 3, 5, "a0 b1 c1 d2 e3", false},
		{'a', graph.Back, 3, 4, "a0 b1 c1 d2", true},
		{'a', graph.Back, 2, 0, "a0 b1 c1 d2", true},
		{'a', graph.Back, 1, 0, "a0 b1 c1", true},
		{'a', graph.Back, 0, 2, "a0 b1", true},
		{'a', graph.Back, 0, 1, "a0", true},
		{'e', graph.Forward, 0, 0, "e0 d1 b2 c2 a3 f4", false},
		{'e', graph.Forward, 4, 6, "e0 d1 b2 c2 a3 f4", false},
		{'d', graph.Forward, 1, 0, "d0 b1 c1", true},
		{'e', graph.Back, 0, 0, "e0", false},
		{'x', graph.Forward, 1, 1, "x0", false},
	} {
		tree, err := lineage.Walk(t.Context(), f, id(tt.from), tt.dir, tt.depth, tt.most)
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, id := range tree.Order {
			seen = append(seen, fmt.Sprint(string(id[0]), tree.Depth[id]))
		}
		if got := strings.Join(seen, " "); got != tt.want || tree.Deeper != tt.deeper {
			t.Errorf("from %c %v, %d deep, %d at most: %s, more %v; want %s, %v",
				tt.from, tt.dir, tt.depth, tt.most, got, tree.Deeper, tt.want, tt.deeper)
		}
		if len(tree.Depth) != len(tree.Order) || tree.Root != id(tt.from) || tree.Dir != tt.dir {
			t.Errorf("from %c: %+v", tt.from, tree)
		}
	}
}

// d has two children that lead to it, and each names it: the tree is the whole graph.
func TestAWalkKeepsEachWay(t *testing.T) {
	const f family = "ab ac bd cd de ed"
	tree, err := lineage.Walk(t.Context(), f, id('a'), graph.Back, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[byte]string{'a': "bc", 'b': "d", 'c': "d", 'd': "e", 'e': "d"} {
		if got := letters(tree.Children[id(from)]); got != want {
			t.Errorf("below %c is %s, want %s", from, got, want)
		}
	}
	for to, want := range map[byte]string{'a': "a", 'b': "ab", 'c': "ac", 'd': "abd", 'e': "abde", 'x': ""} {
		if got := letters(tree.Path(id(to))); got != want {
			t.Errorf("the way to %c is %s, want %s", to, got, want)
		}
	}
}

// A way leads through what is one hop nearer, also where something on the same level names the same record first.
func TestAPathIsTheShortest(t *testing.T) {
	const f family = "ab ac bc cd bd ce"
	tree, err := lineage.Walk(t.Context(), f, id('a'), graph.Back, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for to, want := range map[byte]string{'c': "ac", 'd': "abd", 'e': "ace"} {
		if got := letters(tree.Path(id(to))); got != want {
			t.Errorf("the way to %c is %s, want %s", to, got, want)
		}
	}
}

func TestARadiusIsAllThatRestsOnARoot(t *testing.T) {
	// b and c were made of a, d of both, e of d and of x, g of e; y of x alone; h replaced b
	const f family = "ba ca db dc ed ex ge yx -hb -bh"
	for roots, want := range map[string]struct{ order, survives string }{
		"a":  {"bcdeg", "eg"},
		"b":  {"deg", "deg"}, // d stands on c too
		"bc": {"deg", "eg"},
		"e":  {"g", ""},
		"ed": {"g", ""}, // e is a root, and no survivor
		"x":  {"eyg", "eg"},
		"g":  {"", ""},
		"ab": {"cdeg", "eg"},
		"ax": {"bceydg", ""},
	} {
		b, err := lineage.Radius(t.Context(), f, ids(roots)...)
		if err != nil {
			t.Fatal(err)
		}
		var survives []byte
		for _, id := range b.Order {
			if b.Survives[id] {
				survives = append(survives, id[0])
			}
		}
		slices.Sort(survives)
		order := []byte(letters(b.Order))
		if string(order) != want.order || string(survives) != want.survives || len(survives) != len(b.Survives) {
			t.Errorf("of %s: %s, of which %s (%d) survive; want %s and %s",
				roots, order, survives, len(b.Survives), want.order, want.survives)
		}
	}
	b, err := lineage.Radius(t.Context(), f, ids("a")...)
	if err != nil {
		t.Fatal(err)
	}
	grounds := map[memory.ID][]memory.ID{id('e'): ids("x"), id('g'): ids("e")}
	if !reflect.DeepEqual(b.Grounds, grounds) {
		t.Errorf("the grounds are %v, want %v", b.Grounds, grounds)
	}
	for to, want := range map[byte]string{'a': "a", 'b': "ab", 'd': "abd", 'g': "abdeg"} {
		if got := letters(b.Path(id(to))); got != want {
			t.Errorf("the way to %c is %s, want %s", to, got, want)
		}
	}
}

// torn fails at the nth question.
type torn struct {
	family
	left int
}

var errTorn = errors.New("torn")

func (f *torn) Edges(ctx context.Context, dir graph.Direction, of ...memory.ID) ([]graph.Edge, error) {
	if f.left--; f.left < 0 {
		return nil, errTorn
	}
	return f.family.Edges(ctx, dir, of...)
}

func TestAStoreThatFailsIsNoEnd(t *testing.T) {
	const f family = "ab bc"
	for n := range 3 {
		if _, err := lineage.Walk(t.Context(), &torn{f, n}, id('a'), graph.Back, 0, 0); !errors.Is(err, errTorn) {
			t.Errorf("a walk that is torn at question %d: %v", n, err)
		}
	}
	for n := range 4 {
		if _, err := lineage.Radius(t.Context(), &torn{f, n}, id('c')); !errors.Is(err, errTorn) {
			t.Errorf("a radius that is torn at question %d: %v", n, err)
		}
	}
	if _, err := lineage.Radius(t.Context(), &torn{f, 4}, id('c')); err != nil {
		t.Errorf("a radius that is not torn: %v", err)
	}
}

// A whole is a graph that finds everything at once, or says why not.
type whole struct {
	family
	done bool
	err  error
}

func (w *whole) Descendants(_ context.Context, roots ...memory.ID) (
	list []memory.ID, own int, arrows [][2]int32, outside []graph.Edge, ok bool, err error,
) {
	return append(slices.Clone(roots), ids("bcdefghi")...), len(roots),
		[][2]int32{{4, 2}, {3, 2}, {2, 0}, {1, 0}, {5, 4}, {5, 3}, {6, 2}, {7, 2}, {8, 7}, {8, 6}, {3, 1}, {0, 3}},
		[]graph.Edge{{From: id('c'), To: id('x')}}, w.done, w.err
}

func TestAGraphThatFindsAllAtOnceIsBelieved(t *testing.T) {
	b, err := lineage.Radius(t.Context(), &whole{"za", true, nil}, id('a'))
	if err != nil {
		t.Fatal(err)
	}
	want := &lineage.Blast{
		Order: ids("bcdefghi"),
		Parent: map[memory.ID]memory.ID{
			id('b'): id('a'), id('c'): id('a'), id('d'): id('c'), id('e'): id('c'), id('f'): id('e'),
			id('g'): id('c'), id('h'): id('c'), id('i'): id('h'),
		},
		Survives: map[memory.ID]bool{
			id('c'): true, id('d'): true, id('e'): true, id('f'): true, id('g'): true, id('h'): true, id('i'): true,
		},
		Grounds: map[memory.ID][]memory.ID{
			id('c'): ids("x"), id('d'): ids("c"), id('e'): ids("c"), id('g'): ids("c"), id('h'): ids("c"),
			id('f'): ids("de"), id('i'): ids("gh"), // the older first
		},
	}
	if !reflect.DeepEqual(b, want) {
		t.Errorf("%+v, want %+v", b, want)
	}
	if b, err = lineage.Radius(t.Context(), &whole{"za", false, nil}, id('a')); err != nil || letters(b.Order) != "z" {
		t.Errorf("one that cannot is asked hop by hop: %v, %v", b, err)
	}
	if _, err = lineage.Radius(t.Context(), &whole{"za", true, errTorn}, id('a')); !errors.Is(err, errTorn) {
		t.Errorf("one that fails: %v", err)
	}
}
