package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// named returns the verbs that stand among args: the others need not be made, and
// making all takes longer than keeping words does. Nil is all of them, where
// there is no verb among args or one that speaks of the others.
func (a *app) named(args []string) map[string]bool {
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-v") {
		return map[string]bool{} // it needs none
	}
	var only map[string]bool
	known := make(map[string]bool)
	for _, v := range a.verbs() {
		known[v.name] = true
	}
	for _, arg := range args {
		if arg == "help" || arg == "man" || arg == "completion" || strings.HasPrefix(arg, "__") {
			return nil
		}
		if known[arg] {
			if only == nil {
				only = make(map[string]bool)
			}
			only[arg] = true
		}
	}
	return only
}

// root makes the command line with the verbs named in only, or all for nil.
func (a *app) root(only map[string]bool) *cobra.Command {
	root := &cobra.Command{
		Use:           "stemma",
		Short:         "Memory for AI agents that shows its sources",
		Long:          rootLong + exitCodes(),
		SilenceErrors: true, SilenceUsage: true,

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			if err := a.servable(cmd); err != nil {
				return err
			}
			var err error
			if a.flags.store, err = a.expanded("--store", a.flags.store); err != nil {
				return ran{err}
			}
			return a.prove(cmd)
		},
	}
	a.showsVersion(root)
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	a.subjects(root)
	f := root.PersistentFlags()
	f.StringVar(&a.flags.store, "store", "",
		"store to use: a file or a postgres:// address (default: STEMMA_STORE, the nearest .stemma, your own store)")
	f.StringVar(&a.flags.space, "space", "",
		`space to use, by name; "*" reads all (default: STEMMA_SPACE, the project that you are in, "me" outside any)`)
	f.BoolVar(&a.flags.everywhere, "everywhere", false, `read all projects, the same as --space "*"`)
	f.StringVar(&a.flags.url, "url", a.env.Getenv("STEMMA_URL"),
		"ask the server at this address (token: STEMMA_TOKEN; your own local server needs none)")
	f.StringVar(&a.flags.session, "session", a.env.Getenv("STEMMA_SESSION"), "session that writes belong to")
	f.BoolVar(&a.flags.user, "user", false, "use your own store, not the project's")
	f.BoolVar(&a.flags.project, "project", false, "use the project's store, never your own")
	f.BoolVar(&a.flags.json, "json", false, "print the answer as JSON")
	f.StringVar(&a.flags.color, "color", "auto", "colour the output: auto, always or never")
	for _, v := range a.verbs() {
		if only == nil || only[v.name] {
			c := v.make()
			if v.refs {
				a.refVerb(c, "")
			}
			c.GroupID = v.subject
			sentences(c)
			whys(c)
			if v.same != "" {
				c.Hidden = true
				c.Long += "\n\nSame as: stemma " + v.same
			}
			root.AddCommand(c)
		}
	}
	return root
}

// emptyFlags refuses a limit of nothing and a space without a name, which only a mistake in a script
// gives: they would be taken for the default.
func emptyFlags(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("limit"); f != nil && f.Changed && f.Value.String() == "0" {
		return errors.New("--limit: must be at least 1, or -1 for all where there is no bound, got 0")
	}
	if f := cmd.Flags(); f.Changed("space") && f.Changed("everywhere") {
		return errors.New("--everywhere reads all projects and --space one space: give one of them")
	}
	if f := cmd.Flags().Lookup("space"); f != nil && f.Changed && strings.TrimSpace(f.Value.String()) == "" {
		return errors.New("--space: must name a space, got an empty name; leave it out for the project that you are in")
	}
	return nil
}
