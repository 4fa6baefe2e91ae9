package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
)

// hookLine is what git runs after a commit and a merge.
const hookLine = "stemma check --hook"

func (a *app) hookCmd() *cobra.Command {
	c := cmd("hook install | remove | pause | resume | status", "Install, pause and check hooks of git and agents",
		`Examples:
  stemma hook install git      after a commit, list memories that need a review
  stemma hook remove git
  stemma hook pause 2h         hooks capture nothing for two hours
  stemma hook resume
  stemma hook status           show what waits, failed or is paused

'stemma init HOST' adds hooks to an agent's host: claude-code, codex, cursor, …`)
	one := func(use, short, did string, do func(*cobra.Command) ([]string, error)) *cobra.Command {
		h := &cobra.Command{Use: use + " git", Short: short, ValidArgs: []string{"git"}}
		h.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "git" {
				return fmt.Errorf("hook %s: needs 'git'", use)
			}
			files, err := do(cmd)
			if err != nil {
				return ran{api.Invalid("hook %s git: %v", use, err)}
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
		one("install", "Run 'stemma check' after commits and merges",
			"git now lists memories that need a review after each commit and merge; to remove: stemma hook remove git",
			func(cmd *cobra.Command) ([]string, error) {
				return code.InstallHook(cmd.Context(), a.env.Dir, hookLine)
			}),
		one("remove", "Remove the git hook", "git no longer runs stemma",
			func(cmd *cobra.Command) ([]string, error) { return code.RemoveHook(cmd.Context(), a.env.Dir) }))
	c.AddCommand(a.hookRun(), a.hookPause(), a.hookResume(), a.hookStatus())
	return c
}
