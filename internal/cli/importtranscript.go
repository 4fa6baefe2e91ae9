package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) importTranscript() *cobra.Command {
	c := &cobra.Command{
		Use: "transcript [FILE | DIR]…", Short: "Import conversations of Claude Code and Codex",
		Example: "  stemma import transcript                 all on this machine\n" +
			"  stemma import transcript ~/.claude/projects/my-project",
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		for i, path := range args {
			if !filepath.IsAbs(path) {
				args[i] = filepath.Join(a.env.Dir, path)
			}
		}
		files, err := hosts.Transcripts(args, a.env.Getenv("HOME"), a.env.Getenv)
		if err != nil {
			return ran{err}
		}
		reply, wrong := a.takeTranscripts(cmd.Context(), files)
		if err := a.ingested(reply); err != nil {
			return err
		}
		if wrong != nil {
			return ran{wrong}
		}
		if len(files) == 0 {
			a.hint("no conversations of Claude Code or Codex found")
		}
		return nil
	}
	return c
}

// takeTranscripts imports one conversation after another. One that cannot be read is reported
// at the end and stops none of the others.
func (a *app) takeTranscripts(ctx context.Context, files []string) (api.IngestReply, error) {
	all := api.IngestReply{ByKind: make(map[memory.Kind]int), Redacted: make(map[string]int)}
	a.writes = true
	e, err := a.open(ctx)
	if err != nil {
		return all, err
	}
	bar := a.progress(len(files), "conversations")
	torn, broken := 0, []string(nil)
	defer func() {
		bar.end()
		for _, where := range broken {
			a.hint("%s; the rest was read", where)
		}
		if torn > 0 {
			a.hint("%s not finished; the next import takes it", count(torn, "last line is", "last lines are"))
		}
	}()
	var wrong error
	for i, path := range files {
		t, err := hosts.ReadTranscript(path)
		if err == nil {
			err = a.takeTranscript(ctx, e, t, &all)
			if t.Torn {
				torn++
			}
			if len(t.Broken) > 0 {
				broken = append(broken, leftOut(t))
			}
		}
		if err != nil && !errors.Is(err, api.ErrInvalid) {
			return all, fmt.Errorf("%s: %w", path, err)
		}
		wrong = errors.Join(wrong, err)
		bar.at(i + 1)
	}
	return all, wrong
}

// leftOut says which lines of a conversation were not taken.
func leftOut(t *hosts.Transcript) string {
	text := fmt.Sprintf("%s: %s of %d cannot be read and was left out", clean(t.Path), numbered(t.Broken), t.Lines)
	if len(t.Broken) > 1 {
		text = fmt.Sprintf("%s: %s of %d cannot be read and were left out", clean(t.Path), numbered(t.Broken), t.Lines)
	}
	if len(t.Unknown) > 0 {
		text += "; so were outputs of unknown calls, on " + numbered(t.Unknown)
	}
	return text
}

// numbered names lines by their numbers, the first ones.
func numbered(lines []int) string {
	const most = 10
	var all []string
	for _, n := range lines[:min(len(lines), most)] {
		all = append(all, fmt.Sprint(n))
	}
	text := "line "
	if len(lines) > 1 {
		text = "lines "
	}
	text += strings.Join(all, ", ")
	if more := len(lines) - len(all); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (a *app) takeTranscript(ctx context.Context, e *engine.Engine, t *hosts.Transcript,
	all *api.IngestReply) error {
	var said []string
	for _, m := range t.Messages {
		if m.Said != "" {
			said = append(said, m.Said)
		}
	}
	held, err := e.Held(ctx, said...)
	if err != nil {
		return err
	}
	reply, err := e.Ingest(ctx, func(yield func(api.Foreign, error) bool) {
		for _, m := range t.Messages {
			if _, there := held[m.Said]; there {
				m.Alias[0] = m.Said // a hook has kept it
			}
			if !yield(m.Foreign, nil) {
				return
			}
		}
	}, nil)
	all.Read, all.Added, all.AlreadyThere = all.Read+reply.Read, all.Added+reply.Added, all.AlreadyThere+reply.AlreadyThere
	for k, n := range reply.ByKind {
		all.ByKind[k] += n
	}
	for rule, n := range reply.Redacted {
		all.Redacted[rule] += n
	}
	return err
}
