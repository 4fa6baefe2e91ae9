package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

func drawnTree(nodes []*api.Node) string {
	var out bytes.Buffer
	a := &app{env: Env{Stdout: &out, Getenv: func(string) string { return "" }}}
	a.branches(nodes, "", plainWords)
	return out.String()
}

// A record that stands in full further down is not said to stand above.
func TestShownAboveOnlyBelow(t *testing.T) {
	of := func(id string, seen bool, under ...*api.Node) *api.Node {
		return &api.Node{Type: "episode", ID: strings.Repeat(id, 8), Title: "of " + id, Seen: seen, Sources: under}
	}
	got := drawnTree([]*api.Node{of("a", false, of("c", true)), of("c", false),
		of("b", false, of("c", true), of("d", true))})
	for _, want := range []string{
		"├─ episode:aaaaaaaa \"of a\"\n│   └─ episode:cccccccc (shown below)\n├─ episode:cccccccc \"of c\"\n",
		"├─ episode:cccccccc (shown above)\n    └─ episode:dddddddd (shown on another page)\n",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "  \"", " \""), want) {
			t.Errorf("%s has no\n%s", got, want)
		}
	}
}

// A chain of revisions is a list, whichever way it is looked at; what else hangs on one is under it.
func TestRevisionsAreDrawnFlat(t *testing.T) {
	const many = 500
	for _, forward := range []bool{false, true} {
		raw := &api.Node{Type: "raw", ID: "ffffffff", Blob: "words"}
		var first *api.Node
		for i := range many {
			n := &api.Node{Type: "belief", ID: fmt.Sprintf("%08x", i), Statement: "says", SourceType: "revision"}
			switch {
			case first == nil:
				n.Sources = []*api.Node{raw}
			case forward:
				n.Derived = []*api.Node{first}
			default:
				n.Sources = []*api.Node{first}
			}
			first = n
		}
		lines := strings.Split(strings.TrimSpace(drawnTree([]*api.Node{first})), "\n")
		if len(lines) != many+1 {
			t.Fatalf("%d lines", len(lines))
		}
		for i, l := range lines[:many] {
			if !strings.HasPrefix(l, "└─ ") {
				t.Fatalf("line %d is %q", i, l)
			}
		}
		if l := lines[many]; !strings.HasPrefix(l, "    └─ raw:") {
			t.Errorf("what the first rests on is %q", l)
		}
	}
}
