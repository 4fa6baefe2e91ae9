package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

func (a *app) contextCmd() *cobra.Command {
	c := cmd("context [WORDS…]", "Get what matters for a task, within a token budget", `Examples:
  stemma context "how do we open the database"
  stemma context "the importer" --level deep --format markdown
  stemma context                           what to know before you start work
  stemma context --budget 800 --json

With words, you get what matters for them. Without words, you get values, goals,
constraints, open conflicts, decisions and recent work. The answer never exceeds
the budget`)
	var in api.ContextRequest
	f := c.Flags()
	verbose := f.BoolP("verbose", "v", false, "without words: also show where each entry came from")
	f.StringVar(&in.Level, "level", "task", "size: minimal, task or deep (500, 2000 or 4000 tokens)")
	f.IntVar(&in.Budget, "budget", 0, "token budget, 100 to 50000; overrides --level")
	f.BoolVar(&in.Uncommitted, "uncommitted", false, "compare code with the working tree")
	format := f.String("format", "text", "output format: text, markdown or json")
	a.embeds = true
	c.RunE = func(cmd *cobra.Command, args []string) error {
		in.Query = strings.Join(args, " ")
		switch {
		case len(args) == 0 && in.Uncommitted:
			return errors.New("context: --uncommitted needs words")
		case len(args) == 0:
			a.embeds = false
			return a.loadRun(cmd, *format, api.LoadRequest{Level: in.Level, Budget: in.Budget, Verbose: *verbose})
		case *verbose:
			return errors.New("context: --verbose takes no words")
		}
		return packVerb(a, cmd, *format, &in.Budget, &in.Format, (*engine.Engine).Context, &in)
	}
	return c
}

func (a *app) loadCmd() *cobra.Command {
	c := cmd("load", "Get what to know before you start work", `Examples:
  stemma load
  stemma load --budget 1500 -v
  stemma load --format markdown`)
	var in api.LoadRequest
	f := c.Flags()
	f.StringVar(&in.Level, "level", "task", "size: minimal, task or deep (500, 2000 or 4000 tokens)")
	f.IntVar(&in.Budget, "budget", 0, "token budget, 100 to 50000; overrides --level")
	f.BoolVarP(&in.Verbose, "verbose", "v", false, "also show where each entry came from")
	format := f.String("format", "text", "output format: text, markdown or json")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.loadRun(cmd, *format, in)
	}
	return c
}

// loadRun returns what to know when work begins.
func (a *app) loadRun(cmd *cobra.Command, format string, in api.LoadRequest) error {
	if err := a.autoSync(cmd.Context()); err != nil {
		return ran{err}
	}
	return packVerb(a, cmd, format, &in.Budget, &in.Format, (*engine.Engine).Load, &in)
}

// packVerb builds a pack and prints it unchanged: JSON is not indented, since the budget
// counts what is printed.
func packVerb[In any](a *app, cmd *cobra.Command, format string, budget *int, printed *string,
	do method[In, api.ContextReply],
	in *In) error {
	if a.flags.json {
		format = "json"
	}
	*printed = format
	if !cmd.Flags().Changed("budget") && !cmd.Flags().Changed("level") {
		set, err := a.settings()
		if err != nil {
			return ran{err}
		}
		*budget = set.Int("pack.budget")
	} else if cmd.Flags().Changed("budget") && *budget == 0 {
		return fmt.Errorf("--budget: must be from 100 to 50000 tokens, got 0")
	}
	server, err := a.remote()
	if err != nil {
		return ran{err}
	}
	if server != nil {
		body, err := client.Pack(cmd.Context(), server, ops.NameOf(do), *in, format)
		if err == nil {
			_, err = a.env.Stdout.Write(body)
		}
		return asRan(err)
	}
	e, err := a.openToRead(cmd.Context())
	if err != nil {
		return ran{err}
	}
	r, err := do(e, cmd.Context(), *in)
	if err != nil {
		return ran{err}
	}
	a.warn(r.Warnings)
	body, err := r.Render(format, a.onTerminal())
	if err != nil {
		return ran{err}
	}
	end := func() error { return nil }
	if format == "text" || format == "" {
		end = a.wrapped()
	}
	_, err = a.env.Stdout.Write(body)
	return errors.Join(err, end())
}

func (a *app) recentCmd() *cobra.Command {
	c := cmd("recent", "List records of this session, or since a time", `Examples:
  stemma recent
  stemma recent --since 2h
  stemma recent --since 2026-11-01 --limit -1
  stemma recent --session morning
  stemma recent --waiting              prompts that are not memories yet, the oldest first
  stemma recent --waiting --not-kept   those that were settled as not worth keeping`)
	var in api.RecentRequest
	c.Flags().StringVar(&in.Since, "since", "", "a time, or an age such as 2h (default: one day, or the session)")
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	c.Flags().BoolVar(&in.Waiting, "waiting", false, "prompts that are not memories yet, of all sessions")
	c.Flags().BoolVar(&in.NotKept, "not-kept", false, "with --waiting: prompts that were not kept instead")
	c.Flags().IntVar(&in.Budget, "budget", 0, "with --waiting: tokens for the words (default 2000)")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).Recent, func([]string) (api.RecentRequest, error) {
		in.Session = a.flags.session
		return in, nil
	}, func(r api.ListReply) error {
		switch {
		case in.Waiting:
			a.showWaiting(r, in.NotKept)
			return nil
		case len(r.Memories) == 0:
			a.hint("nothing was recorded; use --since to look further back")
			return nil
		}
		return a.showList(r, "", false)
	})
	return c
}

// showWaiting shows prompts in groups, each with its day and all its words that were given.
func (a *app) showWaiting(r api.ListReply, notKept bool) {
	w := a.env.Stdout
	for _, g := range r.Waiting {
		fmt.Fprintf(w, "%s\n", a.paint(dim, "session "+line(or(g.Session, "none"), 80)))
		for _, p := range g.Prompts {
			text := cited(p.Text)
			if p.Cut {
				text += fmt.Sprintf(" (of %d words; stemma show %s has all)", p.Words, shortRef(p.Ref))
			}
			fmt.Fprintf(w, "  %s %s %s\n", shortRef(p.Ref), a.on(p.At), text)
		}
	}
	switch {
	case r.Hint != "":
		a.hint("%s", r.Hint)
	case notKept:
		a.hint("no prompt was settled as not kept")
	default:
		a.hint("no prompt waits")
	}
}
