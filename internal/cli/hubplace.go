package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

const (
	hubConfig    = "hub.json"
	hubKeys      = "keys"
	hubStoreFile = "hub.db"
	hubMetrics   = "metrics.token" // what /metrics is shown for
)

// hubPlace is the directory of a hub that is run here.
type hubPlace struct {
	dir string
	hubFile
}

// hubFile is what stands in it beside the hub's key. The address of a database holds
// a password, so the file is its owner's alone.
type hubFile struct {
	Name  string `json:"name,omitempty"`
	Store string `json:"store,omitempty"`
	Wants string `json:"wants,omitempty"` // the database that migrate was asked for, until the hub has an address there
}

func (p *hubPlace) save() error {
	raw, err := json.MarshalIndent(p.hubFile, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(filepath.Join(p.dir, hubConfig), append(raw, '\n'))
}

// open opens the hub's database.
func (p *hubPlace) open(ctx context.Context) (*hubstore.Hub, error) {
	if p.Name == "" || p.Store == "" {
		return nil, api.Invalid("no hub in %s; create one with 'stemma hub init --name NAME', or name another "+
			"directory with --dir", p.dir)
	}
	h, err := hubstore.Open(ctx, p.Store, sqlstore.Options{})
	if errors.Is(err, store.ErrRole) {
		return nil, api.Invalid("%s", oneText(err))
	}
	if err != nil {
		return nil, hubAway{errors.New(oneText(err))}
	}
	return h, nil
}

// key returns the hub's key, made on first use.
func (p *hubPlace) key(a *app) (*keys.Key, error) {
	ring, err := keys.Open(filepath.Join(p.dir, hubKeys), a.random(), func(owner, _ *keys.Key) ([]byte, error) {
		return []byte("the keys of a hub\n"), nil
	})
	if err != nil {
		return nil, err
	}
	return ring.Owner, nil
}

// hubKind returns an error of a hub's database the kind that faces know.
func hubKind(err error) error {
	if errors.Is(err, store.ErrAbsent) {
		return api.Invalid("no such account, member or token")
	}
	return err
}

func oneText(err error) string { return strings.Join(strings.Split(err.Error(), "\n"), "; ") }

// hubAt reads the configuration of a hub from its directory.
func (a *app) hubAt(dir string) (*hubPlace, error) {
	if dir = or(dir, a.env.Getenv("STEMMA_HUB_DIR")); dir == "" {
		data, err := a.dataDir()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(data, "hub")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.Dir, dir)
	}
	p := &hubPlace{dir: dir}
	raw, err := os.ReadFile(filepath.Join(dir, hubConfig))
	if errors.Is(err, fs.ErrNotExist) {
		err, raw = nil, []byte("{}")
	}
	if err == nil {
		err = json.Unmarshal(raw, &p.hubFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, hubConfig), err)
	}
	given, err := a.addressIn(a.env.Getenv("STEMMA_HUB_STORE"))
	if err != nil {
		return nil, err
	}
	p.Store = or(given, p.Store)
	return p, nil
}

// addressIn returns the address of a database, or what stands in the file that @FILE names: a secret that is mounted.
func (a *app) addressIn(text string) (string, error) {
	name, in := strings.CutPrefix(text, "@")
	if !in {
		return text, nil
	}
	return a.oneLine("the address of the database", name)
}

// oneLine reads a file with one line, such as a secret.
func (a *app) oneLine(what, name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.env.Dir, name)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", api.Invalid("read %s: %s", what, err)
	}
	text := strings.TrimSpace(string(raw))
	if text == "" || strings.ContainsAny(text, "\r\n") {
		return "", api.Invalid("read %s: %s must have one line with %s", what, name, what)
	}
	return text, nil
}

// withHub runs a verb on the hub's database.
func (a *app) withHub(dir *string,
	do func(ctx context.Context, h *hubstore.Hub, p *hubPlace, args []string) (any, error),
	show func(any)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		h, err := p.open(cmd.Context())
		if err != nil {
			return ran{err}
		}
		out, err := do(cmd.Context(), h, p, args)
		if err = errors.Join(hubKind(err), h.Close()); err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		show(out)
		return nil
	}
}

// hubShown is a hub as its verbs print it.
type hubShown struct {
	Name  string `json:"name"`
	Key   string `json:"key,omitempty"` // did:key that signs its checkpoints
	Store string `json:"store"`         // without its password
	Dir   string `json:"dir"`
}

func (a *app) hubShown(p *hubPlace, h *hubstore.Hub) (hubShown, error) {
	key, err := p.key(a)
	if err != nil {
		return hubShown{}, err
	}
	return hubShown{Name: p.Name, Key: key.DID(), Store: h.Name(), Dir: p.dir}, nil
}
