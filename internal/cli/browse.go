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
	c := cmd("browse [REF | WORDS…]", "Browse memories and their sources full-screen", `Examples:
  stemma browse                    start with the newest memories
  stemma browse belief:a04e        start with one memory
  stemma browse slow API           start with search results
  stemma browse --review           start with pending reviews

Arrow keys or h j k l move, Enter opens, [ goes back, / searches, ? shows all
keys, q quits. stemma asks again before it approves or rejects in your name`)
	review := c.Flags().Bool("review", false, "start with pending reviews")
	c.Annotations = map[string]string{takes: takesName}
	a.embeds = true
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if a.flags.json {
			return fmt.Errorf("browse: has no --json; use 'stemma trace' or 'stemma search'")
		}
		if *review && len(args) > 0 {
			return fmt.Errorf("browse: --review takes no words")
		}
		if !a.interactive() {
			return fmt.Errorf("browse: needs a terminal; without one, use 'stemma search' and 'stemma trace'")
		}
		e, err := a.openToRead(cmd.Context())
		if err != nil {
			return ran{err}
		}
		m := browse.New(e, browse.Options{Color: a.colored(), Decide: true, Typed: inVerbs})
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
			return ran{errors.New("browse: the terminal is not a file")}
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
