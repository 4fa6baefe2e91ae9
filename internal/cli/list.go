package cli

import (
	"fmt"
	"strconv"
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
	c.RunE = verb(a, (*engine.Engine).List, func(args []string) (api.ListRequest, error) {
		in.Kind, in.Session = *named, a.flags.session
		if kind != "" && *named != string(kind) {
			return in, fmt.Errorf("%s list: lists the kind %s only, got --kind %s; to list another kind: stemma list KIND",
				kind, kind, quoted(*named, 40))
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
	}, func(r api.ListReply) error { return a.showList(r, in.Kind, *provenance) })
}

// ownColumn is what a list of one kind shows that no other has.
var ownColumn = map[string]struct {
	title string
	says  func(api.Memory) string
}{
	"goal":  {"Status", marks},
	"drive": {"Strength", marks},
	"relationship": {"Sentiment", func(m api.Memory) string {
		s, _ := m.Content["sentiment"].(float64)
		return feeling(s)
	}},
}

func (a *app) showList(r api.ListReply, kind string, provenance bool) error {
	if len(r.Memories) == 0 && kind == "" {
		a.hint("no memories yet; to add one: stemma remember \"…\"; to list captures: stemma raw list")
		return nil
	}
	if len(r.Memories) == 0 {
		a.hint("nothing to show; to add one: stemma %s \"…\"", kind)
		return nil
	}
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
	own := ownColumn[kind]
	if memory.Kind(kind).Form().Served {
		own.title, own.says = "Served", served
	}
	if own.title != "" {
		cols = append(cols, column{title: own.title})
	}
	last := column{title: "Captured"}
	if !raws {
		last.title = "Created"
	}
	if provenance {
		last.title = "Source"
	}
	cols = append(cols, last)
	var rows [][]string
	for _, m := range r.Memories {
		row := []string{a.paint(kindColor(m.Type), short(m.ID))}
		if kind == "" {
			row = append(row, subtype(m))
		}
		words := line(m.Headline, 4*a.width())
		if m.Hidden != "" {
			words = "[" + m.Hidden + "] " + words
		}
		if s, ok := m.Content["speaker"].(string); ok {
			words = line(s, 40) + ": " + words
		}
		tail := day(m.CreatedAt)
		if provenance {
			tail = m.Source
		}
		if m.Store == "user" {
			words += a.paint(dim, " (yours)")
		}
		if own.title == "" {
			words += a.paint(dim, nowAside(m.Course))
		}
		if marks := trustMarks(m.Tainted, m.Disputed); marks != "" {
			words += a.paint(yellow, " ("+marks+")")
		}
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
	a.table(a.env.Stdout, cols, rows)
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	return nil
}

// trustMarks returns the warnings to print beside a memory, "" for none.
func trustMarks(external, disputed bool) string {
	switch {
	case external && disputed:
		return "external, disputed"
	case external:
		return "external"
	case disputed:
		return "disputed"
	}
	return ""
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

func (a *app) searchCmd() *cobra.Command {
	c := cmd("search WORDS…", "Find memories by words and meaning", `Examples:
  stemma search "slow API"
  stemma search "slow API" --kind belief --include-provenance
  stemma search handleUserInput --explain
  stemma search "who runs the platform" --as-of 2026-03-01
  stemma search "the cache" --tier observed --since 2026-01-01 --json
  stemma search --tag isnad --min-trust 0.6
  stemma search "supply chain" --min-level attested`)
	var in api.SearchRequest
	f := c.Flags()
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 10, up to 1000)")
	f.StringVar(&in.Kind, "kind", "", "only this kind; several kinds separated by commas")
	f.StringVar(&in.Type, "type", "", "only this type within its kind, such as decision")
	f.StringVar(&in.Tier, "tier", "", "minimum tier: grounded, observed, inferred, hypothesis")
	tags := f.StringArray("tag", nil, "only memories with this tag; repeatable: all tags must match")
	least := f.Float64("min-trust", 0, "minimum trust score, 0 to 1")
	f.StringVar(&in.MinLevel, "min-level", "", "minimum trust level: attested, anchored, consensus")
	f.StringVar(&in.Session, "in-session", "", "only captures of this session")
	f.StringVar(&in.Since, "since", "", "only what happened or was recorded since this time")
	f.StringVar(&in.Until, "until", "", "only what happened or was recorded before this time")
	f.StringVar(&in.AsOf, "as-of", "", "search memory as it was at this time")
	f.StringVar(&in.ValidAt, "valid-at", "", "only what was valid at this time")
	f.BoolVar(&in.All, "all", false, "also superseded, rejected and forgotten memories")
	f.BoolVar(&in.IncludeProvenance, "include-provenance", false, "also show the sources")
	f.BoolVar(&in.Explain, "explain", false, "show how each score was computed")
	a.embeds = true
	c.RunE = verb(a, (*engine.Engine).Search, func(args []string) (api.SearchRequest, error) {
		in.Query, in.Tag = strings.Join(args, " "), strings.Join(*tags, ",")
		if f.Changed("min-trust") {
			in.MinTrust = least
		}
		if len(args) == 0 && in.Tag == "" && in.MinTrust == nil && in.MinLevel == "" {
			return in, fmt.Errorf("search: give words, --tag, --min-trust or --min-level")
		}
		return in, nil
	}, a.showSearch)
	return c
}

func (a *app) showSearch(r api.SearchReply) error {
	a.warn(r.Warnings)
	for _, o := range r.Asked {
		if o.Problem == "" {
			a.hint("also searched %s: %d found in %d ms, %d not stored here", o.Remote, o.Found, o.Millis, o.New)
		}
	}
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
		fmt.Fprintf(a.env.Stdout, "%d. %s %s%s (%s)\n", h.Rank, a.paint(kindColor(h.Type), "["+h.Type+"]"), said,
			quoted(h.Text, a.width()-30), decimal(h.Confidence))
		when := h.CreatedAt
		if h.OccurredAt != "" {
			when = h.OccurredAt
		}
		about := fmt.Sprintf("%s:%s  score %.3f  %s", h.Type, short(h.ID), h.Score, minute(when))
		if h.Tier != "" {
			about += "  " + h.Tier
		}
		if engine.CourseWords(h.Course) != "" {
			about += "  " + now(h.Course)
		}
		if h.Level != "unverified" {
			about += "  " + h.Level
		}
		if marks := trustMarks(h.Tainted, h.Disputed); marks != "" {
			about += "  " + marks
		}
		if h.Weak {
			about += "  weak"
		}
		if h.Remote != "" {
			about += "  from " + line(h.Remote, 40) + ", not verified here"
		}
		if h.Store != "" {
			about += "  " + storeLabel(h.Store)
		}
		fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(dim, about))
		if h.Until != "" {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(yellow, "until "+minute(h.Until)))
		}
		for _, m := range h.Marks {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(yellow, line(m, 120)))
		}
		if len(h.Wording) > 0 {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(dim, "wording of "+firstRefs(h.Wording, 3)))
		}
		for _, o := range h.Open {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(yellow, line(o, 80)+", undecided"))
		}
		if h.From != "" {
			fmt.Fprintf(a.env.Stdout, "   📍 From: %s\n", line(h.From, a.width()-12))
		}
		if h.Why != nil {
			a.showWhy(h)
		}
	}
	return nil
}

// firstRefs names the first few refs, and counts the rest.
func firstRefs(refs []string, most int) string {
	var out []string
	for _, r := range refs[:min(most, len(refs))] {
		out = append(out, shortRef(r))
	}
	text := strings.Join(out, ", ")
	if more := len(refs) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// storeLabel says whose store a record is from.
func storeLabel(store string) string {
	if store == "user" {
		return "your own"
	}
	return "the " + store + "'s"
}

// factor writes what something is multiplied with, to as many decimals as it has.
func factor(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// showWhy prints a score as a product that can be checked, and what made up the
// relevance in it.
func (a *app) showWhy(h api.Result) {
	f, w := h.Factors, h.Why
	fmt.Fprintf(a.env.Stdout, "   = %.3f relevance × %.1f tier (%s) × %s trust × %.3f recency\n",
		f.Relevance, f.Tier, or(h.Tier, "raw words"), factor(f.Trust), f.Recency)
	var parts []string
	add := func(n float64, format string, args ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%.3f ", n)+fmt.Sprintf(format, args...))
		}
	}
	add(w.Own, "matching words (%d of %d: %s)", len(w.Terms), len(w.Question), line(strings.Join(w.Terms, " "), 60))
	add(w.Propagated, "from neighbouring turns in the session")
	add(w.Shared, "for the best match of its session")
	add(w.Cosine, "vector similarity")
	add(w.Graph, "from linked records: %s", w.GraphBy)
	add(w.Wording, "from the words it was made from")
	if len(parts) > 0 {
		fmt.Fprintf(a.env.Stdout, "     relevance: %s\n", strings.Join(parts, ", "))
	}
}
