package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/settings"
)

func (a *app) syncCmd() *cobra.Command {
	c := cmd("sync [REMOTE]", "Exchange records with another store", `Examples:
  stemma sync                    sync with the only remote
  stemma sync usb --pull         only receive
  stemma sync usb --watch        repeat until you stop it
  stemma sync --json             also list refused records and why

stemma verifies each record before it stores it. You can stop a sync at any time;
the next one continues. To add a remote: stemma remote add`)
	var in api.SyncRequest
	f := c.Flags()
	f.BoolVar(&in.Push, "push", false, "only send")
	f.BoolVar(&in.Pull, "pull", false, "only receive")
	watch := f.Bool("watch", false, "repeat until you stop it")
	every := f.Duration("every", 30*time.Second, "with --watch: time between two syncs")
	stdio := f.Bool("serve-stdio", false, "answer another store's sync on standard input and output")
	c.Args = cobra.MaximumNArgs(1)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.roomy()
		if *stdio {
			return a.serveStdio(cmd.Context())
		}
		if len(args) > 0 {
			in.Remote = args[0]
		}
		if !*watch {
			return a.syncing(cmd, (*engine.Engine).Sync, in)
		}
		if *every < time.Second {
			return fmt.Errorf("--every: must be at least a second, got %s", *every)
		}
		return a.syncAgain(cmd, in, *every)
	}
	return a.single(c)
}

// serveStdio lets the process that started this one exchange records with the store.
func (a *app) serveStdio(ctx context.Context) error {
	// whoever names a store from elsewhere sees no typing error that makes one
	if at := a.flags.store; at != "" && !strings.Contains(at, "://") {
		dir := filepath.Dir(at)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return ran{fmt.Errorf("%s: no such directory on this machine; create it, or correct the remote's address", dir)}
		}
	}
	a.strict = true
	e, err := a.open(ctx)
	if err != nil {
		return ran{err}
	}
	hub, err := e.Hub()
	if err != nil {
		return ran{err}
	}
	a.serving()
	return asRan(carrier.Serve(ctx, a.env.Stdin, a.env.Stdout, hub))
}

// syncAgain syncs until it is stopped. What fails is tried again the next time.
func (a *app) syncAgain(cmd *cobra.Command, in api.SyncRequest, every time.Duration) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for ctx := cmd.Context(); ; {
		if err := a.syncing(cmd, (*engine.Engine).Sync, in); err != nil && ctx.Err() == nil {
			a.hint("%v", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// autoWait is how long fetching new records may delay a load.
const autoWait = 3 * time.Second

// following says how often a server exchanges records with the store's remotes by
// itself; 0 is not at all. No one is there then whom a remote could ask for something.
func (a *app) following(set *settings.Settings) time.Duration {
	if set.Get("sync.auto") != "watch" {
		return 0
	}
	a.unattended = true
	return set.Duration("sync.every")
}

// autoSync fetches new records from the remotes, if the settings say so. An unreachable remote
// is reported and does not prevent reading.
func (a *app) autoSync(ctx context.Context) error {
	set, err := a.settings()
	if err != nil || set.Get("sync.auto") == "off" || a.flags.url != "" {
		return err
	}
	if spec, err := a.storeSpec(); err != nil || a.ownership(spec).ownerState == strange {
		return err // nothing is written to a stranger's store
	}
	if _, err := os.Stat(a.remotesFile()); err != nil {
		return nil // there is none, and no store is made to look for one
	}
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	all, err := e.Remotes(ctx, api.RemoteRequest{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, autoWait)
	defer cancel()
	for _, r := range all.Remotes {
		reply, err := e.Sync(ctx, api.SyncRequest{Remote: r.Name, Pull: true})
		switch {
		case err != nil:
			a.hint("sync %s: %v", r.Name, err)
		case reply.Failed > 0:
			a.hint("sync with %s failed; for the reason: stemma sync %s", r.Name, r.Name)
		}
	}
	return nil
}

// syncing does one exchange, and fails where part of it did not go through. What waits for
// the other side, or is done by another sync of this store, is no failure.
func (a *app) syncing(cmd *cobra.Command, do method[api.SyncRequest, api.SyncReply],
	in api.SyncRequest) error {
	var failed error
	counted := func(ctx context.Context, in api.SyncRequest) (api.SyncReply, error) {
		bar := a.elapsed("exchanging records")
		defer bar.end()
		r, err := call(ctx, a, do, in)
		if err == nil && len(r.KeptBack) > 0 && a.interactive() {
			bar.end()
			if err = a.askWhose(ctx, r); err == nil {
				r, err = call(ctx, a, do, in)
			}
			err = unlessQuit(err)
		}
		failed = syncFailure(r)
		return r, err
	}
	err := verbAs(a, counted, func([]string) (api.SyncRequest, error) { return in, nil }, a.showSync)(cmd, nil)
	if err == nil {
		return failed
	}
	return err
}

// syncFailure returns what a sync ends with: nil where nothing is left that this side can do,
// ExitAway where all that is left is to try again later.
func syncFailure(r api.SyncReply) error {
	switch {
	case len(r.KeptBack) > 0:
		return errFailed
	case r.Failed == 0:
		return nil
	}
	for _, p := range r.Peers {
		if p.Problem != "" && p.Code != peer.Unreachable && p.Code != "busy" ||
			slices.ContainsFunc(p.Spaces, func(s api.SyncSpace) bool { return s.Problem != "" && s.Code != peer.Unreachable }) {
			return errFailed
		}
	}
	return errExit(ops.ExitAway)
}

// notReached reports whether there was no exchange at all, so that there is nothing to count.
func notReached(r api.SyncReply) bool {
	return r.Pushed+r.Pulled == 0 && len(r.Peers) > 0 &&
		!slices.ContainsFunc(r.Peers, func(p api.SyncPeer) bool { return p.Problem == "" || len(p.Spaces) > 0 })
}

func (a *app) showSync(r api.SyncReply) error {
	w := a.env.Stdout
	if !notReached(r) {
		fmt.Fprintf(w, "%s: %s sent, %d received\n", r.Remote, count(r.Pushed, "record", "records"), r.Pulled)
	}
	var spaces []string
	for _, p := range r.Peers {
		for _, s := range p.Spaces {
			spaces = append(spaces, s.Space)
		}
	}
	named := spaceNames(spaces)
	for _, p := range r.Peers {
		from := r.Remote
		if p.Name != "" && len(r.Peers) > 1 { // several wrote into one folder
			from += " (" + clean(short(p.Name)) + ")"
		}
		if p.Problem != "" {
			a.hint("%s: %s", from, line(p.Problem, 400))
			a.rewritten(r.Remote, p.Code, 0)
		}
		for _, ref := range p.Answers {
			a.hint("answer received: %s", shortRef(ref))
		}
		for _, x := range p.Unfit {
			a.hint("answer refused: %s: %s", clean(short(x.ID)), line(x.Why, 200))
		}
		if p.Waiting > 0 {
			a.hint("%s for you; to list: stemma witness requests --via %s", count(p.Waiting, "request waits", "requests wait"),
				r.Remote)
		}
		for _, s := range p.Spaces {
			name := named(s.Space)
			if s.Problem != "" {
				a.hint("space %s of %s: %s", name, from, line(s.Problem, 400))
				a.rewritten(r.Remote, s.Code, s.Pushed+s.Pulled)
			}
		}
	}
	if len(r.KeptBack) > 0 {
		a.hint("not exchanged with %s: %s. If it is only yours: stemma remote whose %s mine. If others use it: "+
			"stemma remote whose %s shared, and to give them one: stemma remote share %s SPACE", r.Remote,
			someNames(r.KeptBack), r.Remote, r.Remote, r.Remote)
	}
	for _, x := range r.Reasons {
		says := "not accepted, will be requested again"
		if x.There {
			says = "refused by the remote"
		}
		a.hint("%s: %s", says, reason(x))
	}
	for _, u := range r.Uncounted {
		a.hint("you no longer keep or own space %s; %d of your decisions had not been sent and do not count there: %s",
			named(u.Space), u.Count, shortRefs(u.Refs))
	}
	a.sayWithheld(r)
	return nil
}

// reason says why records were not taken, how many, and names one.
func reason(x api.NotTaken) string {
	named := clean(short(x.ID))
	if x.Count > 1 {
		named = count(x.Count, "record", "records") + ", such as " + named
	}
	return named + ": " + line(x.Why, 200)
}

// rewritten says what can be done about a remote that is not what it was, or to which this
// store is not: then some records may have gone either way.
func (a *app) rewritten(remote, code string, moved int) {
	kept := "nothing was received or lost"
	if moved > 0 {
		kept = "nothing was lost"
	}
	if code == peer.Code(peer.ErrRewritten) {
		a.hint("%s; if you know why, continue with: stemma remote accept %s", kept, remote)
	}
}
