package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) relationshipHistoryCmd() *cobra.Command {
	c := &cobra.Command{Use: "history NAME", Short: "Show the history with a person: revisions, episodes, notes",
		Example: "  stemma relationship history Alice\n  stemma relationship history relationship:3f9a --limit 10"}
	var in api.NameRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number, newest first (default 50; -1 for all)")
	c.RunE = verb(a, (*engine.Engine).RelationshipHistory, func(args []string) (api.NameRequest, error) {
		if in.Name = strings.Join(args, " "); in.Name == "" {
			return in, fmt.Errorf("relationship history: give a name or a ref")
		}
		return in, nil
	}, a.showRelationshipHistory)
	return c
}

func (a *app) showRelationshipHistory(r api.RelationshipHistoryReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s", a.paint(bold, whole(r.Name)))
	if r.Sentiment != nil {
		fmt.Fprintf(w, " (sentiment %s)", feeling(*r.Sentiment))
	}
	fmt.Fprintln(w)
	if r.More {
		a.hint("… there are older ones; --limit -1 shows all")
	}
	for _, e := range r.Entries {
		kind, id, _ := strings.Cut(e.Ref, ":")
		how := e.How
		if e.Sentiment != nil {
			how = "sentiment " + feeling(*e.Sentiment)
		}
		if e.Hidden != "" {
			how += ", " + e.Hidden
		}
		fmt.Fprintf(w, "  %s %s [%s] %s%s\n", a.on(e.At), a.ref(kind, id), how, cited(or(e.Text, e.Headline)),
			marksAside(&api.Memory{Marks: e.Marks, Hidden: e.Hidden}))
	}
	if len(r.Sentiments) > 1 {
		var parts []string
		for _, c := range r.Sentiments {
			parts = append(parts, day(c.At)+" "+feeling(c.Sentiment))
		}
		fmt.Fprintf(w, "Sentiment: %s\n", strings.Join(parts, " → "))
	}
	return nil
}

// feeling writes a number from -1 to 1 with its sign.
func feeling(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if f > 0 {
		s = "+" + s
	}
	return s
}
