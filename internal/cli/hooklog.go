package cli

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/memory"
)

const hookLogBytes = 256 << 10

// A hookFailure is one line of the hooks' log.
type hookFailure struct {
	At    string `json:"at"`
	Host  string `json:"host"`
	Event string `json:"event"`
	Error string `json:"error"`
}

func (a *app) hookLog() (*journal.File, error) {
	dir, err := a.dataDir()
	return journal.Open(filepath.Join(dir, "hooks.jsonl"), hookLogBytes), err
}

// happening names an event, so that it is kept once whatever comes between; again says that
// another hook of the host has the same event. What fails here costs no event.
func (a *app) happening(event *hosts.Event, seen []engine.Observed) (id string, again bool, err error) {
	dir, err := a.dataDir()
	if err == nil {
		id, again, err = hosts.Happenings{Dir: filepath.Join(dir, "seen")}.Name(event, seen, time.Now())
	}
	if err != nil {
		a.hookFailed([]string{event.Host, event.Name}, err)
		id, err = hosts.NewHappening()
	}
	return id, again, err
}

// hookFailed logs an error for doctor to show. If that fails too, nothing more can be done.
func (a *app) hookFailed(args []string, err error) {
	log, logErr := a.hookLog()
	id, idErr := hosts.NewHappening()
	if logErr != nil || idErr != nil {
		return
	}
	f := hookFailure{At: memory.At(time.Now()).String(), Error: hosts.Harmless(err.Error())}
	if len(args) > 0 {
		f.Host = hosts.Harmless(args[0])
	}
	if len(args) > 1 {
		f.Event = hosts.Harmless(args[1])
	}
	_ = log.Append(id, f)
}

const shownFailures = 5

// hookFailures reads what went wrong, the newest first.
func (a *app) hookFailures() ([]hookFailure, error) {
	log, err := a.hookLog()
	if err != nil {
		return nil, err
	}
	var out []hookFailure
	for line, err := range log.All() {
		var f hookFailure
		if err == nil && json.Unmarshal(line.JSON, &f) == nil {
			out = append(out, f)
		}
	}
	return out, nil
}
