package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) emotionCmd() *cobra.Command {
	c := cmd("emotion summary | search", "Summarize and search how episodes felt", `Examples:
  stemma emotion summary
  stemma emotion summary --since 720h --json
  stemma emotion search --valence -1..-0.3
  stemma emotion search --label joy --arousal 0.5..`)
	summary := &cobra.Command{Use: "summary", Short: "Summarize how episodes felt, overall and by week",
		Args: cobra.NoArgs}
	var since api.EmotionSummaryRequest
	summary.Flags().StringVar(&since.Since, "since", "",
		"only episodes recorded since: 2026-01-31, or an age such as 720h")
	summary.RunE = verb(a, (*engine.Engine).EmotionSummary,
		func([]string) (api.EmotionSummaryRequest, error) { return since, nil }, a.showEmotions)

	search := &cobra.Command{Use: "search", Short: "List episodes by how they felt", Args: cobra.NoArgs}
	var in api.EmotionSearchRequest
	f := search.Flags()
	span(f.Func, "valence", "range from bad to good, such as -1..-0.3", &in.MinValence, &in.MaxValence)
	span(f.Func, "arousal", "range from calm to excited, such as 0.5..", &in.MinArousal, &in.MaxArousal)
	f.StringVar(&in.Label, "label", "", "name of a feeling")
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	search.RunE = verb(a, (*engine.Engine).EmotionSearch,
		func([]string) (api.EmotionSearchRequest, error) { return in, nil }, a.showFelt)
	c.AddCommand(summary, search)
	return c
}

// span adds a flag that reads "from..to"; either end may be left out, and a number
// alone is both.
func span(add func(name, usage string, set func(string) error), name, usage string, from, to **float64) {
	add(name, usage, func(s string) error {
		least, most, two := strings.Cut(s, "..")
		if !two {
			most = least
		}
		if least == "" && most == "" {
			return fmt.Errorf("%q is not a range; write -1..-0.3", s)
		}
		for _, end := range []struct {
			text string
			into **float64
		}{{least, from}, {most, to}} {
			if end.text == "" {
				continue
			}
			n, err := strconv.ParseFloat(strings.TrimSpace(end.text), 64)
			if err != nil {
				return fmt.Errorf("%q is not a number", end.text)
			}
			*end.into = &n
		}
		return nil
	})
}

func (a *app) showEmotions(r api.EmotionSummaryReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s, %d with a recorded feeling\n", count(r.Episodes, "episode", "episodes"), r.Count)
	if r.Count == 0 {
		a.hint("to record one: stemma episode \"…\" --valence 0.6 --arousal 0.3 --emotion joy")
		return nil
	}
	fmt.Fprintf(w, "Mean: valence %s, arousal %s\n", feeling(*r.MeanValence), decimal(*r.MeanArousal))
	if len(r.Labels) > 0 {
		fmt.Fprintf(w, "Named: %s\n", labels(r.Labels))
	}
	fmt.Fprintln(w, "By week:")
	for _, x := range r.Weeks {
		fmt.Fprintf(w, "  %s  %3d  valence %s, arousal %s  %s\n", x.Week, x.Count,
			feeling(*x.MeanValence), decimal(*x.MeanArousal),
			labels(x.Labels))
	}
	return nil
}

func labels(list []api.LabelCount) string {
	var parts []string
	for _, l := range list {
		parts = append(parts, fmt.Sprintf("%s %d", l.Label, l.Count))
	}
	return whole(strings.Join(parts, ", "))
}

func (a *app) showFelt(r api.ListReply) error {
	if len(r.Memories) == 0 {
		a.hint("no matching episode")
	}
	for _, m := range r.Memories {
		felt, _ := m.Content["emotion"].(map[string]any)
		valence, _ := felt["valence"].(float64)
		arousal, _ := felt["arousal"].(float64)
		about := fmt.Sprintf("valence %s, arousal %s", feeling(valence), decimal(arousal))
		var named []string
		if list, ok := felt["labels"].([]any); ok {
			for _, l := range list {
				named = append(named, fmt.Sprint(l))
			}
			about += "; " + whole(strings.Join(named, ", "))
		}
		fmt.Fprintf(a.env.Stdout, "%s [%s] %s (%s)\n", a.ref(m.Type, m.ID), a.on(or(m.At, m.CreatedAt)), a.ofMemory(m),
			about)
	}
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	return nil
}
