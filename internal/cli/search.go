package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) searchCmd() *cobra.Command {
	c := cmd("search WORDS…", "Find memories by words and meaning", `Examples:
  stemma search "slow API"
  stemma search "slow API" --kind belief --include-provenance
  stemma search handleUserInput --explain
  stemma search "who runs the platform" --as-of 2026-03-01
  stemma search "the cache" --tier observed --since 2026-01-01 --json
  stemma search --tag isnad --min-trust 0.6
  stemma search "supply chain" --min-level attested
  stemma search --like note:5d11`)
	var in api.SearchRequest
	f := c.Flags()
	f.StringVar(&in.Like, "like", "", "memories like this one, in place of words")
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
		if len(args) == 0 && in.Like == "" && in.Tag == "" && in.MinTrust == nil && in.MinLevel == "" {
			return in, fmt.Errorf("search: give words, --like, --tag, --min-trust or --min-level")
		}
		return in, nil
	}, func(r api.SearchReply) error {
		if in.Like != "" && len(r.Results) == 0 {
			a.hint("nothing found like %s", in.Like)
			return nil
		}
		return a.showSearch(r)
	})
	return c
}

func (a *app) showSearch(r api.SearchReply) error {
	a.warn(r.Warnings)
	for _, o := range r.Asked {
		if o.Problem == "" {
			a.hint("also searched %s: %d found in %d ms, %d not stored here", o.Remote, o.Found, o.MS, o.New)
		}
	}
	if len(r.Results) == 0 {
		a.hint("nothing found for %s", cited(r.Query))
		return nil
	}
	if g := r.Gathered; g != nil && len(r.Results) > 0 && r.Results[0].Why != nil {
		fmt.Fprintln(a.env.Stdout, a.paint(dim, gatheredWords(g)))
	}
	for _, h := range r.Results {
		said := ""
		if h.Speaker != "" {
			said = a.speaker(h.Speaker)
		}
		if h.Hidden != "" {
			said = "[" + h.Hidden + "] " + said
		}
		fmt.Fprintf(a.env.Stdout, "%d. %s %s%s (%s)\n", h.Rank, a.paint(kindColor(h.Type), "["+h.Type+"]"), said,
			cited(h.Text), decimal(h.Confidence))
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
		if h.By != "" {
			about += "  by " + a.about(h.By, 80)
		}
		if h.Weak {
			about += "  weak"
		}
		if h.Perhaps {
			about += "  perhaps, in other words"
		}
		if h.Remote != "" {
			about += "  from " + a.about(h.Remote, 40) + ", not verified here"
		}
		if h.Store != "" {
			about += "  " + storeLabel(h.Store)
		}
		fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(dim, about))
		if all := marked(h.Marks, h.Hidden); len(all) > 0 {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(yellow, strings.Join(all, "; ")))
		}
		if len(h.Wording) > 0 {
			fmt.Fprintf(a.env.Stdout, "   %s\n", a.paint(dim, "wording of "+firstRefs(h.Wording, 3)))
		}
		if h.From != "" {
			fmt.Fprintf(a.env.Stdout, "   📍 From: %s\n", whole(h.From))
		}
		if h.Why != nil {
			a.showWhy(h)
		}
	}
	return nil
}

// gatheredWords says why and how everything was gathered.
func gatheredWords(g *api.Gathered) string {
	text := fmt.Sprintf("gathered everything (the question's form: %s)", g.Form)
	if len(g.Names) > 0 {
		text += " about " + whole(strings.Join(g.Names, " "))
	}
	if len(g.Words) > 0 {
		text += " with " + whole(strings.Join(g.Words, ", "))
	}
	if g.Since != "" {
		text += " since " + minute(g.Since)
	}
	if g.Until != "" {
		text += " before " + minute(g.Until)
	}
	return text + fmt.Sprintf(": %d found", g.Found)
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
	add(w.Own, "matching words (%d of %d: %s)", len(w.Terms), len(w.Question), whole(strings.Join(w.Terms, " ")))
	add(w.Propagated, "from neighbouring turns in the session")
	add(w.Shared, "for the best match of its session")
	if w.Cosine != 0 {
		add(w.Meaning, "for its meaning (vector similarity %.3f)", w.Cosine)
	} else {
		add(w.Meaning, "for the meaning of what it is linked with")
	}
	add(w.Graph, "from linked records: %s", w.GraphBy)
	add(w.Wording, "from the words it was made from")
	if len(parts) > 0 {
		fmt.Fprintf(a.env.Stdout, "     relevance: %s\n", strings.Join(parts, ", "))
	}
}
