package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/internal/words"
)

const (
	// hookPatience is how long a hook waits for others that write before its event
	// goes into the spool.
	hookPatience = 15 * time.Millisecond

	// What a hook may take in all, whatever happens: a server that does not answer,
	// a disk that hangs.
	captureLimit = 500 * time.Millisecond
	contextLimit = 3 * time.Second

	drainedByHook = 200 // files, so that it stays quick
	mostPutAside  = 100 // calls of tools, before a hook takes them in

	ignoreKey = "capture.ignore"
)

// hookRun is the command that hosts run. It ends well and says nothing: what went wrong is in a log
// of its own, which doctor shows. Only an event that could not be stored is a warning to the host.
func (a *app) hookRun() *cobra.Command {
	c := &cobra.Command{
		Use: "run HOST EVENT", Short: "Process a host's event from standard input",
		Example: "  echo '{\"session_id\":\"s1\",\"prompt\":\"hello\"}' | stemma hook run claude-code " +
			"UserPromptSubmit",
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
	}
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 || slices.Contains(hosts.Names(), args[0]) {
			return nil
		}
		for _, host := range hosts.Names() {
			if _, is := words.Slip(args[0], host); is {
				return fmt.Errorf("hook run: unknown host %s; did you mean 'stemma hook run %s'?", quoted(args[0], 40), host)
			}
		}
		return nil // it goes to the log: whoever runs hooks reads nothing
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		out, errOut := a.env.Stdout, a.env.Stderr
		a.env.Stdout, a.env.Stderr = io.Discard, io.Discard
		a.hooked, a.strict, a.ownerTimeout = true, true, judgeInHook
		words, err := a.runHook(cmd.Context(), args)
		if err != nil {
			a.hookFailed(args, err)
		}
		if closeErr := a.closeQuietly(); closeErr != nil && err == nil {
			a.hookFailed(args, closeErr)
		}
		_, _ = out.Write(words)
		if lost, is := errors.AsType[lostEvent](err); is {
			return a.hookLost(args, lost, out, errOut, len(words) > 0)
		}
		return nil
	}
	return c
}

// closeQuietly closes everything that is open, so that nothing can fail afterwards.
func (a *app) closeQuietly() error {
	err := a.close()
	a.engine, a.closes = nil, nil
	return err
}

// runHook carries out an event and returns the text for the host.
func (a *app) runHook(ctx context.Context, args []string) (words []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			words, err = nil, lostEvent{fmt.Errorf("panic: %v", p)}
		}
	}()
	if len(args) != 2 {
		return nil, fmt.Errorf("needs HOST EVENT, got %d words", len(args))
	}
	text, late := readEvent(a.env.Stdin)
	event, err := hosts.ReadEvent(hosts.Actual(args[0], a.env.Getenv), args[1], text)
	if err != nil {
		return nil, err
	}
	switch {
	case late:
		a.hookFailed(args, fmt.Errorf("standard input had no end after %v; what came is stored", readPatience))
	case event.Torn && len(text) > hosts.MaxEvent:
		a.hookFailed(args, fmt.Errorf("the event is longer than %d MiB; what comes after that is lost", hosts.MaxEvent>>20))
	case event.Torn:
		a.hookFailed(args, errors.New("the event is cut off; what came of it is stored"))
	}
	a.chdirToAgent(event)
	a.markFired(event)
	first := a.noteConversation(event)
	if event.Begins() {
		if _, again, err := a.happening(event, nil); again || err != nil {
			return nil, err // the agent is told once
		}
	}
	if event.Asks(first) {
		a.ownerTimeout = judgeAtOnce
		if words, err = a.contextFor(ctx, event); event.Begins() {
			return words, errors.Join(err, a.captureLate(ctx, args, event))
		}
	}
	return words, errors.Join(err, a.capture(ctx, args, event, text))
}

// contextFor returns what the agent is to know, and leaves nothing open.
func (a *app) contextFor(ctx context.Context, event *hosts.Event) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, contextLimit)
	defer stop()
	words, err := a.sessionContext(ctx, event)
	a.flags.session = ""
	err = errors.Join(err, a.closeQuietly())
	if _, is := errors.AsType[notYours](err); err != nil && len(words) == 0 && !is {
		words = a.startWithout(event, err)
	}
	return words, err
}

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

// endJobs is how many jobs that were left for later the end of a session does at most.
const endJobs = 20

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

// chdirToAgent changes to the agent's directory, which decides the project.
func (a *app) chdirToAgent(event *hosts.Event) {
	for _, dir := range []string{
		a.env.Getenv("CLAUDE_PROJECT_DIR"), a.env.Getenv("GEMINI_PROJECT_DIR"), a.env.Getenv("CURSOR_PROJECT_DIR"),
		a.env.Getenv("COPILOT_PROJECT_DIR"), event.Dir,
	} {
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
			a.env.Dir = dir
			return
		}
	}
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

// sessionContext returns what an agent is to know when its session begins. An empty
// memory says nothing.
func (a *app) sessionContext(ctx context.Context, event *hosts.Event) ([]byte, error) {
	if spec, err := a.storeSpec(); err != nil || !strings.Contains(spec, "://") {
		if _, statErr := os.Stat(strings.TrimPrefix(spec, "sqlite:")); err != nil || statErr != nil {
			return a.onlyLost(event, err) // nothing was ever kept
		}
	}
	a.patience, a.undrained = hookPatience, true
	set, err := a.settings()
	if err != nil {
		return nil, err
	}
	a.flags.session = event.Session
	e, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	_, err = a.drain(ctx, drainedByHook)
	a.notDrained([]string{event.Host, event.Name}, err)
	pack, err := e.Load(ctx, api.LoadRequest{Budget: set.Int("pack.budget"), Format: "text"})
	less := a.startLess(event, pack)
	if err != nil || pack.Empty && !less && a.whyWaiting == "" {
		return a.onlyLost(event, err)
	}
	words, err := pack.Render("text", false)
	if err != nil {
		return nil, err
	}
	if line := a.worktreeLine(); line != "" {
		words = append(words, "\nstemma: "+line+"\n"...)
	}
	if spec, err := a.storeSpec(); err == nil && a.goneLine(spec) != "" {
		words = append(words, "\nstemma: "+a.goneLine(spec)+"\n"...)
	}
	if waits := a.waitingLine(); waits != "" && a.whyWaiting != "" {
		words = append(words, "\nstemma: "+waits+"\n"...)
	}
	if lost := a.lostLine(); lost != "" {
		words = append(words, "\nstemma: "+lost+"; see `stemma hook status`\n"...)
	}
	return hosts.Context(event.Host, event.Name, string(words))
}

// startWithout is the beginning of a session for which nothing could be read: the agent is told, so
// that it does not take silence for an empty memory.
func (a *app) startWithout(event *hosts.Event, why error) []byte {
	text := "stemma: memory is missing from this start, constraints and decisions too: " +
		hosts.Harmless(shorten.To(why.Error(), mostWhy)) + "; `stemma load` gives it, or says why\n"
	words, err := hosts.Context(event.Host, event.Name, text)
	if err != nil {
		return nil
	}
	return words
}

// mostWhy is how much of an error an agent is told.
const mostWhy = 300

// startLess reports whether a start gives less than it should: a warning about all of it, or
// constraints for which there is no room. The log of hooks has it, too.
func (a *app) startLess(event *hosts.Event, given api.ContextReply) bool {
	for _, what := range given.Less {
		a.hookFailed([]string{event.Host, event.Name}, fmt.Errorf("this start gives less than it should: %s", what))
	}
	return len(given.Less) > 0
}

// paused says whether hooks are to keep nothing here, and until when.
func (a *app) paused() (bool, time.Time, error) {
	var wrong error
	for _, dir := range a.pauseDirs() {
		paused, until, err := hosts.Paused(dir, time.Now())
		if paused {
			return true, until, nil
		}
		wrong = errors.Join(wrong, err)
	}
	return false, time.Time{}, wrong
}

// pauseDirs are the directories where a pause may be set: the project's and the user's own.
func (a *app) pauseDirs() []string {
	var dirs []string
	if dir, ok := a.nearestProject(); ok {
		dirs = append(dirs, dir)
	}
	if dir, err := a.dataDir(); err == nil {
		dirs = append(dirs, dir)
	}
	return dirs
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
