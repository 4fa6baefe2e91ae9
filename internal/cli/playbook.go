package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) playbookFindCmd() *cobra.Command {
	c := &cobra.Command{Use: "find SITUATION…", Short: "Find playbooks for a situation, with success rates",
		Example: "  stemma playbook find \"errors after a deploy\"\n" +
			"  stemma playbook find \"errors after a deploy\" --limit 3 --json"}
	var in api.PlaybookFindRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 10)")
	a.embeds = true
	c.RunE = verb(a, (*engine.Engine).PlaybookFind, func(args []string) (api.PlaybookFindRequest, error) {
		if in.Situation = strings.Join(args, " "); in.Situation == "" {
			return in, fmt.Errorf("playbook find: describe the situation")
		}
		return in, nil
	}, a.showPlaybooks)
	return c
}

func (a *app) showPlaybooks(r api.PlaybookFindReply) error {
	a.warn(r.Warnings)
	if len(r.Playbooks) == 0 {
		a.hint("no playbook for %s", cited(r.Situation))
	}
	w := a.env.Stdout
	for _, p := range r.Playbooks {
		fmt.Fprintf(w, "%d. %s %s\n", p.Rank, a.ref(p.Type, p.ID), whole(p.Headline))
		status := or(p.Review, "not reviewed")
		if p.Level != "" {
			status += ", " + p.Level
		}
		fmt.Fprintf(w, "   %s\n", a.paint(dim, fmt.Sprintf("%s; score %.3f; %s", served(p.Memory), p.Score, status)))
		steps, _ := p.Content["steps"].([]any)
		for i, s := range steps {
			fmt.Fprintf(w, "   %d. %s\n", i+1, whole(fmt.Sprint(s)))
		}
	}
	return nil
}

func (a *app) playbookOutcomeCmd() *cobra.Command {
	c := &cobra.Command{Use: "outcome ID success|failure", Aliases: []string{"used"},
		Short: "Record whether a playbook helped",
		Example: "  stemma playbook outcome 3f9a success\n" +
			"  stemma playbook outcome 3f9a failure --notes \"step 2 needs a lock\""}
	var in api.PlaybookOutcomeRequest
	c.Flags().StringVar(&in.Notes, "notes", "", "what happened")
	c.RunE = verb(a, (*engine.Engine).PlaybookOutcome, func(args []string) (api.PlaybookOutcomeRequest, error) {
		var err error
		in.Ref, in.Outcome, err = refAndWord(args, "success or failure")
		return in, err
	}, a.showMarked)
	return a.refVerb(c, memory.KindPlaybook)
}
