package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/importers"
)

func (a *app) importCmd() *cobra.Command {
	c := cmd("import PATH… | git [DIR] | transcript [PATH]…", "Import records from files and other systems", `Examples:
  stemma import backup.jsonl            an export of stemma; it is verified first
  stemma import git .                   every commit of a repository
  stemma import chatgpt-export.zip      conversations of ChatGPT, Claude.ai, Gemini, Slack
  stemma import vault/                  notes of Obsidian, Notion, or an exported folder
  stemma import CLAUDE.md               instructions for agents, as notes
  stemma import mem0.json               memories of mem0, Letta, graphiti, Kernle and others
  stemma import transcript              conversations of Claude Code and Codex
  cat notes.jsonl | stemma import -     anything else, one JSON object per line

stemma detects the format from the content; to set it, use --format. At a
terminal it asks whether the words are your own.

You can interrupt an import and run it again: it skips what is already there.
What has other words now is proposed as a revision`)
	c.Args, c.Annotations = cobra.MinimumNArgs(1), map[string]string{takes: takesName}
	var in importing
	c.Flags().StringVar(&in.format, "format", "", "format of the file, if stemma cannot detect it")
	c.Flags().StringVar(&in.source, "source", "", "source name (default: the path)")
	c.Flags().BoolVar(&in.mine, "mine", false, "these are your own words; only for a person at a terminal")
	c.Flags().BoolVar(&in.notMine, "not-mine", false, "they are not: external until you approve them")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 && importers.FormatOf(args[0]) != nil && !fileExists(args[0]) {
			in.format, args = args[0], args[1:]
		}
		return a.importFiles(cmd.Context(), in, args)
	}
	a.secretsFlag(c.Flags())
	for _, from := range []*cobra.Command{a.importGit(), a.importTranscript()} {
		a.secretsFlag(from.Flags())
		c.AddCommand(from)
	}
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(importers.Names(), cobra.ShellCompDirectiveNoFileComp))
	for _, from := range append(c.Commands(), c) {
		run := from.RunE
		from.RunE = func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if err := readable(path); err != nil {
					return ran{err}
				}
			}
			return run(cmd, args)
		}
	}
	return c
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readable returns an error for a file without an end to wait for: a named pipe, a device, a
// socket.
func readable(path string) error {
	info, err := os.Stat(path)
	if path == "-" || err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil // what is not there is told by who looks for it
	}
	return api.Invalid("import: %s is neither a file nor a directory; to read a stream, "+
		"use '-' and pipe it to standard input", path)
}

func (a *app) importGit() *cobra.Command {
	c := &cobra.Command{
		Use: "git [DIR]", Short: "Import every commit of a repository",
		Example: "  stemma import git .\n  stemma import git . --last 500", Args: cobra.MaximumNArgs(1),
	}
	last := c.Flags().Int("last", 0, "only this many newest commits (default: all)")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		dir := a.env.Dir
		if len(args) == 1 {
			dir = args[0]
		}
		from, total, err := importers.History{Dir: dir, Last: *last}.Read(cmd.Context())
		if err != nil {
			return ran{err}
		}
		return a.ingest(cmd.Context(), from, total, "commits")
	}
	return c
}
