package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// takes says what a group of verbs reads itself, where that is neither a ref nor
// nothing: a mistyped verb could be meant as that.
const takes = "takes"

// single lets a verb and those below it use one store alone.
func (a *app) single(c *cobra.Command) *cobra.Command {
	c.PersistentPreRun = func(*cobra.Command, []string) { a.alone = true }
	return c
}

const (
	takesProse = "prose" // words that are kept
	takesName  = "name"  // of a file or a remote
)

// cmd makes a verb whose help shows an example first, then what the verb does, and then
// what else there is to say.
func cmd(use, short, help string) *cobra.Command {
	examples, more, is := strings.Cut(help, "\n\n")
	long := examples + "\n\n" + short + "."
	if is {
		long += "\n\n" + more
	}
	return &cobra.Command{Use: use, Short: short, Long: long}
}

// whys makes --why and --reason one flag in a verb, and in those below it, that has one of them, and both --notes where
// it has neither. Why a memory is revised is what prompted the revision: its reason is one of its fields.
func whys(c *cobra.Command) {
	f, as := c.Flags(), ""
	switch has := func(name string) bool { return f.Lookup(name) != nil }; {
	case c.Name() == "revise":
		as = "trigger"
	case has("reason") == has("why") && has("notes") && !has("why"):
		as = "notes"
	case has("reason") && !has("why"):
		as = "reason"
	case has("why") && !has("reason"):
		as = "why"
	}
	if as != "" {
		own := f.Lookup("reason") != nil // a field of its own beside it
		f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
			if name == "why" || name == "reason" && !own {
				name = as
			}
			return pflag.NormalizedName(name)
		})
	}
	for _, sub := range c.Commands() {
		whys(sub)
	}
}

// sentences ends the help of a verb, and of those below it, with a full stop.
func sentences(c *cobra.Command) {
	if last := strings.TrimSpace(c.Long); last != "" && !strings.HasSuffix(last, ".") {
		lines := strings.Split(last, "\n")
		if !strings.HasPrefix(lines[len(lines)-1], "  ") { // an example or a table ends as it is
			c.Long = last + "."
		}
	}
	for _, sub := range c.Commands() {
		sentences(sub)
	}
}

// oneRef reads "kind:id", "id" or "kind id".
func oneRef(args []string) (string, error) {
	switch {
	case len(args) == 1:
		return args[0], nil
	case len(args) == 2 && memory.Kind(args[0]).Known():
		return args[0] + ":" + strings.TrimPrefix(args[1], args[0]+":"), nil
	case len(args) == 0:
		return "", fmt.Errorf("name a record: kind:id, or a prefix of its ID")
	}
	return "", fmt.Errorf("name one record, not %d", len(args))
}

// kindRef is oneRef for verbs of one kind: a bare id is of that kind.
func kindRef(kind memory.Kind, ref string) string {
	if strings.Contains(ref, ":") {
		return ref
	}
	return string(kind) + ":" + ref
}

func showRequest(args []string) (api.RefRequest, error) {
	ref, err := oneRef(args)
	return api.RefRequest{Ref: ref}, err
}
