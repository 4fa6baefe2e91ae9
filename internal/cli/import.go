package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/importers"
)

func (a *app) importCmd() *cobra.Command {
	c := cmd("import PATH | git [DIR] | FORMAT PATH", "Import records from files and other systems", `Examples:
  stemma import backup.jsonl            an export of stemma; it is verified first
  stemma import git .                   every commit of a repository
  stemma import CLAUDE.md               instructions for agents, as notes
  stemma import vault/                  Obsidian notes, or an exported folder
  stemma import memory.jsonl            the graph of the MCP memory server
  stemma import ~/.kernle/memories.db   a Kernle database
  stemma import mem0.json               dumps of mem0, Kernle, Alexandria
  stemma import transcript              conversations of Claude Code and Codex
  stemma import jsonl notes.jsonl       anything else, one JSON object per line
  cat notes.jsonl | stemma import jsonl -

stemma detects the format from the content; to set it, use --format or a verb.

You can interrupt an import and run it again: it skips what is already there`)
	c.Args, c.Annotations = cobra.ExactArgs(1), map[string]string{takes: takesName}
	format := c.Flags().String("format", "", "format of the file, if stemma cannot detect it")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		return a.importAny(cmd, args[0], *format, "")
	}
	a.secretsFlag(c.Flags())
	for _, from := range append([]*cobra.Command{a.importGit(), a.importLoCoMo(), a.importJSONL(), a.importAnamnesis(),
		a.importTranscript()}, a.importOthers()...) {
		a.secretsFlag(from.Flags())
		c.AddCommand(from)
	}
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(importFormats(c), cobra.ShellCompDirectiveNoFileComp))
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

func (a *app) importLoCoMo() *cobra.Command {
	return &cobra.Command{
		Use: "locomo FILE…", Short: "Import LoCoMo conversations: turns, observations, summaries",
		Example: "  stemma import locomo 26.json", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				from, total, err := importers.LoCoMo(path)
				if err != nil {
					return ran{err}
				}
				if err := a.ingest(cmd.Context(), from, total, "records"); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) importJSONL() *cobra.Command {
	c := &cobra.Command{
		Use: "jsonl FILE | -", Short: "Import anything, one JSON object per line",
		Example: "  stemma import jsonl notes.jsonl\n  cat notes.jsonl | stemma import jsonl - --source notes",
		Args:    cobra.ExactArgs(1),
	}
	source := c.Flags().String("source", "", "source name (default: the file's name)")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		in, done, err := a.input(args[0])
		if err != nil {
			return ran{err}
		}
		defer done()
		name := *source
		if name == "" {
			name = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		if args[0] == "-" && *source == "" {
			name = "stdin"
		}
		held, err := a.held(cmd.Context())
		if err != nil {
			return ran{err}
		}
		from, total, err := importers.Lines{Source: name, Held: held}.Read(cmd.Context(), in)
		if err != nil {
			return ran{err}
		}
		return a.ingest(cmd.Context(), from, total, "lines")
	}
	return c
}
