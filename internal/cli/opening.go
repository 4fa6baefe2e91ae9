package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// open returns the engine on the store that flags and directory select, and creates the store
// if there is none. Nothing is opened before a verb asks for it.
func (a *app) open(ctx context.Context) (*engine.Engine, error) {
	if a.engine != nil && !a.absent {
		return a.engine, nil
	}
	if a.engine != nil { // something was read before there was a store
		if err := a.engine.Close(); err != nil {
			return nil, err
		}
		a.engine, a.absent = nil, false
	}
	if err := a.joinFirst(ctx); err != nil {
		return nil, err
	}
	spec, err := a.spec()
	if err != nil {
		return nil, err
	}
	c, w, err := a.config(ctx, spec)
	if err != nil {
		return nil, err
	}
	if err := a.begin(w); err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, spec, c)
	if err != nil {
		return nil, err
	}
	a.engine, a.opened, a.foreign = e, spec, c.Foreign
	if err := a.joinRemote(ctx, spec, c, e); err != nil {
		return nil, err
	}
	if err := a.made(ctx, spec, e); err != nil {
		return nil, err
	}
	if !a.undrained && !c.Foreign {
		a.drainSpool(ctx)
	}
	return e, nil
}

// openToRead is open for a verb that writes nothing. If there is no store, none is created: an
// empty one in memory is read, and nothing about it is saved.
func (a *app) openToRead(ctx context.Context) (*engine.Engine, error) {
	if a.engine != nil {
		return a.engine, nil
	}
	spec, err := a.spec()
	if err != nil {
		return nil, err
	}
	if !a.isAbsent(spec) {
		return a.open(ctx)
	}
	c, _, err := a.config(ctx, spec)
	if err != nil {
		return nil, err
	}
	c.ReadOnly, c.Cache, c.Data = true, "", ""
	e, err := engine.Open(ctx, "mem", c)
	if err != nil {
		return nil, err
	}
	if text := a.goneStore(a.ownership(spec), ""); text != "" {
		a.goneNoted(text)
	} else if a.storeNamed() {
		a.hint("no store at %s", strings.TrimPrefix(spec, "sqlite:"))
	}
	a.engine, a.absent = e, true
	return e, nil
}

// onlyReads reports whether a request creates no store, and remembers that a writing operation
// was requested.
func (a *app) onlyReads(name string, in any) bool {
	op, known := ops.Find(name)
	a.writes = a.writes || known && op.Writes
	return known && !op.MakesStore(in)
}

// isAbsent reports whether there is no store where a spec names a file, and nothing that
// hooks put aside waits for one.
func (a *app) isAbsent(spec string) bool {
	if spec == "mem" || strings.Contains(spec, "://") || a.ownership(spec).ownerState != unmade {
		return false
	}
	if _, err := os.Lstat(strings.TrimPrefix(spec, "sqlite:")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	spool, err := a.spool()
	if err != nil {
		return false
	}
	waiting, err := os.ReadDir(spool.Dir)
	return len(waiting) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// spec names the store, where one can be opened here.
func (a *app) spec() (string, error) {
	if a.flags.url != "" {
		return "", api.Invalid("--url: a server cannot do this; it needs the store itself")
	}
	return a.storeSpec()
}

// platform is where what is written comes from: as it was said, or the host in whose shell this is; "" is not known.
func (a *app) platform() string {
	return or(a.env.Getenv("STEMMA_PLATFORM"), a.marked())
}

// config is what the engine is opened with, and whose the store is.
func (a *app) config(ctx context.Context, spec string) (engine.Config, ownership, error) {
	keyDir, err := a.keyDir()
	if err != nil {
		return engine.Config{}, ownership{}, err
	}
	c := engine.Config{
		Databases: a.databases(),
		KeyDir:    keyDir, Origin: a.origin(), Space: a.spaceNamed(), Session: a.flags.session,
		Agent: a.env.Getenv("STEMMA_AGENT"), Platform: a.platform(),
		Dir: a.env.Dir, Root: a.projectRoot(), Cache: a.cacheDir(), Patience: a.patience,
		Remotes: a.remotesFile(), Dial: a.dial,
		Purged: a.forgetWaiting, Waiting: a.dropWaiting, Zone: zone(),
	}
	if c.Data, err = a.dataDir(); err != nil {
		return c, ownership{}, err
	}
	if service, err := a.service(); err != nil {
		return c, ownership{}, err
	} else if service != nil {
		c.Space, c.Service = or(c.Space, service.Spaces[0]), true
	} else if err := a.inPlace(ctx, &c); err != nil {
		return c, ownership{}, err
	}
	_, err = os.Stat(c.Data)
	bare := errors.Is(err, fs.ErrNotExist)
	c.Now = a.measuredClock(c.Data)
	a.inConversation(&c)
	w, err := a.admit(spec, &c)
	if err != nil {
		return c, w, err
	}
	if a.waiting {
		c.Notice = "a store here is from an earlier version and is not read until you adopt it: stemma store adopt"
	}
	if c.Secrets, err = a.secretsPolicy(); err != nil {
		return c, w, err
	}
	set, err := a.settings()
	if err != nil {
		return c, w, err
	}
	c.Receipts, c.Earlier = a.receiptsFiles(spec) // also of verbs that only write: a purge may come by them
	if c.Keep = int64(set.Int("receipts.keep")); c.Keep == 0 {
		c.Receipts = ""
	}
	c.Everywhere = set.Get(everywhereKey) == agentsToo
	c.ReviewPolicy, c.ReadSpaces = set.Get("review.policy"), set.Get("spaces.read")
	if c.Foreign { // what lies beside a stranger's store is a stranger's
		c.Earlier = ""
	}
	if c.Foreign && bare { // reading makes nothing for one who has nothing here
		c.Data, c.Cache, c.Receipts = "", "", ""
	}
	if !a.alone {
		if err := a.reads(ctx, spec, set, &c); err != nil {
			return c, w, err
		}
	}
	return c, w, a.unlocking(&c)
}

func (a *app) close() error {
	var err error
	if a.engine != nil && !a.absent {
		_ = a.made(context.Background(), a.opened, a.engine) // the first words of a new store
		if says := a.engine.Damaged(); says != "" {
			a.hint("warning: %s", says)
		}
	}
	if a.engine != nil {
		err = a.engine.Close()
	}
	for _, c := range a.closes {
		err = errors.Join(err, c())
	}
	if err != nil {
		return ran{err}
	}
	return nil
}

// serving says that the verb answers others until it is ended.
func (a *app) serving() {
	if a.env.Serving != nil {
		a.env.Serving()
	}
}
