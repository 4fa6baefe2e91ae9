package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) conflictsCmd() *cobra.Command {
	c := cmd("conflicts", "List memories that contradict each other", `Examples:
  stemma conflicts
  stemma conflicts --all             all links, decided ones included
  stemma resolve link:3f9a --keep new`)
	var in api.OpenRequest
	c.Flags().BoolVar(&in.All, "all", false, "also decided ones, and links of every relation")
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).Conflicts, func([]string) (api.OpenRequest, error) { return in, nil },
		a.showConflicts)
	return c
}

func (a *app) showConflicts(r api.ConflictsReply) error {
	for _, l := range r.Conflicts {
		a.showLink(l)
	}
	for _, f := range r.Forks {
		a.showFork(f)
	}
	switch {
	case r.More:
		a.hint("there are more; use --limit to show them")
	case len(r.Conflicts) == 0 && len(r.Forks) > 0:
		a.hint("to replace all revisions with one: stemma resolve REF --merge TEXT")
	case len(r.Conflicts) == 0:
		a.hint("nothing to review")
	default:
		a.hint("to decide: stemma resolve LINK --keep old|new|both, --merge TEXT or --dismiss")
	}
	return nil
}

// showFork shows the rival revisions of a memory.
func (a *app) showFork(f api.ForkView) {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s has concurrent revisions\n", a.paint(yellow, shortRef(f.Shown.Ref)))
	for i, end := range append([]api.LinkEnd{f.Shown}, f.Siblings...) {
		name := "other "
		if i == 0 {
			name = "shown "
		}
		fmt.Fprintf(w, "  %s  %s [%s%s%s] %s\n", name, shortRef(end.Ref), a.on(or(end.At, end.CreatedAt)), writtenBy(end.By),
			marksBeside(end, ""),
			a.saidBy(end.Speaker, or(end.Text, end.Headline)))
	}
}

// marksBeside returns the marks of one of two memories, without those that say what the link between them says.
func marksBeside(end api.LinkEnd, other string) string {
	marks := slices.Clone(end.Marks)
	if len(marks) == 0 && end.Hidden != "" {
		marks = []string{end.Hidden}
	}
	out := ""
	for _, m := range marks {
		if other == "" || !strings.HasSuffix(m, " "+shortRef(other)) || strings.HasPrefix(m, "replaced by ") {
			out += ", " + whole(m)
		}
	}
	return out
}

// writtenBy names the author of one of two memories where another person wrote it.
func writtenBy(name string) string {
	if name == "" {
		return ""
	}
	return ", by " + whole(name)
}

// linkState says how a link stands: whom it waits for where an agent may settle it, and why it was let go.
func linkState(l api.LinkView) string {
	switch {
	case l.Ended != "":
		return "let go: " + whole(l.Ended)
	case l.For != "":
		return l.State + ", for the " + l.For
	}
	return l.State
}

func (a *app) showLink(l api.LinkView) {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s, confidence %s, by %s, %s\n", a.paint(yellow, shortRef(l.Ref)), l.Relation,
		decimal(l.Confidence), or(a.about(strings.TrimSpace(l.Detector+" "+l.Model), 60), "?"), linkState(l))
	for _, end := range []struct {
		name string
		api.LinkEnd
		other string
	}{{"old", l.Old, l.New.Ref}, {"new", l.New, l.Old.Ref}} {
		fmt.Fprintf(w, "  %s  %s [%s%s%s] %s\n",
			end.name, shortRef(end.Ref), a.on(or(end.At, end.CreatedAt)), writtenBy(end.By),
			marksBeside(end.LinkEnd, end.other),
			a.saidBy(end.Speaker, or(end.Text, end.Headline)))
	}
	if l.Reason != "" {
		fmt.Fprintf(w, "  why  %s\n", whole(l.Reason))
	}
	for _, d := range l.Decisions {
		fmt.Fprintf(w, "  decided %s %s\n", day(d.At), a.decidedLine(d))
	}
}

func (a *app) resolveCmd() *cobra.Command {
	c := cmd("resolve LINK|MEMORY", "Decide between two memories that contradict each other", `Examples:
  stemma resolve link:3f9a --keep new          the new one supersedes the old one
  stemma resolve link:3f9a --keep old          the new one is rejected
  stemma resolve link:3f9a --keep both         keep both
  stemma resolve link:3f9a --merge "Alice works at StartupX, before at Acme"
  stemma resolve link:3f9a --dismiss           they are unrelated
  stemma resolve belief:a04e --merge "…"       replace concurrent revisions with one

Only a person at a terminal can decide`)
	var in api.ResolveRequest
	f := c.Flags()
	f.StringVar(&in.Keep, "keep", "", "old, new or both")
	f.StringVar(&in.Merge, "merge", "", "text that replaces both")
	f.BoolVar(&in.Dismiss, "dismiss", false, "they are unrelated")
	f.StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).Resolve, func(args []string) (api.ResolveRequest, error) {
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r api.ResolveReply) error {
		if r.Memory != nil {
			fmt.Fprintln(a.env.Stdout, r.Memory.Ref)
		}
		if r.Link.Ref != "" {
			a.showLink(r.Link)
		}
		return nil
	})
	return c
}

func (a *app) suggestionsCmd() *cobra.Command {
	c := cmd("suggestions [list | show | accept | edit | reject]", "List drafts and proposed links", `Examples:
  stemma suggestions
  stemma suggestions --kind belief
  stemma suggestions show belief:a04e
  stemma suggestions accept belief:a04e
  stemma suggestions edit belief:a04e "in better words"
  stemma suggestions reject link:3f9a`)
	var in api.KindRequest
	list := func(c *cobra.Command) {
		c.Flags().StringVar(&in.Kind, "kind", "", "a kind of memory, or link")
		c.Flags().BoolVar(&in.All, "all", false, "also what needs no decision")
		c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
		c.Args = cobra.NoArgs
		c.RunE = verb(a, (*engine.Engine).Suggestions, func([]string) (api.KindRequest, error) { return in, nil },
			a.showSuggestions)
	}
	list(c)
	listed := &cobra.Command{Use: "list", Short: "List suggestions"}
	list(listed)
	c.AddCommand(listed)
	a.suggestionVerbs(c)
	return c
}

// suggestionVerbs adds the verbs that show and decide one suggestion.
func (a *app) suggestionVerbs(c *cobra.Command) {
	show := &cobra.Command{Use: "show REF", Short: "Show one in full"}
	show.RunE = verb(a, (*engine.Engine).Show, showRequest, a.showOne)
	c.AddCommand(a.refVerb(show, ""),
		a.suggestionCmd("accept REF", "Approve a draft, or let a proposed update supersede",
			(*engine.Engine).AcceptSuggestion),
		a.suggestionCmd("edit REF TEXT", "Rewrite a draft and approve it", (*engine.Engine).EditSuggestion),
		a.suggestionCmd("reject REF", "Reject a draft or a proposed link", (*engine.Engine).RejectSuggestion))
}

// decision is one of the three things that can be done with a suggestion.
type decision = func(*engine.Engine, context.Context, api.SuggestionRequest) (api.SuggestionReply, error)

func (a *app) suggestionCmd(use, short string, do decision) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short}
	var in api.SuggestionRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, do, func(args []string) (api.SuggestionRequest, error) {
		if strings.HasPrefix(use, "edit") {
			if len(args) < 2 {
				return in, errors.New("edit: name the draft and give its new text")
			}
			in.Text, args = strings.Join(args[1:], " "), args[:1]
		}
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r api.SuggestionReply) error {
		switch {
		case r.Memory != nil:
			fmt.Fprintln(a.env.Stdout, r.Memory.Ref)
		case r.Link != nil:
			a.showLink(*r.Link)
		}
		return a.showDecided(api.DecideReply{Memories: r.Memories, Claim: "decided"})
	})
	return c
}

func (a *app) showSuggestions(r api.SuggestionsReply) error {
	for _, s := range r.Suggestions {
		if s.Link != nil {
			a.showLink(*s.Link)
			continue
		}
		fmt.Fprintf(a.env.Stdout, "%s [%s, %s] %s\n", a.paint(yellow, shortRef(s.Ref)), a.on(or(s.At, s.CreatedAt)),
			a.about(s.By, 40), cited(or(s.Text, s.Headline)))
		for _, src := range s.Sources {
			fmt.Fprintf(a.env.Stdout, "  of  %s %s\n", shortRef(src.Ref), a.saidBy(src.Speaker, or(src.Text, src.Headline)))
		}
	}
	switch {
	case r.More:
		a.hint("there are more; use --limit to show them")
	case len(r.Suggestions) == 0:
		a.hint("nothing to review")
	default:
		a.hint("to decide: stemma review accept|edit|reject REF; to go through drafts at a terminal: stemma review")
	}
	return nil
}
