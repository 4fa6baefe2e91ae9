package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) listCmd() *cobra.Command {
	c := cmd(groupRead, "list [KIND]", "List memories, the newest first", `Examples:
  stemma list
  stemma list belief --provenance
  stemma list raw --unprocessed --limit 20`)
	a.listRun(c, "")
	return c
}

func (a *app) kindList(k memory.Kind) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List them, the newest first"}
	a.listRun(c, k)
	return c
}

func (a *app) listRun(c *cobra.Command, kind memory.Kind) {
	var in stemma.ListRequest
	f := c.Flags()
	provenance := f.Bool("provenance", false, "show what each came from")
	f.IntVar(&in.Limit, "limit", 0, "how many (default 50; -1 is all)")
	f.BoolVar(&in.All, "all", false, "superseded, rejected and forgotten ones too")
	f.BoolVar(&in.Oldest, "oldest", false, "the oldest first")
	f.StringVar(&in.Tag, "tag", "", "only those with this tag")
	f.StringVar(&in.Type, "type", "", "only this type within a kind, such as decision")
	if kind == "" || kind == memory.KindRaw {
		f.BoolVar(&in.Unprocessed, "unprocessed", false, "only raws nothing was made of")
	}
	c.Args = cobra.MaximumNArgs(1)
	c.RunE = verb(a, (*stemma.Engine).List, func(args []string) (stemma.ListRequest, error) {
		in.Kind, in.Session = string(kind), a.flags.session
		if len(args) == 1 {
			if kind != "" {
				return in, fmt.Errorf("%s list takes no words; to store them: stemma %s -- list …", kind, kind)
			}
			in.Kind = args[0]
		}
		return in, nil
	}, func(r stemma.ListReply) error { return a.showList(r, in.Kind, *provenance) })
}

// contentTitle is what the wide column of a list is called, by kind.
var contentTitle = map[string]string{
	"belief": "Statement", "episode": "Objective", "note": "Summary", "value": "Value", "goal": "Goal", "raw": "Words",
	"drive": "Drive", "relationship": "Who", "playbook": "Playbook",
}

func (a *app) showList(r stemma.ListReply, kind string, provenance bool) error {
	if len(r.Memories) == 0 {
		a.hint("nothing yet; 'stemma raw \"…\"' keeps words, 'stemma help' shows the rest")
		return nil
	}
	cols := []column{{title: "ID"}}
	if kind == "" {
		cols = append(cols, column{title: "Type"})
	}
	wide := contentTitle[kind]
	if wide == "" {
		wide = "Content"
	}
	cols = append(cols, column{title: wide, wide: true}, column{title: "Confidence", right: true}, column{title: "Captured"})
	last := &cols[len(cols)-1]
	if kind != string(memory.KindRaw) {
		last.title = "Created"
	}
	if provenance {
		last.title = "Source"
	}
	var rows [][]string
	for _, m := range r.Memories {
		row := []string{a.paint(kindColor[m.Type], short(m.ID))}
		if kind == "" {
			row = append(row, m.Type)
		}
		words := line(m.Headline, 4*a.width())
		if m.Hidden != "" {
			words = "[" + m.Hidden + "] " + words
		}
		if s, ok := m.Content["speaker"].(string); ok && m.Type == string(memory.KindRaw) {
			words = line(s, 40) + ": " + words
		}
		tail := day(m.CreatedAt)
		if provenance {
			tail = m.Source
		}
		rows = append(rows, append(row, words, decimal(m.Confidence), tail))
	}
	a.table(a.env.Stdout, cols, rows)
	if r.More {
		a.hint("… and more; --limit -1 shows all")
	}
	return nil
}

func (a *app) searchCmd() *cobra.Command {
	c := cmd(groupRead, "search WORDS…", "Find memories of every kind by their words", `Examples:
  stemma search "slow API"
  stemma search "slow API" --kind belief --include-provenance
  stemma search handleUserInput --json`)
	var in stemma.SearchRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "how many (default 10, at most 1000)")
	c.Flags().StringVar(&in.Kind, "kind", "", "only this kind")
	c.Flags().BoolVar(&in.All, "all", false, "superseded, rejected and forgotten ones too")
	c.Flags().BoolVar(&in.IncludeProvenance, "include-provenance", false, "show what each came from")
	c.Args = cobra.MinimumNArgs(1)
	c.RunE = verb(a, (*stemma.Engine).Search, func(args []string) (stemma.SearchRequest, error) {
		in.Query = strings.Join(args, " ")
		return in, nil
	}, a.showSearch)
	return c
}

func (a *app) showSearch(r stemma.SearchReply) error {
	if len(r.Results) == 0 {
		a.hint("nothing found for %s", quoted(r.Query, 60))
		return nil
	}
	for _, h := range r.Results {
		said := ""
		if h.Speaker != "" {
			said = line(h.Speaker, 40) + ": "
		}
		if h.Hidden != "" {
			said = "[" + h.Hidden + "] " + said
		}
		fmt.Fprintf(a.env.Stdout, "%d. %s %s%s (%s)\n", h.Rank, a.paint(kindColor[h.Type], "["+h.Type+"]"), said,
			quoted(h.Text, a.width()-30), decimal(h.Confidence))
		when := h.CreatedAt
		if h.OccurredAt != "" {
			when = h.OccurredAt
		}
		fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(dim, fmt.Sprintf("%s:%s  score %.3f  %s", h.Type, short(h.ID), h.Score, minute(when))))
		if h.From != "" {
			fmt.Fprintf(a.env.Stdout, "   📍 From: %s\n", line(h.From, a.width()-12))
		}
	}
	return nil
}
