package stemma

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

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// Remote is a place with which a store exchanges records. It stands in a file of the
// person's own: no project says where memory goes.
type Remote struct {
	Name    string   `json:"name"`
	Address string   `json:"address"`
	Store   string   `json:"store"`            // the name of the store it belongs to
	Spaces  []string `json:"spaces,omitempty"` // local or full names; none is all
	Kinds   []string `json:"kinds,omitempty"`  // none is all
	Tags    []string `json:"tags,omitempty"`   // any of them; none is all
	Raw     bool     `json:"raw,omitempty"`    // raws travel too
	Search  bool     `json:"search,omitempty"` // searches go there too

	Sync *SyncState `json:"sync,omitempty"` // how it went so far; the store remembers it, not the file
}

// RemoteRequest names a remote, and says what to exchange with it.
type RemoteRequest struct {
	Name    string   `json:"name,omitempty"`
	Address string   `json:"address,omitempty" jsonschema:"a folder, ssh://host, or the address of a hub"`
	Spaces  []string `json:"spaces,omitempty" jsonschema:"local or full names; none is all of the store"`
	Kinds   []string `json:"kinds,omitempty" jsonschema:"none is all"`
	Tags    []string `json:"tags,omitempty" jsonschema:"any of them; none is all"`
	Raw     bool     `json:"raw,omitempty" jsonschema:"raws travel too; without it they stay here, known to others by their ids alone"`
	Search  bool     `json:"search,omitempty" jsonschema:"of a hub: each search asks it too, and so tells it what is asked"`
}

// RemoteReply is the remotes of a store.
type RemoteReply struct {
	Remotes []Remote `json:"remotes"`
}

// Remotes lists the remotes of the store.
func (e *Engine) Remotes(ctx context.Context, _ RemoteRequest) (RemoteReply, error) {
	reply := RemoteReply{Remotes: []Remote{}}
	all, name, err := e.readRemotes(ctx)
	for _, r := range all {
		if r.Store != name {
			continue
		}
		n, err := e.syncNoteOf(ctx, r.Name)
		if err != nil {
			return reply, sorted(err)
		}
		r.Sync = n.state()
		reply.Remotes = append(reply.Remotes, r)
	}
	return reply, err
}

// RemoteAdd names a place to exchange records with. Only a person does: it decides
// where memory goes.
func (e *Engine) RemoteAdd(ctx context.Context, in RemoteRequest) (RemoteReply, error) {
	if err := e.ownerOnly("say where memory goes"); err != nil {
		return RemoteReply{}, err
	}
	r := Remote{Name: in.Name, Address: in.Address, Spaces: in.Spaces, Kinds: in.Kinds, Tags: in.Tags, Raw: in.Raw, Search: in.Search}
	if err := r.check(); err != nil {
		return RemoteReply{}, err
	}
	unlock, err := e.lockRemotes()
	if err != nil {
		return RemoteReply{}, err
	}
	defer unlock()
	all, name, err := e.readRemotes(ctx)
	if err != nil {
		return RemoteReply{}, err
	}
	r.Store = name
	if slices.ContainsFunc(all, func(o Remote) bool { return o.Store == name && o.Name == r.Name }) {
		return RemoteReply{}, conflict("there is a remote %s already; 'stemma remote remove %s' forgets it", r.Name, r.Name)
	}
	if err := e.writeRemotes(append(all, r)); err != nil {
		return RemoteReply{}, err
	}
	return e.Remotes(ctx, RemoteRequest{})
}

// RemoteRemove forgets a remote. What was exchanged stays here, and there.
func (e *Engine) RemoteRemove(ctx context.Context, in RemoteRequest) (RemoteReply, error) {
	if err := e.ownerOnly("say where memory goes"); err != nil {
		return RemoteReply{}, err
	}
	r, err := e.remote(ctx, in.Name)
	if err != nil {
		return RemoteReply{}, err
	}
	unlock, err := e.lockRemotes()
	if err != nil {
		return RemoteReply{}, err
	}
	defer unlock()
	all, name, err := e.readRemotes(ctx)
	if err != nil {
		return RemoteReply{}, err
	}
	all = slices.DeleteFunc(all, func(o Remote) bool { return o.Store == name && o.Name == r.Name })
	if err := e.writeRemotes(all); err != nil {
		return RemoteReply{}, err
	}
	if err := e.forgetSync(ctx, r.Name); err != nil {
		return RemoteReply{}, err
	}
	return e.Remotes(ctx, RemoteRequest{})
}

func (r *Remote) check() error {
	const most = 40
	if r.Name == "" || len(r.Name) > most || strings.ContainsFunc(r.Name, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", c)
	}) {
		return invalid("name: want up to %d small letters, digits, - and _, got %q", most, memory.Cut(r.Name, 80))
	}
	if r.Address == "" {
		return invalid("address: give a folder, ssh://host, or the address of a hub")
	}
	if r.Search && !searchable(r.Address) {
		return invalid("search: only a hub can be searched, and %s is none", memory.Cut(r.Address, 80))
	}
	for _, k := range r.Kinds {
		if !memory.Kind(k).Known() {
			return invalid("kinds: there is no kind %q", memory.Cut(k, 40))
		}
	}
	for _, s := range r.Spaces {
		if err := checkShelf(s); err != nil {
			return sorted(err)
		}
	}
	return nil
}

// filter gives what leaves, and is asked for.
func (r *Remote) filter() peer.Filter {
	f := peer.Filter{Tags: r.Tags, NoRaw: !r.Raw}
	for _, k := range r.Kinds {
		f.Kinds = append(f.Kinds, memory.Kind(k))
	}
	return f
}

// chosen reports whether a space is one of those that are exchanged.
func (r *Remote) chosen(space string) bool {
	_, name, _ := strings.Cut(space, "/")
	return len(r.Spaces) == 0 || slices.Contains(r.Spaces, space) || slices.Contains(r.Spaces, name)
}

// remote finds a remote of the store; "" is the only one.
func (e *Engine) remote(ctx context.Context, name string) (Remote, error) {
	mine, err := e.Remotes(ctx, RemoteRequest{})
	if err != nil {
		return Remote{}, err
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
		return Remote{}, notFound("this store has no remote: 'stemma remote add NAME ADDRESS' names one")
	case name == "":
		return Remote{}, invalid("remote: this store has %d; name one", len(mine.Remotes))
	}
	return Remote{}, notFound("this store has no remote %s; 'stemma remote list' shows those it has", memory.Cut(name, 80))
}

// readRemotes reads the remotes of all stores, and the name of this one.
func (e *Engine) readRemotes(ctx context.Context) ([]Remote, string, error) {
	name, err := e.store.StoreName(ctx)
	if err != nil || e.c.Remotes == "" {
		return nil, name, sorted(err)
	}
	raw, err := os.ReadFile(e.c.Remotes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, name, nil
	}
	if err != nil {
		return nil, name, fmt.Errorf("read the remotes: %w", err)
	}
	var all []Remote
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, name, invalid("%s is damaged: %s", e.c.Remotes, oneLine(err))
	}
	return all, name, nil
}

// remotesPatience is how long one waits for another who changes the remotes.
const remotesPatience = 5 * time.Second

// lockRemotes keeps others from changing the file between its reading and its writing.
func (e *Engine) lockRemotes() (unlock func(), err error) {
	if e.c.Remotes == "" {
		return nil, invalid("no file for remotes: set Config.Remotes")
	}
	if err := os.MkdirAll(filepath.Dir(e.c.Remotes), 0o700); err != nil {
		return nil, fmt.Errorf("write the remotes: %w", err)
	}
	unlock, err = journal.Lock(e.c.Remotes, remotesPatience)
	if errors.Is(err, journal.ErrBusy) {
		return nil, &failure{kind: ErrUnavailable, text: "another process changes the remotes for long: try again"}
	}
	return unlock, err
}

// writeRemotes puts the file in place whole.
func (e *Engine) writeRemotes(all []Remote) error {
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(e.c.Remotes), ".remotes-*") // for the person alone, as CreateTemp makes it
	if err != nil {
		return fmt.Errorf("write the remotes: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = durable.Rename(f.Name(), e.c.Remotes)
	}
	if err != nil {
		return fmt.Errorf("write the remotes: %w", err)
	}
	return nil
}
