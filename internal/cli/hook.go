package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/code"
)

// hookLine is what git runs after a commit and a merge.
const hookLine = "stemma check --hook"

func (a *app) hookCmd() *cobra.Command {
	c := cmd("hook install | remove | pause | resume | status", "What git and agents' hosts run, and pausing it", `Examples:
  stemma hook install git      git says after a commit which memories need another look
  stemma hook remove git
  stemma hook pause 2h         hooks keep nothing for two hours
  stemma hook resume
  stemma hook status           what waits, what failed, what is paused

'stemma init HOST' puts hooks into an agent's host: claude-code, codex, cursor, …`)
	one := func(use, short, did string, do func(*cobra.Command) ([]string, error)) *cobra.Command {
		h := &cobra.Command{Use: use + " git", Short: short, ValidArgs: []string{"git"}}
		h.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "git" {
				return fmt.Errorf("hook %s: say whose hook: git", use)
			}
			files, err := do(cmd)
			if err != nil {
				return ran{stemma.Invalid("hook %s git: %v", use, err)}
			}
			if a.flags.json {
				return a.printJSON(map[string]any{"files": files})
			}
			for _, f := range files {
				fmt.Fprintln(a.env.Stdout, f)
			}
			a.hint("%s", did)
			return nil
		}
		return h
	}
	c.AddCommand(
		one("install", "Run 'stemma check' after commits and merges", "git says after each commit and merge what needs another look; 'stemma hook remove git' ends it",
			func(cmd *cobra.Command) ([]string, error) {
				return code.InstallHook(cmd.Context(), a.env.Dir, hookLine)
			}),
		one("remove", "Take it out again", "git runs no stemma any more",
			func(cmd *cobra.Command) ([]string, error) { return code.RemoveHook(cmd.Context(), a.env.Dir) }))
	c.AddCommand(a.hookRun(), a.hookPause(), a.hookResume(), a.hookStatus())
	return c
}
