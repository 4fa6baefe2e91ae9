package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/store"
)

// spool is where events wait for the store that we write to.
func (a *app) spool() (hosts.Spool, error) {
	spec, err := a.storeSpec()
	if err != nil {
		return hosts.Spool{}, err
	}
	if path, ok := strings.CutPrefix(spec, "sqlite:"); ok || !strings.Contains(spec, "://") {
		if spec, err = filepath.Abs(path); err != nil {
			return hosts.Spool{}, err
		}
	}
	dir, err := a.dataDir()
	sum := sha256.Sum256([]byte(spec))
	spool := hosts.Spool{Dir: filepath.Join(dir, "spool", hex.EncodeToString(sum[:8]))}
	if !strings.Contains(spec, "://") {
		spool.Key = func() (*atrest.Key, error) { return a.keyOfStore(spec) }
	}
	return spool, err
}

// forgetWaiting drops what waits and says what was purged, for whichever store it waits:
// a conversation is heard by several.
func (a *app) forgetWaiting(words []string) error {
	return a.eachSpool(func(s hosts.Spool) error { return s.Forget(words) })
}

// dropWaiting drops what waits, for whichever store, and of which gone says so.
func (a *app) dropWaiting(gone func(text string) bool) error {
	return a.eachSpool(func(s hosts.Spool) error { return s.Drop(gone) })
}

func (a *app) eachSpool(do func(hosts.Spool) error) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	waiting, err := os.ReadDir(filepath.Join(dir, "spool"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, d := range waiting {
		if d.IsDir() {
			err = errors.Join(err, do(hosts.Spool{Dir: filepath.Join(dir, "spool", d.Name())}))
		}
	}
	return err
}

// busy reports whether a write failed because others were writing.
func busy(err error) bool { return err != nil && strings.Contains(err.Error(), store.ErrBusy.Error()) }

// drain takes in what hooks had to put aside; at most most files, or all for 0.
func (a *app) drain(ctx context.Context, most int) (int, error) {
	spool, err := a.spool()
	if err != nil {
		return 0, err
	}
	return spool.Drain(ctx, most, observing(a.engine))
}

func observing(e *engine.Engine) func(context.Context, []engine.Observed) error {
	return func(ctx context.Context, seen []engine.Observed) error {
		_, err := e.Observe(ctx, seen)
		return err
	}
}

// takingIn returns what a server does before it answers: what hooks put aside meanwhile is taken
// in, so that nothing that an agent was shown is missing behind what it writes.
func (a *app) takingIn(e *engine.Engine) func(context.Context) {
	spool, err := a.spool()
	if err != nil || a.foreign {
		return func(context.Context) {}
	}
	var one sync.Mutex
	return func(ctx context.Context) {
		one.Lock()
		defer one.Unlock()
		_, err := spool.Drain(ctx, 0, observing(e))
		a.notDrained([]string{"stemma", "drain"}, err)
	}
}

// drainSpool takes in all that hooks had to put aside for the store that was opened.
// What cannot be taken in now waits on, and keeps no verb from its work.
func (a *app) drainSpool(ctx context.Context) {
	_, err := a.drain(ctx, 0)
	a.notDrained([]string{"stemma", "drain"}, err)
}

// notDrained notes why what waits was not taken in. A store that cannot be written for long is logged once.
func (a *app) notDrained(args []string, err error) {
	switch {
	case err == nil || busy(err):
	case errors.Is(err, api.ErrUnavailable):
		a.whyWaiting = hosts.Harmless(err.Error())
		a.hookSaw(err.Error())
	default:
		a.hookFailed(args, err)
	}
}

// waitingLine says how many events wait for the store, and why, "" for none.
func (a *app) waitingLine() string {
	spool, err := a.spool()
	if err != nil {
		return ""
	}
	n := spool.Count()
	if n == 0 {
		return ""
	}
	text := count(n, "event of hooks waits", "events of hooks wait") + " for the store"
	if a.whyWaiting != "" {
		text += ": " + a.whyWaiting
	}
	return text
}
