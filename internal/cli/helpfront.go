package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/ops"
)

// rootLong begins the manual page of the program.
const rootLong = `Examples:
  stemma capture "the API felt slow today"   keep the exact words
  stemma promote raw:3f9a -m "Profiled it"   make an episode from them
  stemma consolidate episode:81c0 episode:5d11 -m "Caching pays off"
  stemma trace belief:a04e                   show the sources, down to the words
  stemma search "slow API"                   find it again
  stemma context "the slow API"              get what matters, within a token budget
  stemma tour                                see it work on this repository

stemma keeps what agents and people remember as signed records. Each record names
its sources, so you can trace any belief back to the words behind it.`

// subjects registers the subjects of the help with cobra, and sets the program's own help.
func (a *app) subjects(root *cobra.Command) {
	for _, s := range subjectTitles {
		root.AddGroup(&cobra.Group{ID: s.name, Title: s.title})
	}
	root.SetCompletionCommandGroupID(subjectStart)
	root.SetHelpCommand(a.helpCmd())
	usual := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c.HasParent() {
			usual(c, args)
			return
		}
		frontPage(c.OutOrStdout(), c)
	})
}

// frontPage is the first screen of the help.
func frontPage(w io.Writer, root *cobra.Command) {
	fmt.Fprint(w, "stemma - memory for AI agents that shows its sources\n\nUsage: stemma VERB [WORDS…] [flags]\n\n"+
		"Verbs:\n")
	for _, name := range frontVerbs {
		fmt.Fprintf(w, "  %-10s %s\n", name, below(root, name).Short)
	}
	fmt.Fprint(w, `
Flags of every verb:
  --json          print the answer as JSON
  --store STORE   use this store: a file or a postgres:// address
  --space NAME    use this space; "*" reads all spaces
  --user          use your own store, not the project's

More help:
  stemma VERB --help       examples and flags of one verb
  stemma help --all        all verbs, by subject
  stemma help SUBJECT      the verbs of one subject:
                           `)
	fmt.Fprintln(w, wrapped(subjectNames(), 27, 80))
	fmt.Fprint(w, `  stemma help exit-codes   what the exit codes mean
  stemma tour              see it work on this repository
`)
}

// subjectNames are the names of the subjects, with commas between them.
func subjectNames() []string {
	var names []string
	for _, s := range subjectTitles {
		names = append(names, s.name)
	}
	return names
}

// wrapped joins names by commas, in lines of at most so many columns.
func wrapped(names []string, indent, columns int) string {
	words := slices.Clone(names)
	for i := range len(words) - 1 {
		words[i] += ","
	}
	return filled(words, indent, columns)
}

// topicExits is a page of the help that is no subject and no verb.
const topicExits = "exit-codes"

// helpCmd shows a verb's help, a subject, or all verbs.
func (a *app) helpCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "help [VERB | SUBJECT | exit-codes]", Short: "Show help for a verb or a subject", GroupID: subjectStart,
		Long: `Examples:
  stemma help
  stemma help --all
  stemma help trace
  stemma help lineage      the verbs of one subject
  stemma help exit-codes

Subjects: ` + wrapped(subjectNames(), 0, 80),
	}
	all := c.Flags().Bool("all", false, "list all verbs, by subject")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		root, w := cmd.Root(), a.env.Stdout
		switch {
		case *all && len(args) > 0:
			return fmt.Errorf("help: --all takes no words, got %s", quoted(args[0], 40))
		case *all:
			allVerbs(w, root)
			return nil
		case len(args) == 1 && args[0] == topicExits:
			fmt.Fprintln(w, strings.TrimSpace(exitCodes()))
			return nil
		}
		found, rest, err := root.Find(args)
		if err == nil && len(rest) == 0 {
			found.InitDefaultHelpFlag()
			return found.Help()
		}
		if s := slices.Index(subjectNames(), args[0]); s >= 0 && len(args) == 1 {
			subjectPage(w, root, s)
			return nil
		}
		return noVerb(root, strings.Join(args, " "), "", "")
	}
	c.ValidArgsFunction = completeHelp
	return c
}

// completeHelp offers the verbs below what was typed, and at first the subjects.
func completeHelp(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	at, _, err := c.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, sub := range at.Commands() {
		if !sub.Hidden && strings.HasPrefix(sub.Name(), typed) {
			out = append(out, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	if at == c.Root() {
		for _, s := range subjectTitles {
			if strings.HasPrefix(s.name, typed) {
				out = append(out, cobra.CompletionWithDesc(s.name, s.title))
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// allVerbs lists what there is, by subject.
func allVerbs(w io.Writer, root *cobra.Command) {
	for i := range subjectTitles {
		subjectPage(w, root, i)
		fmt.Fprintln(w)
	}
	var others []string
	for _, v := range (&app{}).otherNames() {
		others = append(others, v.name+" ("+v.same+")")
	}
	fmt.Fprintf(w, "Other names of the same:\n    %s\n\n", wrapped(others, 4, 80))
	fmt.Fprintf(w, "Flags of every verb:\n%s%s\n", root.PersistentFlags().FlagUsages(), exitCodes())
}

// subjectPage lists the verbs of a subject.
func subjectPage(w io.Writer, root *cobra.Command, subject int) {
	s := subjectTitles[subject]
	fmt.Fprintf(w, "%s (%s)\n", s.title, s.name)
	for _, c := range inOrder(root, s.name) {
		fmt.Fprintf(w, "  %-14s %s\n", c.Name(), c.Short)
	}
}

// inOrder returns the verbs of a subject in the order of the table, and behind them those
// that are in no table.
func inOrder(root *cobra.Command, subject string) []*cobra.Command {
	var out []*cobra.Command
	place := make(map[string]int)
	for i, v := range (&app{}).verbs() {
		place[v.name] = i + 1
	}
	for _, c := range root.Commands() {
		if c.GroupID == subject && !c.Hidden {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y *cobra.Command) int { return rank(place, x) - rank(place, y) })
	return out
}

// rank is the place of a verb, behind all others if it has none.
func rank(place map[string]int, c *cobra.Command) int {
	if n := place[c.Name()]; n > 0 {
		return n
	}
	return len(place) + 1
}

// exitCodes is the page of the help that scripts rely on.
func exitCodes() string {
	var b strings.Builder
	b.WriteString("\n\nExit codes:\n")
	codes := map[int]string{
		ops.ExitOK: "done", ops.ExitFailed: "a check found a problem, or something unexpected happened",
		ops.ExitUsage: "the command line is wrong: a mistyped verb or flag, a missing or empty argument",
		130:           "interrupted by Ctrl-C; 143: by SIGTERM",
	}
	for _, s := range ops.Statuses {
		codes[s.Exit] = s.Doc
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		fmt.Fprintf(&b, "  %-3d %s\n", code, codes[code])
	}
	b.WriteString("\nWith --json, an error is an object on standard error: {\"error\":{\"kind\",\"message\",\"exit\"}}.")
	return b.String()
}

// noVerb says that there is no such verb, and which one may have been meant.
func noVerb(c *cobra.Command, word, like, way string) error {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	text := fmt.Sprintf("unknown verb %s", quoted(word, 40))
	switch {
	case path != "" && c.HasSubCommands():
		text = path + ": " + text
	case path != "":
		text = fmt.Sprintf("%s: %s is not a record", path, quoted(word, 40))
	}
	switch {
	case like != "":
		return errors.New(text + "; did you mean '" + like + "'?" + way)
	case path == "":
		return errors.New(text + "; 'stemma help --all' lists all verbs")
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return errors.New(text + "; it has " + strings.Join(names, ", "))
}
