package cli

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/near"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

const (
	// hookPatience is how long a hook waits for others that write before its event
	// goes into the spool.
	hookPatience = 15 * time.Millisecond

	// What a hook may take in all, whatever happens: a server that does not answer,
	// a disk that hangs.
	captureLimit = 500 * time.Millisecond
	contextLimit = 3 * time.Second

	drainedByHook = 20 // files, so that it stays quick

	hookLogBytes = 256 << 10
	ignoreKey    = "capture.ignore"
)

// hookRun is the command that hosts run. It ends well and says nothing whatever
// happens: what went wrong is in a log of its own, which doctor shows.
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
			if _, is := near.Slip(args[0], host); is {
				return fmt.Errorf("hook run: unknown host %s; did you mean 'stemma hook run %s'?", quoted(args[0], 40), host)
			}
		}
		return nil // it goes to the log: whoever runs hooks reads nothing
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		out := a.env.Stdout
		a.env.Stdout, a.env.Stderr = io.Discard, io.Discard
		a.hooked, a.strict, a.judging = true, true, judgeInHook
		words, err := a.runHook(cmd.Context(), args)
		if err != nil {
			a.hookFailed(args, err)
		}
		if closeErr := a.closeQuietly(); closeErr != nil && err == nil {
			a.hookFailed(args, closeErr)
		}
		_, _ = out.Write(words)
		return nil
	}
	return c
}

// closeQuietly closes what is open, so that nothing is left that could still fail.
func (a *app) closeQuietly() error {
	err := a.close()
	a.engine, a.closes = nil, nil
	return err
}

// runHook does what an event asks for and gives what the host is to read.
func (a *app) runHook(ctx context.Context, args []string) (words []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			words, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	if len(args) != 2 {
		return nil, fmt.Errorf("needs HOST EVENT, got %d words", len(args))
	}
	text, err := io.ReadAll(io.LimitReader(a.env.Stdin, hosts.MaxEvent+1))
	if err != nil {
		return nil, err
	}
	event, err := hosts.ReadEvent(args[0], args[1], text)
	if err != nil {
		return nil, err
	}
	a.standWhere(event)
	a.noteConversation(event)
	if event.Begins() {
		a.judging = judgeAtOnce
	}
	if paused, _ := a.paused(); paused && !event.Begins() {
		return nil, nil
	}
	if event.Begins() {
		ctx, stop := context.WithTimeout(ctx, contextLimit)
		defer stop()
		return a.sessionContext(ctx, event)
	}
	set, err := a.settings()
	if err != nil { // what must not be kept is not known
		return nil, err
	}
	if event.Ignored(set.Get(ignoreKey), a.projectRoot(), a.env.Getenv("HOME")) {
		return nil, nil
	}
	id, err := happening()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, captureLimit)
	defer stop()
	if changed := changedOnTheWay(text); changed != "" {
		a.hookFailed(args, errors.New(changed))
	}
	return nil, a.keepSeen(ctx, id, event.Observed(id))
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

// happening names one event, so that it is kept once whatever comes between.
func happening() (string, error) {
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// standWhere goes to where the agent stands: which project it is follows from that.
func (a *app) standWhere(event *hosts.Event) {
	for _, dir := range []string{
		a.env.Getenv("CLAUDE_PROJECT_DIR"), a.env.Getenv("GEMINI_PROJECT_DIR"), a.env.Getenv("CURSOR_PROJECT_DIR"), event.Dir,
	} {
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
			a.env.Dir = dir
			return
		}
	}
}

// keepSeen keeps what was seen in the store or, if that has no time, in the spool.
func (a *app) keepSeen(ctx context.Context, id string, seen []api.Observed) error {
	if len(seen) == 0 {
		return nil
	}
	a.alone, a.patience, a.undrained = true, hookPatience, true
	e, err := a.open(ctx)
	if err == nil {
		_, err = e.Observe(ctx, seen)
	}
	if err == nil {
		_, err = a.drain(ctx, drainedByHook)
		if busy(err) {
			err = nil // the next one does it
		}
		return err
	}
	if _, is := errors.AsType[notYours](err); errors.Is(err, api.ErrInvalid) || is && a.storeNamed() {
		return err // it would be refused again
	}
	spool, spoolErr := a.spool()
	if spoolErr == nil {
		spoolErr = spool.Put(id, time.Now(), seen)
	}
	if spoolErr != nil {
		return fmt.Errorf("%w; and the event is lost: %w", err, spoolErr)
	}
	if busy(err) {
		return nil // as foreseen
	}
	return fmt.Errorf("%w; the event waits in %s", err, spool.Dir)
}

// busy reports whether a write failed because others were writing.
func busy(err error) bool { return err != nil && strings.Contains(err.Error(), store.ErrBusy.Error()) }

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
	return hosts.Spool{Dir: filepath.Join(dir, "spool", hex.EncodeToString(sum[:8]))}, err
}

// forgetWaiting drops what waits and says what was purged, for whichever store it waits:
// a conversation is heard by several.
func (a *app) forgetWaiting(words []string) error {
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
			err = errors.Join(err, hosts.Spool{Dir: filepath.Join(dir, "spool", d.Name())}.Forget(words))
		}
	}
	return err
}

// drain takes in what hooks had to put aside; at most most files, or all for 0.
func (a *app) drain(ctx context.Context, most int) (int, error) {
	spool, err := a.spool()
	if err != nil {
		return 0, err
	}
	return spool.Drain(ctx, most, func(ctx context.Context, seen []api.Observed) error {
		_, err := a.engine.Observe(ctx, seen)
		return err
	})
}

// drainSpool takes in all that hooks had to put aside for the store that was opened.
// What cannot be taken in now waits on, and keeps no verb from its work.
func (a *app) drainSpool(ctx context.Context) {
	if _, err := a.drain(ctx, 0); err != nil && !busy(err) {
		a.hookFailed([]string{"stemma", "drain"}, err)
	}
}

// sessionContext returns what an agent is to know when its session begins. An empty
// memory says nothing.
func (a *app) sessionContext(ctx context.Context, event *hosts.Event) ([]byte, error) {
	if spec, err := a.storeSpec(); err != nil || !strings.Contains(spec, "://") {
		if _, statErr := os.Stat(strings.TrimPrefix(spec, "sqlite:")); err != nil || statErr != nil {
			return nil, err // nothing was ever kept
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
	pack, err := e.Load(ctx, api.LoadRequest{Budget: set.Int("pack.budget")})
	if err != nil || pack.Empty() {
		return nil, err
	}
	words, err := pack.Render("text", false)
	if err != nil {
		return nil, err
	}
	return hosts.Context(event.Host, event.Name, string(words))
}

// paused says whether hooks are to keep nothing here, and until when.
func (a *app) paused() (bool, time.Time) {
	for _, dir := range a.pauseDirs() {
		if paused, until := hosts.Paused(dir, time.Now()); paused {
			return true, until
		}
	}
	return false, time.Time{}
}

// pauseDirs are the places where a pause may be said: the project's and one's own.
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

// hookFailed notes what went wrong, for doctor to show. If that fails too there is
// no one to tell.
func (a *app) hookFailed(args []string, err error) {
	log, logErr := a.hookLog()
	id, idErr := happening()
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
