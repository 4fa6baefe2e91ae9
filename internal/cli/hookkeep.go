package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/strict"
)

// capture keeps what an event says, unless hooks are paused or it is about a file that is not
// to be looked at.
func (a *app) capture(ctx context.Context, args []string, event *hosts.Event, text []byte) error {
	if may, err := a.mayCapture(event); err != nil || !may {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, captureLimit)
	defer stop()
	if changed := changedOnTheWay(text); changed != "" && !event.Torn {
		a.hookFailed(args, errors.New(changed))
	}
	if event.Ends() {
		return errors.Join(a.keepLate(ctx, event), a.workAtEnd(ctx))
	}
	owed := a.owed()
	owed.Before(event)
	event.Judge = a.outsideJudge()
	seen := event.Observed("")
	id, _, err := a.happening(event, seen)
	if err != nil {
		return err
	}
	if err := a.noteEdits(ctx, id, event); err != nil {
		a.hookFailed(args, fmt.Errorf("what was edited is not noted: %w", err))
	}
	late := a.keepLate(ctx, event)
	if err := errors.Join(late, owed.After(event)); err != nil {
		a.hookFailed(args, err)
	}
	a.writes = true
	space, err := a.spaceHere(ctx)
	if err != nil {
		return err
	}
	for i := range seen {
		seen[i].ID, seen[i].Space = id+seen[i].ID, space
	}
	if event.OfTool() && a.putAside(id, seen) {
		return nil
	}
	return a.keepSeen(ctx, id, seen)
}

// mayCapture reports whether an event may be kept at all. An error is that it is not known.
func (a *app) mayCapture(event *hosts.Event) (bool, error) {
	paused, _, err := a.paused()
	if err != nil { // nothing is kept that somebody may not want kept
		return false, lostEvent{err}
	}
	if paused {
		return false, nil
	}
	set, err := a.settings()
	if err != nil { // what must not be kept is not known
		return false, lostEvent{err}
	}
	return !event.Ignored(set.Get(ignoreKey), a.projectRoot(), a.env.Getenv("HOME")), nil
}

// owed is where answers are noted that come later, the zero value where nothing can be kept anyway.
func (a *app) owed() hosts.Owed {
	dir, err := a.dataDir()
	if err != nil {
		return hosts.Owed{}
	}
	spec, err := a.storeSpec()
	if err != nil {
		return hosts.Owed{}
	}
	return hosts.Owed{Dir: filepath.Join(dir, "owed"), For: spec + " " + a.rootOfProject()}
}

// captureLate keeps the answers that a host had not written down at the last events, where a session begins.
func (a *app) captureLate(ctx context.Context, args []string, event *hosts.Event) error {
	if may, err := a.mayCapture(event); err != nil || !may {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, captureLimit)
	defer stop()
	if err := a.keepLate(ctx, event); err != nil {
		a.hookFailed(args, err)
	}
	return nil
}

// keepLate keeps such answers. What was noted of them goes only after they are kept.
func (a *app) keepLate(ctx context.Context, event *hosts.Event) error {
	owed := a.owed()
	id, err := hosts.NewHappening()
	if err != nil {
		return err
	}
	seen, settle := owed.Late(event, id)
	if len(seen) == 0 {
		settle()
		return nil
	}
	a.writes = true
	space, err := a.spaceHere(ctx)
	if err != nil {
		return err
	}
	for i := range seen {
		seen[i].Space = space
	}
	if err := a.keepSeen(ctx, id, seen); err != nil {
		return err
	}
	settle()
	return nil
}

// putAside leaves what a tool did for the program that opens the store next: the hook of the answer, a
// command, or a server before it answers. A host waits for this hook at each call.
func (a *app) putAside(id string, seen []engine.Observed) bool {
	if len(seen) == 0 {
		return true
	}
	spec, err := a.storeSpec()
	if err != nil || strings.Contains(spec, "://") {
		return false
	}
	if _, err := os.Stat(strings.TrimPrefix(spec, "sqlite:")); err != nil {
		return false // to make the store is to make keys, too
	}
	spool, err := a.spool()
	if err != nil {
		return false
	}
	if spool.Count() >= mostPutAside {
		return false
	}
	return spool.Put(id, time.Now(), seen) == nil
}

// keepSeen keeps what was seen in the store or, if that has no time, in the spool.
func (a *app) keepSeen(ctx context.Context, id string, seen []engine.Observed) error {
	if len(seen) == 0 {
		return nil
	}
	if _, err := a.storeSpec(); err != nil { // nothing says where it is to wait
		return lostEvent{err}
	}
	a.alone, a.patience, a.undrained = true, hookPatience, true
	e, err := a.open(ctx)
	var drained error
	if err == nil { // what came before it
		if _, drained = a.drain(ctx, drainedByHook); busy(drained) {
			err, drained = drained, nil
		}
	}
	if err == nil {
		_, err = e.Observe(ctx, seen)
	}
	if err == nil {
		return drained
	}
	if _, is := errors.AsType[notYours](err); errors.Is(err, api.ErrInvalid) || is && a.storeNamed() {
		return err // it would be refused again
	}
	spool, spoolErr := a.spool()
	if spoolErr == nil {
		spoolErr = spool.Put(id, time.Now(), seen)
	}
	if spoolErr != nil {
		return lostEvent{fmt.Errorf("%w; and the event is lost: %w", err, spoolErr)}
	}
	if busy(err) {
		return nil // as foreseen
	}
	return fmt.Errorf("%w; the event waits in %s", err, spool.Dir)
}

// changedOnTheWay says what of an event is not kept as it came. Unlike a request it is
// kept all the same: a host does not ask again.
func changedOnTheWay(text []byte) string {
	var wrong *strict.Error
	switch {
	case strict.Halves(text):
		return `stored with U+FFFD in place of half a character (\ud800)`
	case errors.As(strict.Check(text, nil), &wrong):
		return "stored as far as it could be read; a field is wrong: " + wrong.Why
	}
	return ""
}

// spaceHere is the space that what happens here belongs to, however long it waits to be taken in: "" is a service's.
func (a *app) spaceHere(ctx context.Context) (string, error) {
	if service, err := a.service(); service != nil || err != nil {
		return "", err
	}
	if named := a.spaceNamed(); named != "" && named != engine.AllSpaces {
		return named, nil
	}
	here, err := a.here(ctx)
	return or(here.InUse(), engine.MeSpace), err
}

// workAtEnd takes in what waits, and does what was left for later where that needs no model: a
// server does the rest.
func (a *app) workAtEnd(ctx context.Context) error {
	spec, err := a.storeSpec()
	if err != nil || a.isAbsent(spec) {
		return err
	}
	a.alone, a.patience, a.undrained = true, hookPatience, true
	e, err := a.open(ctx)
	if err == nil {
		_, err = a.drain(ctx, 0)
	}
	if err == nil {
		err = a.jobsAtEnd(ctx, e)
	}
	if busy(err) || ctx.Err() != nil {
		return nil // the next one does it
	}
	return err
}

func (a *app) jobsAtEnd(ctx context.Context, e *engine.Engine) error {
	set, err := a.settings()
	if err != nil || e.LLM != nil || set.Get("model.kind") != "none" {
		return err
	}
	_, err = e.RunJobs(ctx, api.RunJobsRequest{Limit: endJobs})
	return err
}
