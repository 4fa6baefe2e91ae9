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
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/shorten"
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
		if a.ends {
			a.leaveVectors(cmd.Context())
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
	a.ends = event.Ends()
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

// endJobs is how many jobs that were left for later the end of a session does at most.
const endJobs = 20

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
