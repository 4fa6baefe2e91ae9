package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/importers"
)

// importAny takes in a file or folder of whatever it is.
func (a *app) importAny(cmd *cobra.Command, path, format, source string) error {
	ctx := cmd.Context()
	if format == "" {
		format = importers.FormatRecords
		if path != "-" {
			var err error
			if format, err = importers.Detect(ctx, path); err != nil {
				return ran{err}
			}
		}
	}
	switch format {
	case importers.FormatRecords:
		return a.importRecords(ctx, path)
	case importers.FormatFolder:
		return a.importFolder(ctx, path)
	case importers.FormatMarkdown:
		if engine.IsExportedFolder(path) {
			return a.importFolder(ctx, path)
		}
	}
	for _, f := range importers.Formats {
		if f.Name == format {
			return a.importFrom(ctx, path, format, source)
		}
	}
	for _, c := range cmd.Commands() { // those with a verb of their own
		if c.Name() == format {
			c.SetContext(ctx)
			return c.RunE(c, []string{path})
		}
	}
	return fmt.Errorf("--format: unknown format %q; choose one of %s", format, strings.Join(importFormats(cmd), ", "))
}

// importFormats are the names that --format takes.
func importFormats(cmd *cobra.Command) []string {
	names := []string{importers.FormatRecords}
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	slices.Sort(names)
	return names
}

// importOthers are the verbs of the formats that are read alike.
func (a *app) importOthers() []*cobra.Command {
	var out []*cobra.Command
	for _, f := range importers.Formats {
		c := &cobra.Command{
			Use: f.Name + " PATH", Short: f.Doc, Example: "  stemma import " + f.Name + " " + f.Example,
			Args: cobra.ExactArgs(1),
		}
		source := c.Flags().String("source", "", "source name (default: the file's name)")
		c.RunE = func(cmd *cobra.Command, args []string) error {
			return a.importFrom(cmd.Context(), args[0], f.Name, *source)
		}
		out = append(out, c)
	}
	return out
}

// otherReply is what was taken in of another memory, and what was not.
type otherReply struct {
	Format string `json:"format"`
	api.IngestReply
	importers.Lost
}

// importFrom takes in another memory.
func (a *app) importFrom(ctx context.Context, path, format, name string) error {
	held, err := a.held(ctx)
	if err != nil {
		return ran{err}
	}
	s := importers.Source{Path: path, Name: name, Format: format, Held: held}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if path == "-" {
		s.In = a.env.Stdin
		if name == "" {
			s.Name = "stdin"
		}
	}
	found, err := importers.Read(ctx, s)
	if err != nil {
		return ran{err}
	}
	bar := a.progress(found.Total, "records")
	reply, err := a.ingestInto(ctx, found.Records, bar.at)
	bar.end()
	if err != nil {
		return ran{fmt.Errorf("import %s: %w", path, err)}
	}
	if a.flags.json {
		return a.printJSON(otherReply{format, reply, found.Lost})
	}
	if err := a.ingested(reply); err != nil {
		return err
	}
	a.lost(found.Lost)
	return nil
}

// lost says what did not come along.
func (a *app) lost(l importers.Lost) {
	for _, words := range l.Words {
		a.hint("warning: %s", words)
	}
	for _, n := range []struct {
		count int
		what  string
	}{
		{l.Missing, "sources that are missing"},
		{l.Cycles, "source links removed because they form a cycle"},
		{l.Unfit, "sources of a kind that is not allowed there"},
	} {
		if n.count > 0 {
			a.hint("%s: %s", count(n.count, "source", "sources"), n.what)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(l.LeftOut)) {
		a.hint("left out (%s): %d", why, l.LeftOut[why])
	}
}
