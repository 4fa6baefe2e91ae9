package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/owned"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

const (
	// headsEvery is how often the list notes again what the logs of a store are.
	headsEvery = time.Hour

	// What a hook may take to find out whose a store is that the list does not name.
	judgeInHook = 300 * time.Millisecond
	judgeAtOnce = 2 * time.Second

	takesSeconds = 32 << 20 // bytes of a store whose signatures take seconds to verify
)

// ownStores is the list of the person's own stores, read once.
func (a *app) ownStores() (*owned.List, error) {
	if a.list == nil {
		dir, err := a.dataDir()
		if err != nil {
			return nil, err
		}
		a.list = owned.Load(dir, time.Now)
	}
	return a.list, nil
}

// ownership returns who owns the store that a spec names. A store that the list has by its
// place is not opened.
func (a *app) ownership(spec string) ownership {
	w, known := a.ownerships[spec]
	if !known {
		w = a.judge(spec)
		if a.ownerships == nil {
			a.ownerships = make(map[string]ownership)
		}
		a.ownerships[spec] = w
	}
	return w
}

func (a *app) judge(spec string) ownership {
	if spec == "mem" {
		return ownership{ownerState: ours}
	}
	list, err := a.ownStores()
	if err != nil {
		return ownership{why: err.Error()}
	}
	if store.IsPostgres(spec) {
		return a.judgeServer(list, spec)
	}
	place, err := owned.Where(strings.TrimPrefix(spec, "sqlite:"))
	if errors.Is(err, fs.ErrNotExist) {
		return ownership{ownerState: unmade, Place: place}
	}
	if info, statErr := os.Stat(place.Path); err != nil || statErr != nil || info.IsDir() {
		return ownership{ownerState: unmade} // opening it says what is wrong
	} else if info.Size() == 0 {
		return ownership{ownerState: unmade, Place: place}
	}
	if e, is := list.At(place); is {
		return ownership{ownerState: ours, Place: place, entry: e}
	}
	return a.judgeInside(list, spec, place)
}

// judgeServer looks at a store on a server: it is known by its address, and its name is
// compared once it is open.
func (a *app) judgeServer(list *owned.List, spec string) ownership {
	place := owned.Place{Path: store.Address(spec)}
	if e, is := list.At(place); is && place.Path != "" {
		return ownership{ownerState: ours, Place: place, entry: e}
	}
	return a.judgeInside(list, spec, place)
}

// judgeInside looks into a store that the list does not name by its place.
func (a *app) judgeInside(list *owned.List, spec string, place owned.Place) ownership {
	w := ownership{Place: place, why: list.Problem()}
	if w.why != "" {
		return w
	}
	ctx, stop := context.Background(), func() {}
	if a.ownerTimeout > 0 {
		ctx, stop = context.WithTimeout(ctx, a.ownerTimeout)
	}
	defer stop()
	s, err := engine.LookInto(ctx, a.databases(), spec)
	if errors.Is(err, fs.ErrNotExist) {
		w.ownerState = unmade
		return w
	}
	if err != nil {
		w.err = err
		return w
	}
	defer s.Close()
	entry := owned.Entry{Place: place, Store: s.Store, Adopted: time.Now()}
	if e, is := a.continues(ctx, list, s); is {
		entry.Owner, entry.Heads, entry.Seen, entry.How = e.Owner, e.Heads, e.Seen, owned.Moved
	} else if is, waits := a.wasHere(ctx, list, s, spec, &entry); !is {
		w.waits = waits
		_ = list.Start() // a list that cannot be made counts from the next run
		return w
	}
	if err := list.Put(entry); err != nil && !readOnly(err) { // one that cannot be written is found again each time
		w.why = err.Error()
		return w
	}
	w.ownerState, w.entry = ours, entry
	if entry.How == owned.Upgraded {
		if keyDir, err := a.keyDir(); err == nil {
			_ = s.Remember(ctx, filepath.Dir(keyDir)) // or the first reading does
		}
	}
	return w
}

// readOnly reports whether a file could not be changed since nothing there may be.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// continues reports whether a store is one of the list, with a log that goes on from
// where the list has seen it.
func (a *app) continues(ctx context.Context, list *owned.List, s *engine.Stranger) (owned.Entry, bool) {
	for _, e := range list.Known(s.Store) {
		whole := true
		for _, h := range e.Heads {
			root, err := s.RootAt(ctx, h.Space, h.Size)
			if err != nil || !bytes.Equal(root[:], h.Root) {
				whole = false
				break
			}
		}
		if whole {
			return e, true
		}
	}
	return owned.Entry{}, false
}

// wasHere reports whether a store is from before the list, and without doubt this
// person's: no repository brought it, and all in it is signed by the person or for
// them, or nothing is in it and it lies in their data directory. waits tells of one from before the list of
// which that is not so.
func (a *app) wasHere(ctx context.Context, list *owned.List, s *engine.Stranger, spec string, entry *owned.Entry) (is,
	waits bool) {
	first, err := s.FirstCame(ctx)
	if err != nil || list.FirstRun().IsZero() || first.After(list.FirstRun()) || tracked(ctx, entry.Path) {
		return false, false
	}
	keyDir, err := a.keyDir()
	if err != nil {
		return false, false
	}
	atHome := false
	if data, err := filepath.EvalSymlinks(filepath.Dir(keyDir)); err == nil {
		atHome = filepath.Dir(entry.Path) == data
	}
	if info, err := os.Stat(entry.Path); err == nil && info.Size() > takesSeconds && !a.hooked {
		a.hint("%s is older than the list of your stores; verifying all its signatures once", clean(entry.Path))
	}
	found, err := s.Look(ctx, engine.Config{KeyDir: keyDir})
	if err != nil || !found.Yours && !(atHome && found.Empty()) {
		return false, hasKeys(keyDir)
	}
	entry.Owner, entry.How = found.Keeper, owned.Upgraded
	entry.Heads, entry.Seen = headsOf(found.StoreHeads), time.Now()
	return true, false
}

// hasKeys reports whether a directory of keys has any.
func hasKeys(dir string) bool {
	files, err := os.ReadDir(dir)
	return err == nil && len(files) > 0
}

// tracked reports whether git brought a file, or may have.
func tracked(ctx context.Context, path string) bool {
	dir := filepath.Dir(path)
	if strings.Contains(path, "://") {
		return false
	}
	cmd, _ := git.Command(ctx, dir, "ls-files", "--error-unmatch", "--", filepath.Base(path))
	if err := cmd.Run(); err == nil {
		return true
	} else if cmd.ProcessState != nil && cmd.ProcessState.Exited() {
		return false // it ran, and knows no such file
	}
	for at := dir; ; at = filepath.Dir(at) { // there is no git to ask
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

func headsOf(h engine.StoreHeads) []owned.Head {
	out := make([]owned.Head, len(h.Heads))
	for i, s := range h.Heads {
		out[i] = owned.Head{Space: s.Space, Size: s.Size, Root: s.Root[:]}
	}
	return out
}

// passedBy explains that a store is not read. Packs mention a waiting store that is older than
// the list without its name, since a name can say anything.
func (a *app) passedBy(w ownership) {
	a.noticed(w.describe("the store") + " and is not read; " + w.adopting())
	a.waiting = a.waiting || w.waits
}

// noticed prints a note about a store that is not read, once: a hook to its log, everything
// else to the person.
func (a *app) noticed(text string) {
	if a.noticeText != "" {
		return
	}
	a.noticeText = text
	switch {
	case a.hooked:
		a.hookSaw(text)
	case !a.flags.project: // else it is the error
		a.hint("%s", text)
	}
}

// notice is the one line about a store that was passed by, "" where there was none.
func (a *app) notice() string { return a.noticeText }

// hookSaw writes a line to the log of hooks, unless it is there.
func (a *app) hookSaw(text string) {
	known, _ := a.hookFailures()
	for _, f := range known {
		if f.Error == hosts.Harmless(text) {
			return
		}
	}
	a.hookFailed([]string{"stemma", "store"}, errors.New(text))
}

// admit decides what may be done with the store that a spec names.
func (a *app) admit(spec string, c *engine.Config) (ownership, error) {
	w := a.ownership(spec)
	if w.ownerState != strange {
		return w, nil
	}
	switch {
	case w.err != nil && !errors.Is(w.err, context.DeadlineExceeded):
		return w, w.err // whoever's it is, it cannot be read
	case !a.storeNamed() || a.strict:
		return w, notYours{w.describe("the store") + " and is not read; " + w.adopting()}
	case a.writes:
		return w, notYours{w.describe("the store") + ", so nothing was written to it; " + w.adopting()}
	}
	c.Foreign, c.ReadOnly = true, true
	a.noticed(w.describe("the store") + "; its records count as external; " + w.adopting())
	return w, nil
}

// storeNamed reports whether the caller named the store, rather than a place where it lies.
func (a *app) storeNamed() bool {
	return a.flags.store != "" || !a.flags.user && !a.flags.project && a.env.Getenv("STEMMA_STORE") != ""
}

// begin says in the list that a store will be made.
func (a *app) begin(w ownership) error {
	if w.ownerState != unmade || w.Path == "" {
		return nil
	}
	if text := a.goneStore(w, ""); text != "" {
		a.goneNoted(text + "; a new one is begun there")
	}
	// before the first mark of all: what is set by now is the person's
	_, user := a.configFiles()
	if _, err := a.confirmed(user, true); err != nil {
		a.hint("warning: %v", err)
	}
	list, err := a.ownStores()
	if err != nil {
		return err
	}
	return list.Begin(w.Path)
}

// made completes the entry of a store that was just made, and brings up to date what
// the list knows of one that is open. A list that cannot be written keeps no one from
// their memory.
func (a *app) made(ctx context.Context, spec string, e *engine.Engine) error {
	w := a.ownership(spec)
	if w.ownerState == strange || w.Path == "" {
		return nil
	}
	fresh, server := w.ownerState == unmade || w.entry.Store == "", store.IsPostgres(spec)
	due := w.entry.Size() == 0 || time.Since(w.entry.Seen) >= headsEvery
	if !fresh && !server && !due {
		return nil
	}
	now, err := e.Heads(ctx)
	if err != nil {
		return nil // the verb itself says what is wrong
	}
	list, err := a.ownStores()
	if err != nil {
		return err
	}
	entry := w.entry
	if fresh {
		entry = owned.Entry{Place: w.Place, Store: now.Store, Adopted: time.Now(), How: owned.Made}
		if !server {
			if entry.Place, err = owned.Where(w.Path); err != nil {
				return err
			}
		}
	}
	if entry.Store != now.Store {
		_, err := list.Drop(entry.Path)
		return errors.Join(err, notYours{fmt.Sprintf("the store at %s is not the one that you adopted, and is not read; "+
			"%s", clean(w.Path), w.adopting())})
	}
	if n := (owned.Entry{Heads: headsOf(now)}); !fresh && (!due || n.Size() == 0) {
		return nil
	}
	entry.Heads, entry.Owner, entry.Seen = headsOf(now), now.Keeper, time.Now()
	if err := list.Put(entry); err != nil {
		return nil
	}
	w.ownerState, w.entry, w.Place = ours, entry, entry.Place
	a.ownerships[spec] = w
	return nil
}

// restored puts a store that was made out of a backup into the list, if a person did
// that, or all in it is theirs. Any other waits for its adoption.
func (a *app) restored(ctx context.Context, spec string) error {
	list, err := a.ownStores()
	if err != nil {
		return err
	}
	s, err := engine.LookInto(ctx, a.databases(), spec)
	if err != nil {
		return err
	}
	defer s.Close()
	place, err := owned.Where(strings.TrimPrefix(spec, "sqlite:"))
	if err != nil {
		return err
	}
	keyDir, err := a.keyDir()
	if err != nil {
		return err
	}
	found := engine.StrangerReply{Yours: a.origin() == memory.OriginOwner}
	if found.Yours {
		found.StoreHeads, err = s.Heads(ctx)
	} else {
		found, err = s.Look(ctx, engine.Config{KeyDir: keyDir})
	}
	if err != nil {
		return err
	}
	if !found.Yours {
		a.hint("not all its records are yours; stemma does not read it until you adopt it; %s",
			ownership{Place: place}.adopting())
		return nil
	}
	delete(a.ownerships, spec)
	_ = s.Remember(ctx, filepath.Dir(keyDir)) // or the first reading does
	return list.Put(owned.Entry{Place: place, Store: found.Store, Owner: found.Keeper, Heads: headsOf(found.StoreHeads),
		Seen: time.Now(), Adopted: time.Now(), How: owned.Restored})
}
