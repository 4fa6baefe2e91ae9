package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) listCmd() *cobra.Command {
	c := cmd("list [KIND]", "List memories, newest first", `Examples:
  stemma list
  stemma list belief --provenance
  stemma list raw --unprocessed --limit 20`)
	a.listRun(c, "")
	return c
}

func (a *app) kindList(k memory.Kind) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List them, newest first"}
	a.listRun(c, k)
	return c
}

func (a *app) listRun(c *cobra.Command, kind memory.Kind) {
	var in api.ListRequest
	f := c.Flags()
	provenance := f.Bool("provenance", false, "also show the sources")
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	f.BoolVar(&in.All, "all", false, "also superseded, rejected and forgotten memories")
	f.BoolVar(&in.Oldest, "oldest", false, "oldest first")
	f.StringVar(&in.Tag, "tag", "", "only memories with this tag")
	f.StringVar(&in.Type, "type", "", "only this type within its kind, such as decision")
	if kind == "" || kind == memory.KindRaw {
		f.BoolVar(&in.Unprocessed, "unprocessed", false, "only unprocessed captures")
	}
	named := f.String("kind", string(kind), "only this kind")
	f.Lookup("kind").Hidden = true // the word does it; search has the flag
	c.Args = cobra.MaximumNArgs(1)
	request := func(args []string) (api.ListRequest, error) {
		in.Kind, in.Session = *named, a.flags.session
		if kind != "" && *named != string(kind) {
			return in, fmt.Errorf("%s list: lists the kind %s only, got --kind %s; to list another kind: stemma list KIND",
				kind, kind, cited(*named))
		}
		if len(args) == 1 {
			if kind != "" {
				return in, fmt.Errorf("%s list takes no words; to store the words: stemma %s -- list …", kind, kind)
			}
			if *named != "" && *named != args[0] {
				return in, fmt.Errorf("list: name one kind, got %s and %s", quoted(args[0], 40), quoted(*named, 40))
			}
			in.Kind = args[0]
		}
		return in, nil
	}
	some := verb(a, (*engine.Engine).List, request, func(r api.ListReply) error {
		return a.showList(r, in.Kind, *provenance)
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if server, err := a.remote(); in.Limit >= 0 || server != nil || err != nil {
			return some(cmd, args)
		}
		in, err := request(args)
		if err != nil {
			return err
		}
		return a.listAll(cmd.Context(), in, *provenance)
	}
}

type ownShown struct {
	title string
	says  func(api.Memory) string
}

// ownColumn is what a list of one kind shows that no other has.
var ownColumn = map[string]ownShown{
	"goal":  {"Status", marks},
	"drive": {"Strength", marks},
	"relationship": {"Sentiment", func(m api.Memory) string {
		s, _ := m.Content["sentiment"].(float64)
		return feeling(s)
	}},
}

func (a *app) showList(r api.ListReply, kind string, provenance bool) error {
	if name := a.flags.space; len(r.Memories) == 0 && name != "" && name != "*" {
		a.hint("nothing to show in a space named %s; to list the spaces: stemma status --counts", cited(name))
		return nil
	}
	if len(r.Memories) == 0 && kind == "" {
		a.hint("no memories yet; to add one: stemma remember \"…\"; to list captures: stemma raw list")
		return nil
	}
	if len(r.Memories) == 0 {
		a.hint("nothing to show; to add one: stemma %s \"…\"", kind)
		return nil
	}
	a.table(a.env.Stdout, listColumns(kind, provenance), a.listRows(r.Memories, kind, provenance))
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	return nil
}

// listColumns are the columns of a list of one kind, "" is all.
func listColumns(kind string, provenance bool) []column {
	cols := []column{{title: "ID"}}
	if kind == "" {
		cols = append(cols, column{title: "Type"})
	}
	wide := memory.Kind(kind).Form().Title
	if wide == "" {
		wide = "Content"
	}
	raws := kind == string(memory.KindRaw)
	cols = append(cols, column{title: wide, wide: true})
	switch {
	case provenance:
		cols = append(cols, column{title: "Confidence", right: true})
	case !raws:
		cols = append(cols, column{title: "Confidence"}, column{title: "Code Refs"})
	}
	if own := ownOf(kind); own.title != "" {
		cols = append(cols, column{title: own.title})
	}
	last := column{title: "When (" + zone().String() + ")"}
	if provenance {
		last.title = "Source"
	}
	cols = append(cols, last)
	return cols
}

// ownOf is what a list of a kind shows that no other has.
func ownOf(kind string) ownShown {
	own := ownColumn[kind]
	if memory.Kind(kind).Form().Served {
		own.title, own.says = "Served", served
	}
	return own
}

// listRows are the rows of a list.
func (a *app) listRows(memories []api.Memory, kind string, provenance bool) [][]string {
	own, raws := ownOf(kind), kind == string(memory.KindRaw)
	var rows [][]string
	for _, m := range memories {
		row := []string{a.paint(kindColor(m.Type), short(m.ID))}
		if kind == "" {
			row = append(row, subtype(m))
		}
		words := whole(m.Headline)
		if m.Hidden != "" {
			words = "[" + m.Hidden + "] " + words
		}
		if s, ok := m.Content["speaker"].(string); ok {
			words = whole(s) + ": " + words
		}
		tail := day(or(m.At, m.CreatedAt))
		if provenance {
			tail = m.Source
		}
		if m.Store == "user" {
			words += a.paint(dim, " (yours)")
		}
		if own.title == "" {
			words += a.paint(dim, nowAside(m.Course))
		}
		words += a.paint(yellow, marksAside(&m))
		row = append(row, words)
		switch {
		case provenance:
			row = append(row, decimal(m.Confidence))
		case !raws:
			row = append(row, or(m.Tier, "-"), files(m.CodeRefs))
		}
		if own.title != "" {
			row = append(row, own.says(m))
		}
		rows = append(rows, append(row, tail))
	}
	return rows
}

// subtype is the type a kind distinguishes, such as decision, or the kind.
func subtype(m api.Memory) string {
	if t, ok := m.Content["type"].(string); ok && m.Type == string(memory.KindNote) && t != "" {
		return t
	}
	return m.Type
}

// files returns the number of files with code that a memory names.
func files(refs []string) string {
	seen := make(map[string]bool)
	for _, r := range refs {
		path, _, _ := strings.Cut(r, "#")
		seen[strings.TrimRight(path, "0123456789-:")] = true
	}
	switch len(seen) {
	case 0:
		return "-"
	case 1:
		return "1 file"
	}
	return fmt.Sprintf("%d files", len(seen))
}
