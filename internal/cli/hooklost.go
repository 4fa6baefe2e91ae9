package cli

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/memory"
)

// lostEvent says that a hook could store an event neither in the store nor in the spool.
type lostEvent struct{ error }

func (l lostEvent) Unwrap() error { return l.error }

const lostLogBytes = 64 << 10

// lostLogs are where lost events are counted: the person's data directory, and for when nothing
// can be written there a directory of their own among the temporary files.
func (a *app) lostLogs(make bool) []*journal.File {
	var out []*journal.File
	data, err := a.dataDir()
	if err == nil {
		out = append(out, journal.Open(filepath.Join(data, "lost.jsonl"), lostLogBytes))
	}
	temp := a.env.Getenv("TMPDIR")
	if temp == "" {
		temp = os.TempDir()
	}
	dir := filepath.Join(temp, fmt.Sprintf("%s-%d", appName, os.Getuid()))
	if make {
		_ = os.Mkdir(dir, 0o700)
	}
	// a directory that others may write to, or that is theirs, is not used
	if info, err := os.Lstat(dir); err == nil && info.IsDir() && info.Mode().Perm()&0o077 == 0 &&
		os.Chmod(dir, 0o700) == nil {
		of := sha256.Sum256([]byte(data)) // who has several data directories is told of each its own
		out = append(out, journal.Open(filepath.Join(dir, fmt.Sprintf("lost-%x.jsonl", of[:6])), lostLogBytes))
	}
	return out
}

// hookLost counts an event that could not be stored, and says so to the host. It returns the exit
// code, which hosts take as a warning and never as a veto.
func (a *app) hookLost(args []string, why error, out, errOut io.Writer, answered bool) error {
	text := "this event could not be stored: " + hosts.Harmless(why.Error())
	f := hookFailure{At: memory.At(time.Now()).String(), Error: text}
	if len(args) == 2 {
		f.Host, f.Event = hosts.Harmless(args[0]), hosts.Harmless(args[1])
	}
	if id, err := hosts.NewHappening(); err == nil {
		for _, log := range a.lostLogs(true) {
			if log.Append(id, f) == nil {
				break
			}
		}
	}
	fmt.Fprintln(errOut, "stemma:", text)
	if answered {
		return nil // a host reads the answer only where the hook succeeds
	}
	_, _ = out.Write(hosts.Warning(f.Host, "stemma: "+text))
	return errExit(ops.ExitFailed)
}

// lostEvents says how many events hooks could not store, and since when.
func (a *app) lostEvents() (n int, since string) {
	for _, log := range a.lostLogs(false) {
		for line, err := range log.All() {
			var f hookFailure
			if err != nil || json.Unmarshal(line.JSON, &f) != nil {
				continue
			}
			n++
			if since == "" || f.At < since {
				since = f.At
			}
		}
	}
	return n, since
}

// lostLine says the same in words, "" for none.
func (a *app) lostLine() string {
	n, since := a.lostEvents()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s could not be stored since %s", count(n, "event of hooks", "events of hooks"), minute(since))
}

// clearLost drops the count.
func (a *app) clearLost() error {
	var err error
	for _, log := range a.lostLogs(false) {
		if dropErr := log.Drop(func([]byte) bool { return true }); !errors.Is(dropErr, os.ErrNotExist) {
			err = errors.Join(err, dropErr)
		}
	}
	return err
}

// onlyLost is the beginning of a session for which there is nothing to give but what was lost: events,
// or the store.
func (a *app) onlyLost(event *hosts.Event, err error) ([]byte, error) {
	text := ""
	if lost := a.lostLine(); lost != "" {
		text = "stemma: " + lost + "; see `stemma hook status`\n"
	}
	if spec, err := a.storeSpec(); err == nil && a.goneLine(spec) != "" {
		text += "stemma: " + a.goneLine(spec) + "\n"
	}
	if err != nil || text == "" {
		return nil, err
	}
	return hosts.Context(event.Host, event.Name, text)
}
