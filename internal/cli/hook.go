package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
)

// What git runs: after a commit and a merge, after a commit, and before one with --trailer.
const (
	hookLine    = "stemma check --hook"
	commitLine  = "stemma hook commit"
	trailerLine = `stemma hook trailer "$1"`
)

func (a *app) hookCmd() *cobra.Command {
	c := cmd("hook install | remove | pause | resume | status", "Install, pause and check hooks of git and agents",
		`Examples:
  stemma hook install git      after a commit, sign which sessions wrote its lines, and
                               list memories that need a review
  stemma hook install git --trailer
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
	trailer := false
	install := one("install", "Note who wrote each commit, and check memories after it",
		"git now signs which sessions wrote each commit, and lists memories that need a review; to remove: "+
			"stemma hook remove git",
		func(cmd *cobra.Command) ([]string, error) {
			also := map[string]string{"post-commit": commitLine}
			if trailer {
				also["prepare-commit-msg"] = trailerLine
			}
			return code.InstallHook(cmd.Context(), a.env.Dir, hookLine, also)
		})
	install.Flags().BoolVar(&trailer, "trailer", false, "also name the sessions in the commit's message: Stemma-Session")
	c.AddCommand(
		install,
		one("remove", "Remove the git hook", "git no longer runs stemma",
			func(cmd *cobra.Command) ([]string, error) { return code.RemoveHook(cmd.Context(), a.env.Dir) }))
	c.AddCommand(a.hookCommit(), a.hookTrailer(), a.hookRun(), a.hookPause(), a.hookResume(), a.hookStatus())
	return c
}
