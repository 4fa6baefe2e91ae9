package trust

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

func chain(list ...string) []Introduction {
	var out []Introduction
	for i := 1; i < len(list); i++ {
		out = append(out, Introduction{list[i-1], list[i]})
	}
	return out
}

// puppets returns n names, all introduced by each of by.
func puppets(n int, by ...string) (names []string, made []Introduction) {
	for i := range n {
		name := fmt.Sprintf("puppet%d", i)
		names = append(names, name)
		for _, b := range by {
			made = append(made, Introduction{b, name})
		}
	}
	return names, made
}

// Voices are chains of introductions that have no one in common.
func TestVoices(t *testing.T) {
	twenty, behindOne := puppets(20, "alice")
	_, behindTwo := puppets(20, "alice", "bob")
	both := []Introduction{{"root", "alice"}, {"root", "bob"}}
	for _, tt := range []struct {
		what    string
		made    []Introduction
		who     []string
		without []string
		want    int
	}{
		{"nobody", both, nil, nil, 0},
		{"strangers", both, []string{"eve", "", "mallory"}, nil, 0},
		{"two introduced by the root", both, []string{"alice", "bob"}, nil, 2},
		{"one named twice", both, []string{"alice", "alice"}, nil, 1},
		{"the root itself", both, []string{"root"}, nil, 1},
		{"the root twice and two", both, []string{"root", "alice", "root", "bob"}, nil, 3},
		{"20 puppets behind one", slices.Concat(behindOne, both), twenty, nil, 1},
		{
			"20 puppets and who introduced them", slices.Concat(behindOne, both),
			slices.Concat(twenty, []string{"alice"}), nil, 1,
		},
		{"20 puppets behind one, and another", slices.Concat(behindOne, both), append(twenty[:20:20], "bob"), nil, 2},
		{"20 puppets behind two", slices.Concat(behindTwo, both), twenty, nil, 2},
		{"20 puppets behind two, without one", slices.Concat(behindTwo, both), twenty, []string{"bob"}, 1},
		{"20 puppets behind one, without him", slices.Concat(behindOne, both), twenty, []string{"alice"}, 0},
		{"without the root is no loss", both, []string{"alice", "root"}, []string{"root"}, 2},
		{"one between two others is in both ways", chain("root", "a", "b"), []string{"a", "b"}, nil, 1},
		{"a cycle", chain("root", "a", "b", "c", "a", "b", "a"), []string{"a", "b", "c"}, nil, 1},
		{"a cycle that the root is not in", slices.Concat(chain("x", "y", "x"), both), []string{"x", "y"}, nil, 0},
		{"a cycle through the root", chain("root", "a", "root"), []string{"a", "root"}, nil, 2},
		{"who introduces himself", chain("eve", "eve"), []string{"eve"}, nil, 0},
		// a chain that was found first must be laid another way
		{
			"crossing", []Introduction{{"root", "a"}, {"root", "b"}, {"a", "x"}, {"a", "y"}, {"b", "y"}},
			[]string{"x", "y"}, nil, 2,
		},
		{"a neck", []Introduction{{"root", "n"}, {"n", "a"}, {"n", "b"}}, []string{"a", "b"}, nil, 1},
	} {
		n := NewIntroductions("root", tt.made)
		if got := n.Voices(tt.who, tt.without...); got != tt.want {
			t.Errorf("%s: %d voices, want %d", tt.what, got, tt.want)
		}
	}
}

// No one reaches anybody: without a root there are no introductions.
func TestNoIntroductions(t *testing.T) {
	for _, n := range []*Introductions{nil, NewIntroductions("", chain("", "a", "b"))} {
		if n.Reaches("a") || n.Reaches("") || n.Voices([]string{"a", ""}) != 0 || n.Root() != "" {
			t.Errorf("%+v knows somebody", n)
		}
	}
	if n := NewIntroductions("root", chain("root", "", "a")); n.Reaches("") || n.Reaches("a") {
		t.Error("a chain leads through nobody")
	}
}

func TestReaches(t *testing.T) {
	n := NewIntroductions("root", slices.Concat(chain("root", "a", "b", "c"), chain("x", "y")))
	for _, tt := range []struct {
		who     string
		without []string
		want    bool
	}{
		{"root", nil, true}, {"a", nil, true}, {"c", nil, true}, {"x", nil, false}, {"y", nil, false},
		{"c", []string{"b"}, false}, {
			"a", []string{"b", "x"}, true,
		}, {"a", []string{"a"}, false}, {"a", []string{"root"}, true},
	} {
		if got := n.Reaches(tt.who, tt.without...); got != tt.want {
			t.Errorf("Reaches(%q, %q) = %v, want %v", tt.who, tt.without, got, tt.want)
		}
	}
	if got := n.Root(); got != "root" {
		t.Errorf("Root() = %q, want root", got)
	}
}

// As many chains have no one in common as people must go for no chain to be
// left: the fewest are found by trying all sets of people.
func TestVoicesAgainstAllCuts(t *testing.T) {
	const people, graphs = 8, 3000 / fewer
	rng := rand.New(rand.NewPCG(3, 4))
	seen := make(map[int]int)
	for g := range graphs {
		var made []Introduction
		var by [people]uint // whom each introduces, as a set
		density := 1 + rng.IntN(4)
		for range people * density {
			from, to := rng.IntN(people), rng.IntN(people)
			made = append(made, Introduction{fmt.Sprint(from), fmt.Sprint(to)})
			by[from] |= 1 << to
		}
		targets := uint(rng.IntN(1 << people))
		author := rng.IntN(people) // 0 is the root
		shut := uint(1<<author) &^ 1
		var who []string
		for i := range people {
			if targets>>i&1 == 1 {
				who = append(who, fmt.Sprint(i))
			}
		}
		want := int(targets & 1)
		targets &^= 1
		least := people
		for cut := uint(0); cut < 1<<people; cut += 2 { // the root is in none
			if n := bits.OnesCount(cut); n < least && spread(by, cut|shut)&targets == 0 {
				least = n
			}
		}
		want += least
		seen[want]++
		if got := NewIntroductions("0", made).Voices(who, fmt.Sprint(author)); got != want {
			t.Fatalf("graph %d, %v: %d voices of %v without %d, want %d", g, made, got, who, author, want)
		}
	}
	if seen[0] == 0 || seen[1] == 0 || seen[2] == 0 || seen[3] == 0 || seen[4] == 0 {
		t.Errorf("the graphs are too much alike: %v", seen)
	}
}

// spread returns everybody whom the root, 0, reaches without those of shut.
func spread(by [8]uint, shut uint) uint {
	in := uint(1)
	for {
		next := in
		for i := range by {
			if in>>i&1 == 1 {
				next |= by[i] &^ shut
			}
		}
		if next == in {
			return in
		}
		in = next
	}
}

// A chain as long as a stranger cares to make it, and a crowd, are no trouble.
func TestVoicesOfMany(t *testing.T) {
	const many = 100_000
	name := func(i int) string { return fmt.Sprint("p", i) }
	long := []Introduction{{"root", name(0)}}
	for i := range many {
		long = append(long, Introduction{name(i), name(i + 1)})
	}
	n := NewIntroductions("root", long)
	if got := n.Voices([]string{name(many), name(many / 2)}); got != 1 {
		t.Errorf("%d voices at the end of a long chain, want 1", got)
	}
	var crowd []Introduction
	var all []string
	for i := range 2000 {
		crowd = append(crowd, Introduction{"root", name(i)})
		for j := range 10 {
			crowd = append(crowd, Introduction{name(i), fmt.Sprint("q", (i*7+j*131)%2000)})
		}
		all = append(all, fmt.Sprint("q", i))
	}
	if got := NewIntroductions("root", crowd).Voices(all); got != 2000 {
		t.Errorf("%d voices of a crowd, want 2000", got)
	}
}
