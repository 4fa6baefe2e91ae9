package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/browse"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) browseCmd() *cobra.Command {
	c := cmd("browse [REF | WORDS…]", "Walk through the tree on the whole screen of a terminal", `Examples:
  stemma browse                    from the newest memories
  stemma browse belief:a04e        from one of them
  stemma browse slow API           from what is found
  stemma browse --review           from what waits for a decision

Arrows or h j k l move, enter goes to what is selected, [ goes back, / searches,
? shows all keys, q leaves. What you approve or reject there is asked again
first, and is the owner's word`)
	review := c.Flags().Bool("review", false, "begin with what waits for a decision")
	c.Annotations = map[string]string{takes: takesName}
	a.embeds = true
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if a.flags.json {
			return fmt.Errorf("browse: is for a person at a terminal; --json is what 'stemma trace' and 'stemma search' have")
		}
		if *review && len(args) > 0 {
			return fmt.Errorf("browse: --review begins with what waits; leave the words out")
		}
		if !a.interactive() {
			return fmt.Errorf("browse: needs a terminal for its input and its output; without one, 'stemma search' and 'stemma trace' show the same")
		}
		e, err := a.openToRead(cmd.Context())
		if err != nil {
			return ran{err}
		}
		m := browse.New(e, browse.Options{Color: a.colored(), Decide: true})
		ref, words := begins(args)
		switch {
		case *review:
			err = m.StartReview(cmd.Context())
		default:
			err = m.Start(cmd.Context(), ref, words)
		}
		if err != nil {
			return ran{err}
		}
		in, inOK := a.env.Stdin.(*os.File)
		out, outOK := a.env.Stdout.(*os.File)
		if !inOK || !outOK {
			return ran{errors.New("browse: the terminal is no file")}
		}
		if err := browse.Run(cmd.Context(), m, in, out); err != nil {
			return ran{err}
		}
		return nil
	}
	return c
}

// begins reads where a walk begins: at a ref, if the words can only be meant as
// one (kind:id, or eight digits of an id and more).
func begins(args []string) (ref, words string) {
	if one, err := oneRef(args); err == nil {
		kind, id, named := strings.Cut(one, ":")
		if !named {
			kind, id = "", one
		}
		digits := id != "" && strings.Trim(id, "0123456789abcdef") == ""
		if digits && (memory.Kind(kind).Known() || !named && len(id) >= 8) {
			return one, ""
		}
	}
	return "", strings.Join(args, " ")
}
