package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) taintCmd() *cobra.Command {
	c := cmd("taint REF | author:KEY | source:NAME", "List what depends on a source that may be false", `Examples:
  stemma taint raw:3f9a
  stemma taint source:Alice --limit 20
  stemma taint author:did:key:z6Mk…
  stemma taint raw:3f9a --dot | dot -Tsvg > taint.svg
  stemma taint raw:3f9a --mermaid`)
	limit := c.Flags().Int("limit", 0, "maximum number of records to name (default 1000; -1 for all)")
	dot := c.Flags().Bool("dot", false, "print a graph for Graphviz")
	mermaid := c.Flags().Bool("mermaid", false, "print a graph for Mermaid")
	c.MarkFlagsMutuallyExclusive("dot", "mermaid")
	c.RunE = verb(a, (*engine.Engine).Taint, func(args []string) (api.TaintRequest, error) {
		if a.flags.json && (*dot || *mermaid) {
			return api.TaintRequest{}, fmt.Errorf("--json, --dot and --mermaid do not go together")
		}
		tight()
		ref, err := oneRef(args)
		return api.TaintRequest{Target: ref, Limit: *limit}, err
	}, func(t api.TaintReply) error {
		switch {
		case *dot:
			return a.taintDot(t)
		case *mermaid:
			return a.taintMermaid(t)
		}
		return a.showTaint(t)
	})
	return c
}

func (a *app) showTaint(t api.TaintReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "If %s is false, %d of %d dependent records fall with it.\n", line(shortTarget(t.Target), 60),
		t.AffectedCount, t.AffectedCount+t.SurvivesCount)
	show := func(name string, list []api.Affected, of int) {
		if of > 0 {
			fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, name), of)
			a.affected(list, of)
		}
	}
	show("Falls", t.Affected, t.AffectedCount)
	show("Survives", t.Survives, t.SurvivesCount)
	if len(t.Followed) > 0 {
		fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, "Commits by sessions that had been given it"), len(t.Followed))
		a.showFollowed(t.Followed)
	}
	return nil
}

// A fate is what becomes of a record if a root is false.
type fate int

const (
	onTheWay fate = iota // not asked about: it holds a survivor, or lies on the way
	root                 // false itself
	falls                // falls with it
	survives             // stands on other sources too
)

// A fallen is a record in the picture of a taint.
type fallen struct {
	ref, words string
	fate       fate
}

// blast returns the records and arrows of a taint for drawing: every arrow points
// from the newer record to what it came from.
func blast(t api.TaintReply) (nodes []*fallen, arrows [][2]string) {
	seen := make(map[string]*fallen)
	node := func(ref, words string, f fate) {
		if n := seen[ref]; n != nil {
			if n.fate == onTheWay {
				n.words, n.fate = words, f
			}
			return
		}
		n := &fallen{ref, words, f}
		seen[ref] = n
		nodes = append(nodes, n)
	}
	drawn := make(map[[2]string]bool)
	arrow := func(newer, older string) {
		if a := [2]string{newer, older}; !drawn[a] {
			drawn[a] = true
			arrows = append(arrows, a)
		}
	}
	for _, r := range t.Roots {
		node(r, "", root)
	}
	add := func(list []api.Affected, f fate) {
		for _, x := range list {
			node(x.Ref, x.Headline, f)
			for i := 1; i < len(x.Path); i++ {
				node(x.Path[i-1], "", onTheWay)
				arrow(x.Path[i], x.Path[i-1])
			}
			for _, g := range x.Grounds {
				node(g, "", onTheWay)
				arrow(x.Ref, g)
			}
		}
	}
	add(t.Affected, falls)
	add(t.Survives, survives)
	return nodes, arrows
}

func (a *app) taintDot(t api.TaintReply) error {
	looks := map[fate]string{
		root: `, style=filled, fillcolor="#f4a6a0", penwidth=2`, falls: `, style=filled, fillcolor="#fbe0dd"`,
		survives: `, style=filled, fillcolor="#d9f0d9"`, onTheWay: `, style=dashed`,
	}
	nodes, arrows := blast(t)
	w := a.bare()
	fmt.Fprint(w, "digraph stemma {\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n")
	for _, n := range nodes {
		label := shortRef(n.ref) + "\n" + strings.Join(labelLines(n.words), "\n")
		fmt.Fprintf(w, "  %q [label=%s%s];\n", graphID(n.ref), dotString(strings.TrimRight(label, "\n")), looks[n.fate])
	}
	for _, e := range arrows {
		fmt.Fprintf(w, "  %q -> %q;\n", graphID(e[0]), graphID(e[1]))
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}

func (a *app) taintMermaid(t api.TaintReply) error {
	class := map[fate]string{root: ":::root", falls: ":::falls", survives: ":::survives", onTheWay: ":::aside"}
	nodes, arrows := blast(t)
	w := a.bare()
	fmt.Fprintln(w, "graph BT")
	for _, n := range nodes {
		label := strings.TrimSuffix(shortRef(n.ref)+"<br/>"+brokenLabel(n.words), "<br/>")
		fmt.Fprintf(w, "  n%s[\"%s\"]%s\n", graphID(n.ref), label, class[n.fate])
	}
	for _, e := range arrows {
		fmt.Fprintf(w, "  n%s --> n%s\n", graphID(e[0]), graphID(e[1]))
	}
	_, err := fmt.Fprint(w, "  classDef root fill:#f4a6a0,stroke-width:3px\n  classDef falls fill:#fbe0dd\n"+
		"  classDef survives fill:#d9f0d9\n  classDef aside stroke-dasharray:4\n")
	return err
}

// graphID is what a picture calls a record.
func graphID(ref string) string {
	_, id, _ := strings.Cut(ref, ":")
	return short(id)
}
