package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

// joinEnv names a service file, or has its content, for a machine without a terminal.
const joinEnv = "STEMMA_JOIN"

// serviceNote is the file in the data directory of a machine that is a service: its service file without the keys.
const serviceNote = "service.json"

// joinedService is a service file that was read and checked.
type joinedService struct {
	peer.ServiceFile
	Remote string `json:"remote"` // what the hub is called here
}

func (s *joinedService) ring() keys.Portable {
	return keys.Portable{Owner: s.Owner, Agent: s.Agent, Identity: s.Identity}
}

// readService reads a service file: text is its content, or @ and its path.
func (a *app) readService(text string) (*joinedService, error) {
	const most = 256 << 10
	raw, from := []byte(text), joinEnv
	if name, file := strings.CutPrefix(text, "@"); file {
		if from = name; !filepath.IsAbs(name) {
			name = filepath.Join(a.env.Dir, name)
		}
		info, err := os.Stat(name)
		if err == nil && info.Size() > most {
			return nil, api.Invalid("%s is no service file: it has %d bytes", clean(from), info.Size())
		}
		if raw, err = os.ReadFile(name); err != nil {
			return nil, api.Invalid("read the service file: %s", err)
		}
	}
	s := &joinedService{Remote: "hub"}
	if len(raw) > most || strict.Check(raw, reflect.TypeFor[peer.ServiceFile]()) != nil ||
		json.Unmarshal(raw, &s.ServiceFile) != nil || s.Version == 0 {
		return nil, api.Invalid("%s is no service file, as 'stemma remote service add' writes it", clean(from))
	}
	if s.Version != 1 {
		return nil, api.Invalid("%s is a service file of version %d; this stemma reads version 1", clean(from), s.Version)
	}
	return s, s.check(from)
}

// check looks whether a service file is whole, and not changed in what this machine can see.
func (s *joinedService) check(from string) error {
	changed := func(what string) error {
		return api.Invalid("%s was changed, or is damaged: %s; ask for another", clean(from), what)
	}
	owner, err := s.ring().OwnerKey()
	if err != nil {
		return changed("its keys cannot be read")
	}
	did := owner.DID()
	switch {
	case did != s.Account:
		return changed("its key is not that of its account")
	case len(s.Spaces) == 0 || s.Hub == "" || s.Name == "":
		return changed("it names no hub, space or service")
	}
	for _, space := range s.Spaces {
		if err := checkSpace(space); err != nil {
			return changed("a space has no full name")
		}
	}
	begins := false
	for line := range strings.Lines(s.Identity) {
		r, err := envelope.Read([]byte(line))
		if err != nil || r.Header.Author != did {
			return changed("its identity is not signed by its key")
		}
		k, is := r.Body.(*memory.Key)
		begins = begins || is && k.Op == memory.OpInception && k.Key == did
	}
	if !begins {
		return changed("its identity does not begin with its key")
	}
	c, err := client.New(s.Address, client.Options{Insecure: s.Insecure})
	if err != nil {
		return hubProblem(err)
	}
	c.Close()
	return nil
}

// service returns which service this machine is; nil is none.
func (a *app) service() (*joinedService, error) {
	dir, err := a.dataDir()
	if err != nil {
		return nil, nil // a verb that needs it says so
	}
	raw, err := os.ReadFile(filepath.Join(dir, serviceNote))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s := new(joinedService)
	if err == nil {
		err = json.Unmarshal(raw, s)
	}
	if err != nil {
		return nil, fmt.Errorf("read which service this machine is: %w", err)
	}
	return s, nil
}

// serviceAt is service for the hub at an address.
func (a *app) serviceAt(address string) (*joinedService, error) {
	s, err := a.service()
	if err != nil || s == nil || strings.TrimRight(s.Address, "/") != strings.TrimRight(address, "/") {
		return nil, err
	}
	return s, nil
}

func (a *app) tokenOf(s *joinedService) hubToken {
	return hubToken{Address: s.Address, Insecure: s.Insecure, Joined: client.Joined{Hub: s.Hub}, Proof: a.newSeed(),
		pem: s.CA}
}

// beService makes this machine a service: with keys from the file, in a data directory that has none. A person's keys
// are never replaced, and nobody's store begins to speak with other keys unseen.
func (a *app) beService(s *joinedService) error {
	if now, err := a.service(); err != nil || now != nil && now.Account == s.Account {
		return err
	} else if now != nil {
		return api.Invalid("this machine is the service %s already; use another data directory (XDG_DATA_HOME) for %s",
			clean(now.Name), clean(s.Name))
	}
	if err := a.roomForService(s); err != nil {
		return err
	}
	dir, err := a.keyDir()
	if err != nil {
		return err
	}
	if err := s.ring().Place(dir); errors.Is(err, keys.ErrOtherRing) {
		return othersKeys(s)
	} else if err != nil {
		return err
	}
	note := *s
	note.Owner, note.Agent, note.Identity = "", "", ""
	raw, err := json.MarshalIndent(note, "", "  ")
	if err != nil {
		return err
	}
	data, err := a.dataDir()
	if err != nil {
		return err
	}
	return writePrivate(filepath.Join(data, serviceNote), append(raw, '\n'))
}

func othersKeys(s *joinedService) error {
	return api.Invalid("the service %s cannot join here: this data directory has the keys of somebody else; set "+
		"XDG_DATA_HOME to an empty directory", clean(s.Name))
}

// roomForService refuses a data directory with keys or a store of somebody.
func (a *app) roomForService(s *joinedService) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	if ring, err := keys.LoadWith(filepath.Join(dir, keysDir), keys.Options{Known: true}); err == nil {
		if ring.Owner.DID() == s.Account {
			return nil
		}
		return othersKeys(s)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return othersKeys(s)
	}
	if _, err := os.Lstat(filepath.Join(dir, storeFile)); err == nil {
		return othersKeys(s)
	}
	return nil
}

// joinFirst makes this machine the service that the environment names, before anything is opened. The
// hub is asked the first time: what it does not know is written nowhere.
func (a *app) joinFirst(ctx context.Context) error {
	text := a.env.Getenv(joinEnv)
	if text == "" {
		return nil
	}
	s, err := a.readService(text)
	if err != nil {
		return err
	}
	if now, err := a.service(); err != nil || now != nil {
		return errors.Join(err, a.beService(s))
	}
	return a.joinFor(ctx, s)
}

// joinRemote adds the hub of the service that this machine is to the remotes of the store, unless it is there.
func (a *app) joinRemote(ctx context.Context, spec string, c engine.Config, e *engine.Engine) error {
	s, err := a.service()
	if err != nil || s == nil || c.Foreign || c.ReadOnly {
		return err
	}
	all, err := e.Remotes(ctx, api.RemoteRequest{})
	if err != nil {
		return err
	}
	for _, r := range all.Remotes {
		if r.Address == s.Address {
			return nil
		}
	}
	// the file decided where memory goes, when it began the keys of this place
	c.Origin, c.ReadOnly = memory.OriginOwner, false
	owner, err := engine.Open(ctx, spec, c)
	if err != nil {
		return err
	}
	_, err = owner.RemoteAdd(ctx, api.RemoteRequest{Name: s.Remote, Address: s.Address, Spaces: s.Spaces})
	return errors.Join(err, owner.Close())
}

// joinAsService asks the hub for a token, with the key of the service.
func (a *app) joinAsService(ctx context.Context, s *joinedService, t hubToken) (client.Joined, error) {
	dir, err := a.keyDir()
	if err != nil {
		return client.Joined{}, err
	}
	ring, err := keys.Load(dir)
	if err != nil {
		return client.Joined{}, err
	}
	return a.joinWith(ctx, s, t, ring.Owner)
}

// joinWith asks the hub for a token. It is kept unless one of admits refuses it.
func (a *app) joinWith(
	ctx context.Context, s *joinedService, t hubToken, key *keys.Key, admits ...func(*client.Client) error,
) (client.Joined, error) {
	const patience = time.Minute
	return a.joinsHub(ctx, t, patience, func(ch client.Challenge, machine string) (client.Join, error) {
		if ch.Hub != s.Hub {
			return client.Join{}, api.Invalid("the service file is for the hub %s, and at %s is %s", clean(s.Hub),
				clean(s.Address), clean(ch.Hub))
		}
		sig, err := peer.NewClaim(s.Account, key.DID(), ch.Hub, ch.Challenge, "", machine).Sign(key)
		host, _ := os.Hostname()
		return client.Join{Account: s.Account, Key: key.DID(), Name: s.Name, Label: or(host, s.Name),
			Challenge: ch.Challenge, Sig: sig}, err
	}, admits...)
}

// admitted reports whether the hub gives a service what its file says. A person who changed the file cannot
// lead its machine elsewhere.
func (s *joinedService) admitted(ctx context.Context) func(*client.Client) error {
	return func(c *client.Client) error {
		w, err := c.Hello(ctx, peer.Hello{Version: peer.Version, Store: s.Name})
		if err != nil {
			return err
		}
		roles := make(map[string]peer.Role)
		for _, one := range w.Spaces {
			roles[one.Space] = one.Role
		}
		for _, space := range s.Spaces {
			if role := roles[space]; role == "" || !role.May(peer.Role(s.Role)) {
				return api.Invalid("the service file says %s of %s, and the hub says %s: the file was changed, or a keeper "+
					"changed the role since; ask for another", clean(string(s.Role)), clean(space),
					or(clean(string(role)), "no member"))
			}
		}
		return nil
	}
}
