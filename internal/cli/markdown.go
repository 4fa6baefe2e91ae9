package cli

import (
	"context"
	"fmt"
)

// formatMarkdown is a folder of files for people.
const formatMarkdown = "markdown"

// exportMarkdown writes one file a memory into a folder.
func (a *app) exportMarkdown(ctx context.Context, dir string) error {
	e, err := a.openToRead(ctx)
	if err != nil {
		return ran{err}
	}
	bar := a.progress(-1, "memories")
	reply, err := e.ExportMarkdown(ctx, dir, bar.at)
	bar.end()
	if err != nil {
		return ran{err}
	}
	a.secretsInside("the file has", reply.Secrets)
	if reply.LeftOut > 0 {
		a.hint("left out: %s (forgotten, rejected, quarantined or purged)", count(reply.LeftOut, "memory", "memories"))
	}
	for i, name := range reply.Untouched {
		if i == 10 {
			a.hint("warning: %d more", len(reply.Untouched)-i)
			break
		}
		a.hint("warning: %s was changed or written by another program; it stays as it is", name)
	}
	if a.flags.json {
		return a.printJSON(reply)
	}
	fmt.Fprintf(a.env.Stdout, "%s, %d written, %d removed\n", count(reply.Files, "file", "files"), reply.Written,
		reply.Removed)
	return nil
}

// importFolder takes in a folder that exportMarkdown wrote.
func (a *app) importFolder(ctx context.Context, dir string) error {
	a.writes = true
	e, err := a.open(ctx)
	if err != nil {
		return ran{err}
	}
	bar := a.progress(-1, "files")
	reply, err := e.ImportMarkdown(ctx, dir, bar.at)
	bar.end()
	if err != nil {
		return ran{fmt.Errorf("import %s: %w", dir, err)}
	}
	a.warn(reply.Warnings)
	if a.flags.json {
		return a.printJSON(reply)
	}
	fmt.Fprintf(a.env.Stdout, "%s added, %d already present; %s: %d unchanged, %d revised, %d proposed, %d new\n",
		count(reply.Records.Added, "record", "records"), reply.Records.AlreadyThere, count(reply.Files, "file", "files"),
		reply.Unchanged, len(reply.Revised), len(reply.Proposed), len(reply.Added))
	for _, ref := range reply.Revised {
		fmt.Fprintf(a.env.Stdout, "revised   %s\n", ref)
	}
	for _, ref := range reply.Proposed {
		fmt.Fprintf(a.env.Stdout, "proposed  %s\n", ref)
	}
	for _, ref := range reply.Added {
		fmt.Fprintf(a.env.Stdout, "new       %s\n", ref)
	}
	a.secretsInside("the file has", reply.Records.Secrets)
	return nil
}

// exportFolder reads the arguments of an export to Markdown.
func (a *app) exportFolder(ctx context.Context, proofs bool, out string, args []string) error {
	switch {
	case proofs:
		return fmt.Errorf("--proofs: applies to records, not to Markdown")
	case out == "" && len(args) == 1:
		out = args[0]
	case len(args) > 0 || out == "" || out == "-":
		return fmt.Errorf("--format %s: name one folder to write to", formatMarkdown)
	}
	if err := a.exportMarkdown(ctx, out); err != nil {
		return err
	}
	return nil
}
