package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/memory"
)

// importing is how files are imported.
type importing struct {
	format, source string
	mine, notMine  bool
}

// files imports paths one after another. What is bad in one costs only that.
func (a *app) importFiles(ctx context.Context, in importing, paths []string) error {
	if in.mine && in.notMine {
		return errors.New("--mine and --not-mine say opposite things; choose one")
	}
	if in.format != "" && in.format != importers.FormatFolder && importers.FormatOf(in.format) == nil {
		return fmt.Errorf("--format: unknown format %q; choose one of %s", in.format, strings.Join(importers.Names(), ", "))
	}
	defer a.vectorsAfterImport(ctx)
	var failed error
	for _, path := range paths {
		err := a.importPath(ctx, in, path)
		if err == nil || !errors.Is(err, errFailed) && len(paths) == 1 {
			failed = errors.Join(failed, err)
			continue
		}
		if failed = errFailed; !errors.Is(err, errFailed) {
			if !errors.Is(err, api.ErrInvalid) {
				return err
			}
			a.hint("%v", err)
		}
	}
	return failed
}

func (a *app) importPath(ctx context.Context, in importing, path string) error {
	if path != "-" && engine.IsExportedFolder(path) {
		return a.importFolder(ctx, path)
	}
	held, err := a.held(ctx)
	if err != nil {
		return ran{err}
	}
	keys := bufio.NewReader(a.env.Stdin)
	s := importers.Source{Path: path, Name: in.source, Format: in.format, Held: held}
	if path == "-" {
		s.In = a.env.Stdin
	} else if a.interactive() {
		s.Ask = func(question string) bool { return a.sayYes(keys, question) }
	}
	found, err := importers.Read(ctx, s)
	if err != nil {
		return ran{err}
	}
	if found.Open != nil {
		return a.importOwn(ctx, path, found)
	}
	if s.Mine, err = a.isMine(keys, in, path, found); err != nil {
		found.Close()
		return err
	}
	found.Mine = s.Mine
	bar := a.progress(-1, "records")
	reply, err := a.ingestInto(ctx, found.Records, bar.at)
	bar.end()
	if err != nil {
		if errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrForbidden) {
			return ran{err}
		}
		return ran{fmt.Errorf("import %s: %w", path, err)}
	}
	return a.toldOf(found, reply)
}

// isMine says whether the words are the person's own: as they were told on the command line, or by asking them
// once at a terminal.
func (a *app) isMine(keys *bufio.Reader, in importing, path string, found *importers.Found) (bool, error) {
	if in.mine && a.origin() != "owner" {
		return false, ran{onlyPerson{"--mine: only a person says whose words these are: run it yourself at a terminal"}}
	}
	if in.mine || in.notMine || path == "-" || !a.interactive() {
		return in.mine, nil
	}
	a.hint("%s: %s", clean(filepath.Base(path)), strings.Join(found.Formats, ", "))
	return a.sayYes(keys, "Are these your own words?"), nil
}

// sayYes asks a person a question that nothing but yes answers.
func (a *app) sayYes(keys *bufio.Reader, question string) bool {
	answer, err := a.ask(keys, question+" [y/N] ")
	return err == nil && (strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"))
}

// importOwn imports what the engine reads itself.
func (a *app) importOwn(ctx context.Context, path string, found *importers.Found) error {
	in, err := found.Open()
	if err != nil {
		return ran{err}
	}
	defer in.Close()
	bar := a.progress(-1, "records")
	defer bar.end()
	if found.Formats[0] == importers.FormatAnamnesis {
		reply, err := into(ctx, a, (*engine.Engine).ImportDocuments, (*client.Client).ImportDocuments, io.Reader(in), bar.at)
		if bar.end(); err != nil {
			return ran{fmt.Errorf("import %s: %w", path, err)}
		}
		return a.ingested(reply)
	}
	return a.importRecords(ctx, path, in)
}

// otherReply is what was taken in of another memory, and what was not.
type otherReply struct {
	Format string `json:"format"`
	api.IngestReply
	importers.Lost
}

// toldOf says what was taken in, what was not, and what waits.
func (a *app) toldOf(found *importers.Found, reply api.IngestReply) error {
	if a.flags.json {
		if err := a.printJSON(otherReply{strings.Join(found.Formats, "+"), reply, found.Lost}); err != nil {
			return err
		}
	} else {
		if err := a.ingested(reply); err != nil {
			return err
		}
		a.lost(found.Lost)
		a.waitsNow(found, reply)
	}
	if found.Lost.Broken > 0 {
		return errFailed
	}
	return nil
}

// waitsNow says what of an import waits for a person, and how to see it.
func (a *app) waitsNow(found *importers.Found, reply api.IngestReply) {
	memories := 0
	for kind, n := range reply.ByKind {
		if kind != memory.KindRaw {
			memories += n
		}
	}
	proposed := reply.Changed
	if reply.Changed > 0 {
		for _, c := range reply.Changes {
			if c.New.Ref == "" {
				proposed--
			}
			held := shortRef(c.Old.Ref) + " " + cited(or(c.Old.Text, c.Old.Headline))
			switch {
			case c.New.Ref != "":
				a.hint("changed: %s → %s", held, cited(or(c.New.Text, c.New.Headline)))
			case c.Ref == "":
				a.hint("%s, and decided about here: %s; to follow: stemma forget %s", c.Reason, held, shortRef(c.Old.Ref))
			default:
				a.hint("%s: %s", c.Reason, held)
			}
		}
		if more := reply.Changed - len(reply.Changes); more > 0 {
			a.hint("… and %d more", more)
		}
	}
	switch {
	case proposed > 0:
		a.hint("%d changed: review them with stemma review", proposed)
	case memories > 0 && found.Mine:
		a.hint("yours, and not approved: values, goals, drives and constraints wait; stemma review --by source")
	case memories > 0:
		a.hint("%s external until approved: stemma review --all --by source",
			count(memories, "memory is", "memories are"))
	case reply.ByKind[memory.KindRaw] > 0:
		a.hint("captured, not believed: none guides an agent before you promote it")
	}
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
	for _, how := range l.Encoding {
		a.hint("read as %s", how)
	}
	if len(l.Accounts) > 1 {
		var all []string
		for _, who := range slices.Sorted(maps.Keys(l.Accounts)) {
			all = append(all, fmt.Sprintf("%s (%d)", who, l.Accounts[who]))
		}
		a.hint("of %d accounts: %s", len(all), strings.Join(all, ", "))
	}
	for _, bad := range l.Bad {
		a.hint("not read: %s", bad)
	}
	if more := l.Broken - len(l.Bad); more > 0 {
		a.hint("… and %d more", more)
	}
}
