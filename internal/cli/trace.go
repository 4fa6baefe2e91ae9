package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
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

func (a *app) showTrace(t api.TraceReply) error {
	w, n := a.env.Stdout, t.Memory
	drawn := a.tree(bracketed)
	if t.Backward != nil {
		drawn.expect(t.Backward.Sources)
	}
	if t.Forward != nil {
		drawn.expect(t.Forward.Derived)
	}
	aside := nowAside(n.Course) + headAside(&api.Memory{Marks: n.Marks, Hidden: n.Hidden})
	fmt.Fprintf(w, "📍 Lineage for %s %s%s\n", a.ref(n.Type, n.ID), cited(engine.NodeWords(n)), aside)
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
		for _, l := range brief.DecidedLinks(t.Links) {
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
