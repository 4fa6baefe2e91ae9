package project

import (
	"fmt"
	"slices"
	"testing"
)

// What is said in a book without stamps is found by root commit, remote and path.
func TestFind(t *testing.T) {
	const main, fork = "f.example/ada/x", "f.example/bob/x"
	for name, tt := range map[string]struct {
		known []Identity
		asked Identity
		want  int // the project's place in the book, -1 for none
	}{
		"nothing":             {nil, Identity{Root: "r"}, -1},
		"root":                {[]Identity{{Root: "r"}}, Identity{Root: "r"}, 0},
		"another root":        {[]Identity{{Root: "r", Remote: main}}, Identity{Root: "s", Remote: main}, -1},
		"another at the path": {[]Identity{{Root: "r", Path: "/a"}}, Identity{Root: "s", Path: "/a"}, -1},
		"a fork":              {[]Identity{{Root: "r", Remote: main}}, Identity{Root: "r", Remote: fork}, -1},
		"the fork, of two": {
			[]Identity{{Root: "r", Remote: main}, {Root: "r", Remote: fork}}, Identity{Root: "r", Remote: fork}, 1,
		},
		"a remote renamed": {
			[]Identity{{Root: "r", Remote: main, Path: "/a"}}, Identity{Root: "r", Remote: fork, Path: "/a"}, 0,
		},
		"no remote now":        {[]Identity{{Root: "r", Remote: main}}, Identity{Root: "r"}, 0},
		"no remote before":     {[]Identity{{Root: "r"}}, Identity{Root: "r", Remote: main}, 0},
		"a remote in capitals": {[]Identity{{Root: "r", Remote: main}}, Identity{Root: "r", Remote: "f.example/Ada/X"}, 0},
		"shallow":              {[]Identity{{Root: "r", Remote: main}}, Identity{Remote: main, Unsure: true}, 0},
		"shallow before":       {[]Identity{{Remote: main}}, Identity{Root: "r", Remote: main}, 0},
		"shallow, another":     {[]Identity{{Root: "r", Remote: main}}, Identity{Remote: fork, Unsure: true}, -1},
		"path":                 {[]Identity{{Path: "/a"}}, Identity{Path: "/a"}, 0},
		"path, then a commit":  {[]Identity{{Path: "/a"}}, Identity{Root: "r", Path: "/a"}, 0},
		"path, then a remote":  {[]Identity{{Path: "/a"}}, Identity{Remote: main, Path: "/a"}, 0},
		"path after a commit":  {[]Identity{{Root: "r", Path: "/a"}}, Identity{Path: "/a"}, -1},
		"path after a remote":  {[]Identity{{Remote: main, Path: "/a"}}, Identity{Path: "/b"}, -1},
		"a root among others": {
			[]Identity{{Root: "r", Remote: main}}, Identity{Root: "s", Roots: []string{"s", "r"}, Remote: main}, 0,
		},
		"one that was taken in": {
			[]Identity{{Root: "r", Remote: main}}, Identity{Root: "s", Roots: []string{"s", "r"}, Remote: fork}, -1,
		},
		"taken in, no remotes":   {[]Identity{{Root: "r"}}, Identity{Root: "s", Roots: []string{"s", "r"}}, -1},
		"nothing is no identity": {[]Identity{{Root: "r"}}, Identity{}, -1},
		"root and remote before a remote alone": {
			[]Identity{{Remote: main}, {Root: "r", Remote: main}}, Identity{Root: "r", Remote: main}, 1,
		},
		"shallow, where one remote had two histories": {
			[]Identity{{Root: "r", Remote: main, Path: "/a"}, {Root: "s", Remote: main, Path: "/b"}},
			Identity{Remote: main, Path: "/b", Unsure: true}, 1,
		},
		"root before remote": {
			[]Identity{{Root: "s", Remote: main}, {Root: "r"}}, Identity{Root: "r", Remote: main}, 1,
		},
	} {
		var b Book
		for _, id := range tt.known {
			b.Begin(id, "salt")
		}
		got := -1
		if p, ok := b.Find(tt.asked); ok {
			got = slices.IndexFunc(b.Projects, func(one Project) bool { return one.Space == p.Space })
		}
		if got != tt.want {
			t.Errorf("%s: found %d, want %d", name, got, tt.want)
		}
	}
}

// What shares most with an identity is its project, in whatever order they are.
func TestFindTheNearest(t *testing.T) {
	exact := Project{Space: "exact", Roots: []string{"r"}, Remotes: []string{"f/x"}}
	root := Project{Space: "root", Roots: []string{"r"}}
	remote := Project{Space: "remote", Remotes: []string{"f/x"}}
	for _, order := range [][]Project{{exact, root, remote}, {remote, root, exact}, {root, exact, remote}} {
		b := Book{slices.Clone(order)}
		if p, ok := b.Find(Identity{Root: "r", Remote: "f/x"}); !ok || p.Space != "exact" {
			t.Errorf("found %+v", p)
		}
		b = Book{slices.DeleteFunc(slices.Clone(order), func(p Project) bool { return p.Space == "exact" })}
		if p, ok := b.Find(Identity{Root: "r", Remote: "f/x"}); !ok || p.Space != "root" {
			t.Errorf("found %+v, want the one with the root commit", p)
		}
	}
}

func TestLearn(t *testing.T) {
	var b Book
	b.Begin(Identity{Path: "/a", Name: "a"}, "salt")
	for _, id := range []Identity{
		{Path: "/a", Root: "r"}, {Path: "/a", Root: "r", Remote: "f/x"}, {Path: "/a", Root: "r", Remote: "f/y"},
		{Path: "/b", Root: "r", Remote: "f/x"}, {Path: "/b", Remote: "f/y"},
	} {
		p, ok := b.Find(id)
		if !ok {
			t.Fatalf("%+v is not known", id)
		}
		b.Learn(p, id)
	}
	p := b.Projects[0]
	if got := fmt.Sprintln(len(b.Projects), p.Name, p.Roots, p.Remotes, p.Paths); got != "1 a [r] [f/x f/y] [/a /b]\n" {
		t.Errorf("learned %s", got)
	}
	b.Begin(Identity{Path: "/b", Root: "s"}, "salt")
	if got := b.Projects[0].Paths; len(got) != 1 {
		t.Errorf("another project is at /b, and the first has %q", got)
	}
	for i := range 3 * mostPaths {
		b.settle(&b.Projects[0], fmt.Sprint("/w", i))
	}
	if got := b.Projects[0].Paths; len(got) != mostPaths || got[mostPaths-1] != fmt.Sprint("/w", 3*mostPaths-1) {
		t.Errorf("%d paths, the last %q", len(got), got[len(got)-1])
	}
}

// No two projects have one space, whatever they are known by.
func TestSpacesAreApart(t *testing.T) {
	var b Book
	seen := map[string]bool{}
	for range 3 {
		for _, id := range []Identity{
			{Path: "/a"}, {Root: "r"}, {Root: "s"}, {Root: "r", Remote: "f/x"}, {Root: "s", Remote: "f/x"},
			{Root: "r", Remote: "g/x"}, {Remote: "f/x"},
		} {
			space := b.Begin(id, "salt").Space
			if seen[space] {
				t.Errorf("%+v has a space that is taken: %q", id, space)
			}
			seen[space] = true
		}
	}
}
