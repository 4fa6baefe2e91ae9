package cli

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

// editNotes are what hooks noted of edits, on this machine alone.
func (a *app) editNotes() (blame.Notes, error) {
	dir, err := a.dataDir()
	return blame.Notes{Dir: filepath.Join(dir, "edits")}, err
}

// noteEdits notes which files of a repository a tool changed, as hashes of the lines. A host waits for this hook: git
// runs only where a whole file was written and the host does not say over what.
func (a *app) noteEdits(ctx context.Context, id string, event *hosts.Event) error {
	if !event.OfTool() || event.Session == "" {
		return nil
	}
	edited := event.Edited(func(path string) string {
		r, ok := git.Find(filepath.Dir(path))
		rel, err := filepath.Rel(r.Dir, git.Real(path))
		if !ok || err != nil || !filepath.IsLocal(rel) {
			return ""
		}
		cmd, _ := git.Command(ctx, r.Dir, "cat-file", "blob", "HEAD:"+filepath.ToSlash(rel))
		return firstBytes(cmd)
	})
	if len(edited) == 0 {
		return nil
	}
	notes, err := a.editNotes()
	if err != nil {
		return err
	}
	for i, e := range edited {
		path := git.Real(e.Path)
		r, ok := git.Find(filepath.Dir(path))
		rel, err := filepath.Rel(r.Dir, path)
		hunks := blame.Hunks(e.Changes)
		if !ok || r.Bare() || err != nil || !filepath.IsLocal(rel) || len(hunks) == 0 {
			continue
		}
		err = notes.Add(r, fmt.Sprintf("%s/%d", id, i), blame.Note{
			At: memory.At(time.Now()).String(), Host: event.Host, Session: event.Session, Agent: event.Agent,
			Path: filepath.ToSlash(rel), Tree: r.Dir, Head: blame.Head(r), Call: event.CallName(), Hunks: hunks,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// firstBytes is what a command prints, "" where that is too much or fails.
func firstBytes(cmd *exec.Cmd) string {
	out, err := cmd.Output()
	if err != nil || len(out) > blame.MaxFile {
		return ""
	}
	return string(out)
}
