package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Remotes lists the remotes of the store, with how far each is behind and who owns and keeps its spaces.
func (e *Exchange) Remotes(ctx context.Context, _ api.RemoteRequest) (api.RemoteReply, error) {
	reply, err := Behind(ctx, e)
	if err != nil || len(reply.Remotes) == 0 {
		return reply, err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	for i := range reply.Remotes {
		r := &reply.Remotes[i]
		spaces, err := e.remoteSpaces(ctx, r.Name)
		if err != nil {
			return reply, err
		}
		chosen, err := e.choosing(ctx, r)
		if err != nil {
			return reply, err
		}
		for _, space := range spaces {
			if chosen.has(space) {
				r.Keepers = append(r.Keepers, keepersOf(v, space)...)
			}
		}
	}
	return reply, nil
}

// Behind lists the remotes of the store, with how far each is behind.
func Behind(ctx context.Context, e *Exchange) (api.RemoteReply, error) {
	reply, err := Named(ctx, e)
	for i := range reply.Remotes {
		if err != nil {
			break
		}
		r := &reply.Remotes[i]
		var n syncNote
		if n, err = e.syncNoteOf(ctx, r.Name); err != nil {
			return reply, core.Classify(err)
		}
		r.Lag = n.lag(e.C.Now())
		var c *choosing
		if c, err = e.choosing(ctx, r); err != nil {
			return reply, err
		}
		given := sharing{name: r.Name, filter: remoteFilter(r), chosen: c.has, new: n.Tried.IsZero()}
		err = e.lagOf(ctx, given, n.told, r.Lag)
	}
	return reply, err
}

// Named lists the remotes of the store, without looking at how far each is behind.
func Named(ctx context.Context, e *Exchange) (api.RemoteReply, error) {
	reply := api.RemoteReply{Remotes: []api.Remote{}}
	all, name, err := e.readRemotes(ctx)
	for _, r := range all {
		if r.Store != name {
			continue
		}
		n, err := e.syncNoteOf(ctx, r.Name)
		if err != nil {
			return reply, core.Classify(err)
		}
		r.Sync = n.state()
		reply.Remotes = append(reply.Remotes, r)
	}
	return reply, err
}

// RemoteAdd names a place to exchange records with. Only a person does: it decides
// where memory goes.
func (e *Exchange) RemoteAdd(ctx context.Context, in api.RemoteRequest) (api.RemoteReply, error) {
	if err := e.OwnerOnly("say where memory goes"); err != nil {
		return api.RemoteReply{}, err
	}
	r := api.Remote{
		Name: in.Name, Address: in.Address, Spaces: in.Spaces, Kinds: in.Kinds, Tags: in.Tags,
		Search: in.Search, Whose: in.Whose, Also: in.Also,
	}
	unlock, err := e.lockRemotes()
	if err != nil {
		return api.RemoteReply{}, err
	}
	defer unlock()
	all, name, err := e.readRemotes(ctx)
	if err != nil {
		return api.RemoteReply{}, err
	}
	r.Store = name
	answers := r.Address == "" && (r.Whose != "" || len(r.Also) > 0) // says what one is to exchange that is there
	i := slices.IndexFunc(all, func(o api.Remote) bool { return o.Store == name && o.Name == r.Name })
	switch {
	case answers && i < 0:
		return api.RemoteReply{}, core.NotFound("there is no remote %s; `remotes` shows those there are", r.Name)
	case answers:
		all[i].Raw = withRaw(&all[i], in)
		all[i].Whose = core.Or(r.Whose, all[i].Whose)
		for _, s := range r.Also {
			if !slices.Contains(all[i].Also, s) {
				all[i].Also = append(all[i].Also, s)
			}
		}
		r = all[i]
	case i >= 0:
		return api.RemoteReply{}, core.Conflict(
			"there is a remote %s already; `remote_remove %s` forgets it", r.Name, r.Name,
		)
	default:
		r.Raw = withRaw(&api.Remote{Kinds: r.Kinds, Tags: r.Tags}, in)
		all = append(all, r)
	}
	if err := remoteCheck(&r); err != nil {
		return api.RemoteReply{}, err
	}
	if err := e.writeRemotes(all); err != nil {
		return api.RemoteReply{}, err
	}
	return e.Remotes(ctx, api.RemoteRequest{})
}

// RemoteRemove forgets a remote. What was exchanged stays here, and there.
func (e *Exchange) RemoteRemove(ctx context.Context, in api.RemoteRequest) (api.RemoteReply, error) {
	if err := e.OwnerOnly("say where memory goes"); err != nil {
		return api.RemoteReply{}, err
	}
	r, err := e.remote(ctx, in.Name)
	if err != nil {
		return api.RemoteReply{}, err
	}
	unlock, err := e.lockRemotes()
	if err != nil {
		return api.RemoteReply{}, err
	}
	defer unlock()
	all, name, err := e.readRemotes(ctx)
	if err != nil {
		return api.RemoteReply{}, err
	}
	all = slices.DeleteFunc(all, func(o api.Remote) bool { return o.Store == name && o.Name == r.Name })
	if err := e.writeRemotes(all); err != nil {
		return api.RemoteReply{}, err
	}
	if err := e.forgetSync(ctx, r.Name); err != nil {
		return api.RemoteReply{}, err
	}
	return e.Remotes(ctx, api.RemoteRequest{})
}

func remoteCheck(r *api.Remote) error {
	const most = 40
	if r.Name == "" || len(r.Name) > most || strings.ContainsFunc(r.Name, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", c)
	}) {
		return core.Invalid("name: want up to %d small letters, digits, - and _, got %q", most, shorten.To(r.Name, 80))
	}
	if r.Address == "" {
		return core.Invalid("address: give a folder, ssh://host, or the address of a hub")
	}
	if r.Search && !searchable(r.Address) {
		return core.Invalid("search: only a hub can be searched, and %s is not a hub", shorten.To(r.Address, 80))
	}
	for _, k := range r.Kinds {
		if !memory.Kind(k).Known() {
			return core.Invalid("kinds: there is no kind %q", shorten.To(k, 40))
		}
	}
	for _, s := range slices.Concat(r.Spaces, r.Also) {
		if err := core.CheckSpace(s); err != nil {
			return core.Classify(err)
		}
	}
	return checkWhose(r)
}

// filter returns what leaves, and is asked for.
func remoteFilter(r *api.Remote) peer.Filter {
	f := peer.Filter{Tags: r.Tags, NoRaw: !r.Raw}
	for _, k := range r.Kinds {
		f.Kinds = append(f.Kinds, memory.Kind(k))
	}
	return f
}

// remote finds a remote of the store; "" is the only one.
func (e *Exchange) remote(ctx context.Context, name string) (api.Remote, error) {
	mine, err := Named(ctx, e)
	if err != nil {
		return api.Remote{}, err
	}
	if name == "" && len(mine.Remotes) == 1 {
		return mine.Remotes[0], nil
	}
	for _, r := range mine.Remotes {
		if r.Name == name {
			return r, nil
		}
	}
	switch {
	case len(mine.Remotes) == 0:
		return api.Remote{}, core.NotFound("this store has no remote: `remote_add NAME ADDRESS` names one")
	case name == "":
		return api.Remote{}, core.Invalid("remote: this store has %d; name one", len(mine.Remotes))
	}
	return api.Remote{}, core.NotFound(
		"this store has no remote %s; `remotes` shows those it has", shorten.To(name, 80),
	)
}

// readRemotes reads the remotes of all stores, and the name of this one.
func (e *Exchange) readRemotes(ctx context.Context) ([]api.Remote, string, error) {
	name, err := e.Store.StoreName(ctx)
	if err != nil || e.C.Remotes == "" {
		return nil, name, core.Classify(err)
	}
	raw, err := os.ReadFile(e.C.Remotes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, name, nil
	}
	if err != nil {
		return nil, name, fmt.Errorf("read the remotes: %w", err)
	}
	var all []api.Remote
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, name, core.Invalid("%s is damaged: %s", e.C.Remotes, core.OneLine(err))
	}
	return all, name, nil
}

// remotesPatience is how long one waits for another who changes the remotes.
const remotesPatience = 5 * time.Second

// lockRemotes keeps others from changing the file between its reading and its writing.
func (e *Exchange) lockRemotes() (unlock func(), err error) {
	if e.C.Remotes == "" {
		return nil, core.Invalid("no file for remotes: set Config.Remotes")
	}
	if err := os.MkdirAll(filepath.Dir(e.C.Remotes), 0o700); err != nil {
		return nil, fmt.Errorf("write the remotes: %w", err)
	}
	unlock, err = journal.Lock(e.C.Remotes, remotesPatience)
	if errors.Is(err, journal.ErrBusy) {
		return nil, &core.Failure{Kind: api.ErrUnavailable, Text: "another process changes the remotes for long: try again"}
	}
	return unlock, err
}

// writeRemotes puts the file in place whole.
func (e *Exchange) writeRemotes(all []api.Remote) error {
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(e.C.Remotes), ".remotes-*") // for the person alone, as CreateTemp makes it
	if err != nil {
		return fmt.Errorf("write the remotes: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = durable.Rename(f.Name(), e.C.Remotes)
	}
	if err != nil {
		return fmt.Errorf("write the remotes: %w", err)
	}
	return nil
}

// searchable reports whether an address is one that can be asked.
func searchable(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
