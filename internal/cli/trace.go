package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) traceCmd() *cobra.Command {
	c := cmd("trace REF", "Show where a record came from and what it led to", `Examples:
  stemma trace belief:a04e
  stemma trace belief:a04e --sources           only the direct sources
  stemma trace belief:a04e --leaves            only the captures at the bottom
  stemma trace belief:a04e --record            who made it, when and how
  stemma trace raw:3f9a --forward              every memory that traces back to it
  stemma trace raw:3f9a --direction forward
  stemma trace belief:a04e --depth 0 --json
  stemma trace belief:a04e --dot | dot -Tsvg > tree.svg
  stemma trace belief:a04e --mermaid
  stemma trace belief:a04e --format svg > tree.svg
  stemma trace belief:a04e --format prov       the lineage as W3C PROV
  stemma trace belief:a04e --format in-toto    as an in-toto statement`)
	var in api.TraceRequest
	depth := c.Flags().Int("depth", 3, "number of levels; 0 for all")
	c.Flags().StringVar(&in.Direction, "direction", "both", "direction: both, backward or forward")
	c.Flags().IntVar(&in.After, "after", 0, "continue after this record of the last page")
	dot := c.Flags().Bool("dot", false, "print a graph for Graphviz")
	mermaid := c.Flags().Bool("mermaid", false, "print a graph for Mermaid")
	format := c.Flags().String("format", "",
		"svg (a picture), prov (PROV-JSON) or in-toto; all levels unless you give --depth")
	words := c.Flags().Bool("words", false, "with --format prov or in-toto: also one line of each record's text")
	c.MarkFlagsMutuallyExclusive("dot", "mermaid", "format")
	picture := false
	show := verb(a, (*engine.Engine).Trace, func(args []string) (api.TraceRequest, error) {
		var err error
		in.Depth = depth
		if a.flags.json && (*dot || *mermaid) {
			return in, fmt.Errorf("--json, --dot and --mermaid do not go together")
		}
		in.Ref, err = oneRef(args)
		return in, err
	}, func(t api.TraceReply) error {
		switch {
		case *dot:
			return a.dot(t)
		case *mermaid:
			return a.mermaid(t)
		case picture:
			return a.svg(t)
		}
		return a.showTrace(t)
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *format == "" && *words:
			return fmt.Errorf("--words: needs --format")
		case *format == "":
			return show(cmd, args)
		case a.flags.json || cmd.Flags().Changed("after"):
			return fmt.Errorf("--format: does not go with --json or --after")
		case *format == "svg" && *words:
			return fmt.Errorf("--words: applies to prov and in-toto; a picture shows the words anyway")
		case *format == "svg":
			if !cmd.Flags().Changed("depth") {
				*depth = 0
			}
			picture = true
			return show(cmd, args)
		}
		out := api.TraceDocumentRequest{Format: *format, Direction: in.Direction, Words: *words}
		if cmd.Flags().Changed("depth") {
			out.Depth = *depth
		}
		return a.traceDocument(cmd, args, out)
	}
	a.traceViews(c)
	return c
}

// traceViews returns trace its views: lists in place of a tree.
func (a *app) traceViews(c *cobra.Command) {
	related := func(flag, name, doc string) view { return view{flag: flag, doc: doc, run: a.relatedRun(name)} }
	addViews(c,
		related("sources", "sources", "list only the direct sources"),
		related("direct", "derived", "list only what was made directly from it"),
		related("leaves", "raw-sources", "list only the captures at the bottom"),
		related("forward", "from-raw", "list every memory that traces back to this capture"),
		view{flag: "record", doc: "show how the record was made: author, session, confidence history",
			run: verb(a, (*engine.Engine).Provenance, showRequest, a.showProvenance)})
}

// disputedMark says behind a memory's words that it is disputed.
func disputedMark(n *api.Node) string {
	if n.Disputed {
		return " (disputed)"
	}
	return ""
}

func (a *app) showTrace(t api.TraceReply) error {
	w, n := a.env.Stdout, t.Memory
	drawn := a.tree(bracketed)
	if t.Backward != nil {
		drawn.expect(t.Backward.Sources)
	}
	if t.Forward != nil {
		drawn.expect(t.Forward.Derived)
	}
	aside := nowAside(n.Course) + disputedMark(n)
	fmt.Fprintf(w, "📍 Lineage for %s %s%s\n", a.ref(n.Type, n.ID), quoted(n.Words(), a.width()-30), aside)
	if t.Backward != nil {
		fmt.Fprintf(w, "\n%s\n  %s%s\n", a.paint(bold, "BACKWARD (where it came from):"), a.ref(n.Type, n.ID), a.bracket(n))
		drawn.draw(t.Backward.Sources, "    ")
		if len(t.Backward.Sources) == 0 {
			fmt.Fprintln(w, a.paint(dim, "    no sources"))
		}
	}
	if t.Forward != nil {
		fmt.Fprintf(w, "\n%s\n  %s\n", a.paint(bold, "FORWARD (what derived from it):"), a.ref(n.Type, n.ID))
		drawn.draw(t.Forward.Derived, "    ")
		if len(t.Forward.Derived) == 0 {
			fmt.Fprintln(w, a.paint(dim, "    nothing yet"))
		}
	}
	if len(t.Links) > 0 {
		fmt.Fprintf(w, "\n%s\n", a.paint(bold, "LINKS (how it relates to other memories):"))
		for _, l := range t.Links {
			fmt.Fprintf(w, "  %s\n", a.linkLine(l))
		}
	}
	switch {
	case t.Next > 0:
		a.hint("… there is more; continue with --after %d", t.Next)
	case t.Deeper:
		a.hint("… there are more levels; --depth 0 shows all")
	}
	return nil
}

// A look is how much a tree says of each record.
type look bool

const (
	bracketed  look = true  // kind:id [how, when] "words"
	plainWords look = false // kind:id "words"
)

// leaf is what stands behind a ref in a tree.
func (a *app) leaf(n *api.Node, how look, indent int) string {
	s := ""
	if how == bracketed {
		s = a.bracket(n)
	}
	said := ""
	if n.Speaker != "" {
		said = line(n.Speaker, 30) + ": "
	}
	if n.Disputed {
		said = "(disputed) " + said
	}
	if n.Hidden != "" && n.Hidden != "purged" {
		said = "(" + n.Hidden + ") " + said
	}
	s += a.paint(dim, inferredWord(n))
	room := a.width() - indent - len(n.Type) - 14 - len(s) - len(said)
	words := quoted(n.Words(), max(room, 30))
	if n.Missing || n.Hidden == "purged" {
		words = n.Words()
	}
	if how == plainWords && n.SourceType == memory.ViaConsolidate.SourceType() {
		words += " (via consolidation)"
	}
	return s + " " + said + words
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
		return a.paint(dim, fmt.Sprintf(" [%s, %s%s]", n.SourceType, day(n.CreatedAt), comma(now(n.Course))))
	case n.OccurredAt != "":
		return a.paint(dim, fmt.Sprintf(" [%s, %s]", n.Source, minute(n.OccurredAt)))
	case n.Source == "":
		return a.paint(dim, fmt.Sprintf(" [%s]", day(n.CapturedAt)))
	}
	return a.paint(dim, fmt.Sprintf(" [%s, %s]", n.Source, minute(n.CapturedAt)))
}

// graph returns the nodes and arrows of a trace for drawing.
func graph(t api.TraceReply) (nodes []*api.Node, arrows []arrow) {
	seen := make(map[string]bool)
	var walk func(n *api.Node)
	add := func(n *api.Node) {
		if !seen[n.ID] && !n.Seen {
			seen[n.ID] = true
			nodes = append(nodes, n)
		}
	}
	walk = func(n *api.Node) {
		add(n)
		for _, s := range n.Sources {
			arrows = append(arrows, arrow{n.ID, s.ID, s.Inferred})
			walk(s)
		}
		for _, d := range n.Derived {
			arrows = append(arrows, arrow{d.ID, n.ID, d.Inferred})
			walk(d)
		}
	}
	top := *t.Memory
	if t.Backward != nil {
		top.Sources = t.Backward.Sources
	}
	if t.Forward != nil {
		top.Derived = t.Forward.Derived
	}
	walk(&top)
	return nodes, arrows
}

const graphWords = 60

func (a *app) dot(t api.TraceReply) error {
	nodes, arrows := graph(t)
	w := a.env.Stdout
	fmt.Fprint(w, "digraph stemma {\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n")
	for _, n := range nodes {
		label := n.Type + ":" + short(n.ID) + "\n" + line(n.Words(), graphWords)
		fmt.Fprintf(w, "  %q [label=%s];\n", short(n.ID), dotString(label))
	}
	for _, e := range arrows {
		look := ""
		if e.inferred {
			look = " [style=dashed]"
		}
		fmt.Fprintf(w, "  %q -> %q%s;\n", short(e.from), short(e.to), look)
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}

// dotString quotes text for Graphviz: only quotes and backslashes are special.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// entities writes what means something to Mermaid.
var entities = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "#", "&num;")

func (a *app) mermaid(t api.TraceReply) error {
	nodes, arrows := graph(t)
	w := a.env.Stdout
	fmt.Fprintln(w, "graph BT")
	for _, n := range nodes {
		fmt.Fprintf(w, "  n%s[\"%s:%s<br/>%s\"]\n", short(n.ID), n.Type, short(n.ID),
			entities.Replace(line(n.Words(), graphWords)))
	}
	for _, e := range arrows {
		line := "-->"
		if e.inferred {
			line = "-.->"
		}
		fmt.Fprintf(w, "  n%s %s n%s\n", short(e.from), line, short(e.to))
	}
	return nil
}
