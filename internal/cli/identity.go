package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) identityCmd() *cobra.Command {
	c := cmd("identity show", "Show the values, goals, drives and beliefs of this memory", `Examples:
  stemma identity show
  stemma identity show --limit 3 --json`)
	show := &cobra.Command{Use: "show", Short: "Show values, active goals, drives and the strongest beliefs",
		Args: cobra.NoArgs}
	var in api.LimitRequest
	show.Flags().IntVar(&in.Limit, "limit", 0, "maximum number of each (default 10; -1 for all)")
	show.RunE = verb(a, (*engine.Engine).Identity, func([]string) (api.LimitRequest, error) { return in, nil },
		a.showIdentity)
	c.AddCommand(show)
	return c
}

func (a *app) showIdentity(r api.IdentityReply) error {
	any := false
	for _, part := range []struct {
		title string
		list  []api.IdentityMemory
		what  func(api.IdentityMemory) string
	}{
		{"Values", r.Values, priorityOf},
		{"Goals", r.Goals, func(m api.IdentityMemory) string {
			if m.Progress != "" {
				return priorityOf(m) + ", " + whole(m.Progress)
			}
			return priorityOf(m)
		}},
		{"Drives", r.Drives, func(m api.IdentityMemory) string { return marks(m.Memory) }},
		{"Beliefs", r.Beliefs, func(m api.IdentityMemory) string { return "confidence " + decimal(m.Confidence) }},
	} {
		if len(part.list) == 0 {
			continue
		}
		any = true
		fmt.Fprintf(a.env.Stdout, "%s\n", a.paint(bold, part.title))
		for _, m := range part.list {
			a.showIdentityOne(m, part.what(m))
		}
	}
	if !any {
		a.hint("no value, goal, drive or belief yet; to add one: stemma value \"…\"")
	}
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	return nil
}

func (a *app) showIdentityOne(m api.IdentityMemory, what string) {
	fmt.Fprintf(a.env.Stdout, "  %s %s\n", a.ref(m.Type, m.ID), a.ofMemory(m.Memory))
	about := a.on(or(m.At, m.CreatedAt)) + writtenBy(m.By) + "; " + what + "; " +
		count(m.EvidenceCount, "piece of evidence", "pieces of evidence") + "; " +
		or(m.Review, "not reviewed") + "; " + or(m.Level, "unverified")
	if m.Confirmations+m.Disputes > 0 {
		about += fmt.Sprintf("; %d confirm, %d dispute", m.Confirmations, m.Disputes)
	}
	fmt.Fprintf(a.env.Stdout, "    %s\n", a.paint(dim, about))
}

func priorityOf(m api.IdentityMemory) string {
	n, _ := m.Content["priority"].(float64)
	return "priority " + strconv.Itoa(int(n))
}
