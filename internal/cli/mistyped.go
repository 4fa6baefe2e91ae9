package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// mindTypos lets every verb look at its words before it does anything: one that is
// near to a verb below it, or that stands where another one belongs, is an error
// that names what was meant.
func (a *app) mindTypos(root *cobra.Command) {
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if typo := a.mistyped(c, c.Flags().Args()); typo != nil {
			return typo // the flag is one of the verb that was meant
		}
		if typo, is := errors.AsType[otherVerb](c.Args(c, c.Flags().Args())); is {
			return typo
		}
		return a.mistypedFlag(c, err)
	})
	var mind func(*cobra.Command)
	mind = func(c *cobra.Command) {
		given, idle := c.Args, c.HasSubCommands() && !c.Runnable()
		if idle { // cobra would give help, whatever was typed
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			given = cobra.NoArgs
		}
		c.Args = func(c *cobra.Command, args []string) error {
			if err := emptyRef(c, args); err != nil {
				return err
			}
			if err := a.mistyped(c, args); err != nil {
				return err
			}
			if err := checkValues(c, args); err != nil {
				return err
			}
			if given == nil {
				return nil
			}
			err := given(c, args)
			switch {
			case err == nil || len(args) == 0:
				return err
			case c.HasSubCommands() && c.Annotations[takes] == "":
				return noVerb(c, args[0], "", "")
			case !c.HasSubCommands():
				if typo := a.swapped(c, args); typo != nil {
					return typo
				}
				if strings.HasPrefix(err.Error(), "unknown command ") {
					_, path, _ := strings.Cut(c.CommandPath(), " ")
					if len(args) == 1 && slices.Contains([]string{"list", "ls", "all", "start", "run", "now"}, args[0]) {
						return otherVerb{fmt.Errorf("%s takes no words; did you mean '%s'?", path, c.CommandPath())}
					}
					if v := below(a.wholeTree(), args[0]); v != nil {
						return otherVerb{fmt.Errorf("%s takes no words; did you mean '%s'?", path, v.CommandPath())}
					}
					return fmt.Errorf("%s takes no words, got %s", path, quoted(args[0], 40))
				}
			}
			return err
		}
		for _, sub := range c.Commands() {
			mind(sub)
		}
	}
	mind(root)
}

// otherVerb says that a verb which takes no words was given the name of another.
type otherVerb struct{ error }

// wholeTree makes all verbs, to find among them what was meant: it is done when
// something is wrong, since it takes longer than keeping words does.
func (a *app) wholeTree() *cobra.Command { return (&app{env: a.env}).root(nil) }

// mistyped returns what was probably meant by words that a verb was given. Words after "--"
// are taken literally.
func (a *app) mistyped(c *cobra.Command, args []string) error {
	if at := c.ArgsLenAtDash(); at == 0 || len(args) == 0 {
		return nil
	}
	switch {
	case c == c.Root() && gone[args[0]] != "":
		return errGone(args[0] + ": " + gone[args[0]])
	case c == c.Root():
		root := a.wholeTree()
		if like, is := otherName(root, args[0]); is {
			return noVerb(c, args[0], like, "")
		}
		return noVerb(c, args[0], meant(root, args), "")
	case c.Name() == "help" && c.Parent() == c.Root():
		root := a.wholeTree()
		if found, _, err := root.Find(args); err == nil && found != root || known(args[0]) {
			return nil
		}
		topics := append(subjectNames(), topicExits)
		like := meant(root, args)
		switch subject := nearestWord(args[0], topics); {
		case slices.Contains(topics, args[0]):
			return nil
		case subject != "" && strings.Count(like, " ") != 1:
			like = "stemma help " + subject
		}
		return noVerb(c.Root(), args[0], like, "")
	case c.Annotations[takes] == takesProse:
		return a.mistypedProse(c, args)
	case c.HasSubCommands():
		return a.mistypedBelow(c, args)
	case c.ValidArgsFunction != nil:
		return a.swapped(c, args)
	}
	return nil
}

// known reports whether a verb is one of the two that cobra adds when it reads a command line.
func known(verb string) bool { return verb == "help" || verb == "completion" }

// mistypedProse looks at what a group was given that keeps words: a single word near
// to one of its verbs, or such a word with a ref behind it, is no prose.
func (a *app) mistypedProse(c *cobra.Command, args []string) error {
	first, bare := args[0], len(args) == 1
	if strings.IndexFunc(first, unicode.IsSpace) >= 0 || len(first) > longestVerb {
		return nil
	}
	var kept []string
	for _, word := range args {
		kept = append(kept, shellWord(word))
	}
	way := fmt.Sprintf(" To keep the words: %s -- %s", c.CommandPath(), strings.Join(kept, " "))
	if v := below(c, args[len(args)-1]); v != nil && len(args) == 2 && likeID(first) {
		return fmt.Errorf("%s: put the verb first; did you mean '%s %s'?%s", c.Name(), v.CommandPath(), first, way)
	}
	if v := slip(c, args); v != nil {
		return noVerb(c, first, v.CommandPath(), way)
	}
	refNext := !bare && likeID(args[1])
	if !bare && !refNext && (len(args) > 2 || !notProse(args[1])) {
		return nil
	}
	if v := nearest(c, first); v != nil && (!isName(first) || strings.EqualFold(first, v.Name())) {
		return noVerb(c, first, v.CommandPath(), way)
	}
	if refNext {
		if v := nearestOrSame(a.wholeTree(), first); v != nil && v.ValidArgsFunction != nil {
			return noVerb(c, first, v.CommandPath(), way)
		}
		if len(args) == 2 && wholeRef(args[1]) {
			return noVerbAt(c, first, way)
		}
		return nil
	}
	if bare && first == "help" {
		return fmt.Errorf("%s: 'stemma %s --help' shows its verbs.%s", c.Name(), c.Name(), way)
	}
	if edits := words.Distance(first, "search"); edits <= 1 {
		like := "stemma search --kind " + c.Name()
		if v := below(c, "find"); v != nil {
			like = v.CommandPath()
		}
		return noVerb(c, first, like, way)
	}
	return nil
}

// slip finds the verb of which the first of a few words is one slip away: "shw Ann", "progres
// g 0.5". An ending such as that of "shows" makes another word, and another letter often
// does ("lost"): those are no slips.
func slip(c *cobra.Command, args []string) *cobra.Command {
	const few, least = 4, 4 // words, and letters of a verb
	first := args[0]
	if len(args) < 2 || len(args) > few || isName(first) || words.Stop(first) {
		return nil
	}
	for _, v := range c.Commands() {
		name := v.Name()
		letters := len(first) != len(name) || sorted(first) == sorted(name)
		if len(name) >= least && letters && words.Distance(first, name) == 1 && !strings.HasPrefix(first, name) {
			return v
		}
	}
	return nil
}

// sorted returns the letters of a word in order, to recognize swapped ones.
func sorted(word string) string {
	letters := []byte(word)
	slices.Sort(letters)
	return string(letters)
}

// wholeRef reports whether a word can only be a ref: a kind and many digits of an ID.
func wholeRef(word string) bool {
	kind, id, named := strings.Cut(word, ":")
	return named && memory.Kind(kind).Known() && len(id) >= 8 && strings.Trim(id, "0123456789abcdef") == ""
}

// noVerbAt says that a word before a ref is no verb.
func noVerbAt(c *cobra.Command, word, way string) error {
	return fmt.Errorf("%w.%s", noVerb(c, word, "", ""), way)
}

// isName reports whether a word is written as names are.
func isName(word string) bool { return strings.IndexFunc(word, unicode.IsUpper) == 0 }

// longestVerb is longer than any verb with a slip in it.
const longestVerb = 24

// mistypedBelow looks at what a group was given that keeps no words.
func (a *app) mistypedBelow(c *cobra.Command, args []string) error {
	first := args[0]
	way := ""
	switch c.Annotations[takes] {
	case takesName:
		way = fmt.Sprintf(" If it is a name: %s -- %s", c.CommandPath(), shellWord(first))
		if a.exists(first) || c.Name() == "member" && len(args) == 1 {
			return nil
		}
	default:
		if likeRef(first) || memory.Kind(first).Known() && len(args) == 2 && likeRef(args[1]) {
			return nil
		}
	}
	if v := nearest(c, first); v != nil {
		return noVerb(c, first, v.CommandPath(), way)
	}
	if c.Annotations[takes] == takesName {
		return nil
	}
	root := a.wholeTree()
	if v := below(root, first); v != nil && c.ValidArgsFunction == nil && len(first) > 1 {
		return noVerb(c, first, v.CommandPath(), way)
	}
	if like, is := otherName(root, first); is && like != "" && c.ValidArgsFunction == nil {
		return noVerb(c, first, like, way)
	}
	if c.ValidArgsFunction == nil || len(args) > 1 {
		return nil
	}
	if v := nearestOrSame(root, first); v != nil {
		return noVerb(c, first, meant(root, append([]string{v.Name(), c.Name()}, args[1:]...)), way)
	}
	return nil
}

// swapped finds a verb that was given in the place of its group, as in "history
// belief" or "show belief list".
func (a *app) swapped(c *cobra.Command, args []string) error {
	first := args[0]
	if c.Parent() != c.Root() || c.Annotations[takes] != "" || likeRef(first) || len(first) > longestVerb ||
		a.exists(first) ||
		memory.Kind(first).Known() && len(args) > 1 && likeRef(args[1]) {
		return nil
	}
	root := a.wholeTree()
	group := nearestOrSame(root, args[0])
	if group == nil || !group.HasSubCommands() {
		return nil
	}
	if len(args) > 1 && !likeRef(args[1]) {
		if v := nearestOrSame(group, args[1]); v != nil {
			return noVerb(c, args[0], v.CommandPath(), "")
		}
	}
	if v := below(group, c.Name()); v != nil && (len(args) == 1 || !likeRef(args[1])) {
		return noVerb(c, args[0], v.CommandPath(), "")
	}
	return nil
}
