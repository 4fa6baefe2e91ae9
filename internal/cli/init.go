package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
)

func (a *app) initCmd() *cobra.Command {
	c := cmd("init [HOST]", "Create a project store, or connect an agent's host", `Examples:
  stemma init                 create ./.stemma, a store for this directory
  stemma init --user          create only your own store and keys
  stemma init claude-code     add MCP server, instructions and hooks to your settings
  stemma init codex --project --dry-run    show what would be written to this project
  stemma init cursor --remove              undo it

HOST is claude-code, codex, copilot, cursor, gemini, opencode, qwen or vscode. stemma
adds to your files, does not overwrite them, and keeps a backup of each until --remove.
At a terminal it asks whether the host may call stemma without asking you.

Your first write creates your keys and your own store. Only init creates a
project's store`)
	c.Args = cobra.MaximumNArgs(1)
	c.ValidArgs = hosts.Names()
	var host hostFlags
	c.Flags().BoolVar(&host.dryRun, "dry-run", false, "with HOST: show what would change, and write nothing")
	c.Flags().BoolVar(&host.remove, "remove", false, "with HOST: remove what init added")
	c.Flags().BoolVar(&host.allowReads, "allow-reads", false,
		"with HOST: let it call the tools that change nothing without asking you; only for a person at a terminal")
	c.Flags().BoolVar(&host.allowAll, "allow-all", false,
		"with HOST: let it call all tools of stemma without asking you; only for a person at a terminal")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return a.initHost(cmd, args[0], host)
		}
		if host != (hostFlags{}) {
			return fmt.Errorf("init: --dry-run, --remove, --allow-reads and --allow-all need a host: %s",
				strings.Join(hosts.Names(), ", "))
		}
		if err := a.projectStore(); err != nil {
			return ran{err}
		}
		return verb(a, (*engine.Engine).Init, func([]string) (api.Nothing, error) {
			return api.Nothing{}, nil
		}, a.showInit)(cmd, args)
	}
	return c
}

func (a *app) showInit(r api.InitReply) error {
	spec, err := a.storeSpec()
	if err != nil {
		return err
	}
	w := a.env.Stdout
	fmt.Fprintf(w, "store  %s\nspace  %s\nowner  %s\n       %s\nagent  %s\n", spec, r.Space, r.Owner, r.Fingerprint,
		r.Agent)
	a.hint("next: stemma init claude-code (or another agent), or stemma remember 'WORDS'")
	return nil
}
